"""One repair episode as a state machine: what may be done, what it does, what is known afterwards.

What is not read is not known: candidates exist only for files the student has opened. A patch is verified
before it is undone or another is made, so that every verdict is about one change. A tree that was already
verified cannot be patched into again, so no verification is spent twice on it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from rlaios_core.environments.shell.bugs import ShellTask
from rlaios_core.environments.shell.candidates import PATCH, READ, Candidate
from rlaios_core.environments.shell.evidence import failure_line, summary_line
from rlaios_core.environments.shell.grading import Grade, GradeReason, grade
from rlaios_core.environments.shell.repair import Edit
from rlaios_core.environments.shell.trees import overlap, tree_files
from rlaios_core.environments.shell.verification import TestOutcome, VerificationResult
from rlaios_core.schema import (
    HANDOFF,
    STOP,
    VERIFY,
    Action,
    Observation,
    StepResult,
    StepStatus,
    StopReason,
)

REVERT = "revert"
_SHOWN_FAILURES = 8
_SHOWN_EVENTS = 10
_ONE_TRY = 3
"""Steps to patch, verify and undo."""


@dataclass(frozen=True)
class Budgets:
    """How much one episode may use."""

    steps: int = 30
    verifications: int = 10
    candidates: int = 256
    patches: int = 3


class Verdict(StrEnum):
    """What a verification said of the last patch, compared with the tree before it."""

    ALL_PASS = "all_pass"
    """Every visible test passes."""
    IMPROVED = "improved"
    """Fewer failing tests than at the start, and none new."""
    CHANGED = "changed"
    """The same tests fail, but in another way: the line matters."""
    SAME = "same"
    """The same tests fail in the same way."""
    REGRESSED = "regressed"
    """A test that passed at the start fails."""
    BROKEN = "broken"
    """The run crashed, timed out or could not be collected."""


_BROKEN = (GradeReason.CRASH, GradeReason.TIMEOUT, GradeReason.MISSING_TEST)
Tree = frozenset[str]


class Session:
    """The state of one episode. `verify_tree` runs the visible tests on given files."""

    def __init__(
        self,
        task: ShellTask,
        budgets: Budgets,
        candidates: Callable[[frozenset[str]], list[Candidate]],
        verify_tree: Callable[[Mapping[str, str]], VerificationResult],
    ) -> None:
        self.task = task
        self._budgets = budgets
        self._candidates = candidates
        self._verify_tree = verify_tree
        self._opened: frozenset[str] = frozenset()
        self._patches: list[Candidate] = []
        self._verdicts: dict[Tree, tuple[Verdict, Grade]] = {}
        self._events: list[str] = []
        self._tried: dict[str, list[Verdict]] = {}
        self._noted: dict[str, Action] = {}
        self._steps = 0
        self.verifications = 0
        self.stop_reason: StopReason | None = None
        self._failures = tuple(failure_line(report) for report in task.failing[:_SHOWN_FAILURES])
        self._symptoms = summary_line(task.failing)
        self._messages = {r.node_id: (r.exception, r.message, r.actual) for r in task.failing}

    @property
    def files(self) -> dict[str, str]:
        """The project's sources as they stand."""
        return tree_files(self.task.files, self.patches)

    @property
    def patches(self) -> tuple[Edit, ...]:
        """The edits in place, oldest first, against the files at the start."""
        return tuple(patch.edit for patch in self._patches)

    @property
    def verified_grade(self) -> Grade | None:
        """What the visible tests said of the tree as it stands, if they were run on it."""
        known = self._verdicts.get(self._tree)
        return known[1] if known else None

    @property
    def _tree(self) -> Tree:
        return frozenset(edit.key for edit in self.patches)

    def observe(self) -> Observation:
        """What the student knows now, and what it may do."""
        return Observation(
            instruction=self.task.instruction,
            context=(*self._failures, *self._events[-_SHOWN_EVENTS:], self._symptoms, self._state_line()),
            actions=tuple(self._actions()),
            steps_left=self._budgets.steps - self._steps,
        )

    def take(self, action: Action) -> StepResult:
        """Carry out an admissible action."""
        self._steps += 1
        handlers: dict[str, Callable[[Action], str]] = {
            READ: self._read,
            PATCH: self._patch,
            REVERT: self._revert,
            VERIFY: self._verify,
            STOP: lambda _: self._end(StopReason.STOPPED),
            HANDOFF: lambda _: self._end(StopReason.HANDED_OFF),
        }
        text = handlers[action.verb](action)
        self._events.append(f"{action.verb} {action.target} {text}")
        if self.stop_reason is None and self._steps >= self._budgets.steps:
            self.stop_reason = StopReason.OUT_OF_STEPS
        return StepResult(status=StepStatus.OK, text=text)

    def _actions(self) -> list[Action]:
        actions = [self._read_action(path) for path in sorted(self.task.files) if path not in self._opened]
        unverified = bool(self._patches) and self._tree not in self._verdicts
        if unverified:
            actions.append(Action(verb=VERIFY))
        elif self._patches:
            actions.append(Action(verb=REVERT, target=self._patches[-1].action.target))
        actions += [Action(verb=STOP), Action(verb=HANDOFF)]
        spent = self.verifications >= self._budgets.verifications
        if not spent and not unverified and self._opened and len(self._patches) < self._budgets.patches:
            actions += self._patch_actions()
        return actions

    def _read_action(self, path: str) -> Action:
        values = sorted(self.task.suspicion.get(path, {}).values(), reverse=True)
        best = max((max(v.values(), default=0.0) for v in self.task.suspicion.values()), default=0.0)
        top = values[0] if values else 0.0
        return Action(
            verb=READ,
            target=path,
            notes=f"susp:{top:.2f} susp_of_best:{top / best if best else 0:.2f} "
            f"lines:{min(1.0, len(values) / 40):.2f}",
            payload={"share": top / best if best else 0.0},
        )

    def _patch_actions(self) -> list[Action]:
        actions = []
        for candidate in self._candidates(self._opened):
            edit = candidate.edit
            if any(overlap(edit, patch) for patch in self.patches):
                continue
            if self._tree | {edit.key} in self._verdicts:
                continue
            actions.append(self._with_what_was_tried(candidate))
        return actions

    def _with_what_was_tried(self, candidate: Candidate) -> Action:
        """The candidate's action with what came of earlier patches on its line and in its function."""
        notes = []
        for name, place in candidate.places:
            if tried := self._tried.get(place):
                seen = " ".join(sorted({f"#{name}_{verdict}" for verdict in tried}))
                notes.append(f"{name}_tried:{min(1.0, len(tried) / 5):.1f} {seen}")
        if not notes:
            return candidate.action
        text = " ".join([candidate.action.notes, *notes])
        known = self._noted.get(candidate.edit.key)
        if known is None or known.notes != text:
            # One object for as long as nothing changes: an episode holds every observation.
            known = self._noted[candidate.edit.key] = candidate.action.model_copy(update={"notes": text})
        return known

    def _read(self, action: Action) -> str:
        self._opened |= {action.target}
        return f"{len(self.task.files[action.target].splitlines())} lines"

    def _patch(self, action: Action) -> str:
        key = (action.payload or {})["edit"]
        chosen = next(c for c in self._candidates(self._opened) if c.edit.key == key)
        self._patches.append(chosen)
        return f"{chosen.edit.template} {chosen.edit.before} => {chosen.edit.after}"

    def _revert(self, _: Action) -> str:
        return f"undone {self._patches.pop().edit.template}"

    def _verify(self, _: Action) -> str:
        self.verifications += 1
        result = self._verify_tree(self.files)
        graded = grade(self.task.baseline, result)
        verdict = self._verdict(graded, result)
        self._verdicts[self._tree] = (verdict, graded)
        for _name, place in self._patches[-1].places:
            self._tried.setdefault(place, []).append(verdict)
        return (
            f"{verdict} fixed {len(graded.fixed)} still failing {len(graded.still_failing)} "
            f"newly failing {len(graded.broken)}"
        )

    def _verdict(self, graded: Grade, result: VerificationResult) -> Verdict:
        if graded.reason is GradeReason.ALL_FIXED:
            return Verdict.ALL_PASS
        if graded.reason in _BROKEN:
            return Verdict.BROKEN
        if graded.broken:
            return Verdict.REGRESSED
        if graded.fixed:
            return Verdict.IMPROVED
        after = {
            node: (report.exception, report.message, report.actual)
            for node, report in result.reports.items()
            if report.outcome is not TestOutcome.PASSED
        }
        return Verdict.SAME if after == self._messages else Verdict.CHANGED

    def _end(self, reason: StopReason) -> str:
        self.stop_reason = reason
        return ""

    def _state_line(self) -> str:
        known = self._verdicts.get(self._tree)
        if known:
            state = f"#{known[0]}"
        elif self._patches:
            state = "#unverified"
        else:
            state = "#clean" if self._opened else "#unopened"
        # One tag for the whole state, so that what is learned of one state does not leak into another.
        left = self._budgets.verifications - self.verifications
        steps_left = self._budgets.steps - self._steps
        ending = ":spent" if left <= 0 else ":last" if steps_left < _ONE_TRY else ""
        return (
            f"state {state}{ending} patches:{len(self._patches) / 3:.1f} "
            f"verifications_left:{left / 10:.1f} steps_left:{steps_left / 30:.1f}"
        )
