"""The patches that may be tried in the opened files, as actions the student can read.

Candidates are made once per task and set of opened files; what was tried since is noted per step.
"""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rlaios_core.environments.shell.bugs import FailingReport, ShellTask
from rlaios_core.environments.shell.evidence import frame_lines
from rlaios_core.environments.shell.repair import Edit, Offers, ProjectContext
from rlaios_core.environments.shell.repair.source import parse_module
from rlaios_core.schema import Action

PATCH = "patch"
READ = "read"


@dataclass(frozen=True)
class Candidate:
    """An edit against the files as they were at the start, the action that makes it, and its function."""

    edit: Edit
    action: Action
    function: str

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """Where the edit is, from near to far: its line and its function, with what to call them."""
        path = self.edit.path
        return (("line", f"{path}:{self.edit.line}"), ("function", f"{path}:{self.function}"))


def patch_action(edit: Edit, nth: int, notes: Sequence[str], payload: dict[str, Any]) -> Action:
    """The action of making an edit; `nth` counts equal changes at several places of one line."""
    place = "" if nth == 1 else f" ({nth})"
    return Action(
        verb=PATCH,
        target=f"{edit.path}:{edit.line}",
        argument=f"{edit.before} => {edit.after}{place}",
        notes=" ".join(notes),
        payload={"edit": edit.key, "template": str(edit.template), "prior": edit.prior, **payload},
    )


class TaskCandidates:
    """A task, and the patches that may be tried once given files are opened. Thread-safe.

    Both sides of a matched pair, and the teacher after them, ask for the same ones: they are made once.
    """

    def __init__(self, task: ShellTask, limit: int) -> None:
        self.task = task
        self._limit = limit
        self._made: dict[frozenset[str], list[Candidate]] = {}
        self._lock = threading.Lock()

    def __call__(self, opened: frozenset[str]) -> list[Candidate]:
        """At most `limit` candidates in the opened files, on lines that failing tests execute."""
        with self._lock:
            if opened not in self._made:
                self._made[opened] = self._make(opened)
            return self._made[opened]

    def templates(self, opened: frozenset[str]) -> list[str]:
        """The templates of the candidates in the opened files, in order."""
        with self._lock:
            return [str(edit.template) for edit in self._offers.selected(opened)]

    @cached_property
    def _suspicion(self) -> Mapping[tuple[str, int], float]:
        lines = self.task.suspicion.items()
        return {(path, line): value for path, found in lines for line, value in found.items()}

    @cached_property
    def _offers(self) -> Offers:
        context = ProjectContext.build(self.task.files)
        return Offers(self.task.files, self._suspicion, self._limit, context=context)

    @cached_property
    def _execution(self) -> Mapping[tuple[str, int], tuple[str, ...]]:
        return _execution_notes(self.task, self._suspicion)

    def _function(self, edit: Edit) -> str:
        scope = parse_module(edit.path, self.task.files[edit.path]).function_at(edit.start)
        return scope.qualname if scope else ""

    def _make(self, opened: frozenset[str]) -> list[Candidate]:
        true_groups = {(bug.path, bug.line, str(bug.template)) for bug in self.task.bugs}
        seen: Counter[tuple[str, int, str, str]] = Counter()
        found = []
        for edit in self._offers.within(opened):
            seen[edit.path, edit.line, edit.before, edit.after] += 1
            nth = seen[edit.path, edit.line, edit.before, edit.after]
            execution = self._execution[edit.path, edit.line]
            notes = [*edit.notes, *(f"#{tag}" for tag in edit.tags), *execution]
            payload = {
                "suspicion": self._suspicion[edit.path, edit.line],
                "true_group": (edit.path, edit.line, str(edit.template)) in true_groups,
            }
            found.append(Candidate(edit, patch_action(edit, nth, notes, payload), self._function(edit)))
        return found


def reference_edits(task: ShellTask, on_offer: Sequence[Candidate]) -> tuple[str, ...]:
    """Keys of the actions that make the reference's edits; empty when one of them is not on offer."""
    keys = []
    for wanted in task.reference:
        found = next((c for c in on_offer if c.edit.key == wanted.key), None)
        if found is None:
            return ()
        keys.append(found.action.key)
    return tuple(keys)


def read_key(path: str) -> str:
    """Key of the action that opens a file."""
    return Action(verb=READ, target=path).key


def _execution_notes(
    task: ShellTask, suspicion: Mapping[tuple[str, int], float]
) -> Mapping[tuple[str, int], tuple[str, ...]]:
    """Per line, what running the tests says of it."""
    ordered = sorted(suspicion.items(), key=lambda item: -item[1])
    best = ordered[0][1] if ordered else 1.0
    frames = frame_lines(task.failing)
    deepest = frame_lines(_raising(task))
    notes = {}
    for rank, ((path, line), value) in enumerate(ordered):
        failed, passed = task.covered.get(path, {}).get(line, (0, 0))
        notes[path, line] = (
            f"susp:{value:.2f}",
            f"susp_of_best:{value / best if best else 0:.2f}",
            f"rank:{min(1.0, rank / 50):.2f}",
            f"failing_share:{failed / max(1, len(task.failing)):.2f}",
            f"passing_hits:{min(1.0, passed / 20):.2f}",
            f"in_frames:{min(1.0, frames.get((path, line), 0) / max(1, len(task.failing))):.2f}",
            f"raised_here:{min(1, deepest.get((path, line), 0))}",
        )
    return notes


def _raising(task: ShellTask) -> list[FailingReport]:
    """The failing tests that raised, with only the innermost frame: where they raised."""
    return [
        report.model_copy(update={"frames": report.frames[-1:]})
        for report in task.failing
        if report.exception != "AssertionError"
    ]
