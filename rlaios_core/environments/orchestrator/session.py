"""One episode of orchestration as the student sees it: what may be decided, and what is known afterwards."""

import random
import re
from dataclasses import dataclass
from typing import Any

from rlaios_core.environments.orchestrator.harness import (
    DISPATCH,
    PREFLIGHT,
    Context,
    ControlDecision,
    Evidence,
    Harness,
    Offer,
)
from rlaios_core.environments.orchestrator.record import Record
from rlaios_core.environments.orchestrator.reporting import bounded
from rlaios_core.schema import (
    HANDOFF,
    RETRY,
    STOP,
    VERIFY,
    Action,
    Observation,
    StepResult,
    StepStatus,
    StopReason,
)

_SHOWN_EVIDENCE = 8
_MAX_INTAKE = 12
_NOTE = re.compile(r"(?<!\S)([a-z_]+):([a-z]+|\d+)(?!\S)")
_SMALL = 9
_ENDINGS = {STOP: StopReason.STOPPED, HANDOFF: StopReason.HANDED_OFF}


@dataclass(frozen=True)
class _Event:
    decision: ControlDecision
    evidence: Evidence


class Session:
    """The state of one episode on an opened harness."""

    def __init__(self, harness: Harness, context: Context, steps: int, order: int, task_id: str) -> None:
        self._harness = harness
        self._context = context
        self._steps = steps
        self._order = order
        self._task_id = task_id
        self._events: list[_Event] = []
        self._taken = 0
        self.record = Record(snapshot=context.snapshot)
        self.stop_reason: StopReason | None = None

    def observe(self) -> Observation:
        """What the student knows now, and what it may decide."""
        intake = [bounded(line) for line in self._context.lines[:_MAX_INTAKE]]
        evidence = [_line(event) for event in self._events[-_SHOWN_EVIDENCE:]]
        return Observation(
            instruction=self._context.instruction,
            context=(*intake, *evidence, self._state_line()),
            actions=tuple(self._actions()),
            steps_left=self._steps - self._taken,
        )

    def take(self, action: Action) -> StepResult:
        """Carry out an admissible action. Raises what the harness raises."""
        self._taken += 1
        decision = ControlDecision(action.verb, action.target)
        if action.verb in _ENDINGS:
            self.stop_reason = _ENDINGS[action.verb]
            return StepResult(status=StepStatus.OK)
        evidence = self._harness.execute(decision)
        offer = self._offer(decision)
        self.record = self.record.after(decision, evidence, None if offer is None else offer.ability)
        self._events.append(_Event(decision, evidence))
        if self._taken >= self._steps:
            self.stop_reason = StopReason.OUT_OF_STEPS
        return StepResult(status=evidence.status, text=evidence.text)

    def _offer(self, decision: ControlDecision) -> Offer | None:
        offers = self._context.executors if decision.verb == DISPATCH else self._context.checks
        return next((offer for offer in offers if offer.name == decision.target), None)

    def _actions(self) -> list[Action]:
        context = self._context
        priced = [(ControlDecision(DISPATCH, offer.name), offer.cost) for offer in context.executors]
        priced += [(ControlDecision(PREFLIGHT, offer.name), offer.cost) for offer in context.checks]
        priced.append((ControlDecision(VERIFY), context.verify_cost))
        last = next((e.decision for e in reversed(self._events) if e.decision.verb == DISPATCH), None)
        offer = None if last is None else self._offer(last)
        if offer is not None:
            priced.append((ControlDecision(RETRY), offer.cost))
        actions = [self._action(decision, cost) for decision, cost in priced]
        payload: dict[str, Any] = {
            "task": self._task_id,
            "taken": [d.key for d in self.record.decisions],
        }
        actions += [
            Action(verb=STOP, notes="#stop", payload=payload),
            Action(verb=HANDOFF, notes="#handoff"),
        ]
        random.Random(self._order + self._taken).shuffle(actions)
        return actions

    def _action(self, decision: ControlDecision, cost: float) -> Action:
        left = self._context.budget - self.record.spent
        here = (decision.key, self.record.snapshot) in self.record.seen
        notes = [
            f"#{decision.verb}:{decision.target}" if decision.target else f"#{decision.verb}",
            f"cost:{cost / 10:.2f}",
            f"affordable:{int(cost <= left)}",
        ]
        if here:
            notes.append("#taken_here")
        return Action(verb=decision.verb, target=decision.target, notes=" ".join(notes))

    def _state_line(self) -> str:
        """Where things stand, as tags: the last decision with its exit code, and the numbers seen with it."""
        record, budget = self.record, self._context.budget
        tags = [f"#{name}:{_step(value)}" for name, value in self._intake_notes()]
        if self._events:
            event = self._events[-1]
            evidence = event.evidence
            at = f"{event.decision.verb}:{event.decision.target}"
            tags += [f"#after:{at}:{evidence.exit_code}", f"#exit:{evidence.exit_code}"]
            tags += [
                f"#{name}:{value:.0f}" for name, value in evidence.signals.items() if _telling(name, value)
            ]
        else:
            tags.append("#after:nothing")
        tags.append(f"#verified:{record.verified.replace(' ', '_') or 'unknown'}")
        tags.append(f"#retries:{min(3, record.retries)}")
        left = max(0.0, budget - record.spent)
        return (
            f"state {' '.join(tags)} budget_left:{left / 10:.2f} spent:{min(1.0, record.spent / budget):.2f} "
            f"steps_left:{(self._steps - self._taken) / 10:.1f}"
        )

    def _intake_notes(self) -> list[tuple[str, str]]:
        return [note for line in self._context.lines[:_MAX_INTAKE] for note in _NOTE.findall(line)]


def _line(event: _Event) -> str:
    decision, evidence = event.decision, event.evidence
    return bounded(
        f"{decision.verb} {decision.target} {evidence.status} exit_code:{evidence.exit_code} {evidence.text}"
    )


def _step(value: str) -> str:
    """A word as it is, a number as 0, 1 or more."""
    return "more" if value.isdigit() and int(value) > 1 else value


def _telling(name: str, value: float) -> bool:
    """Whether a number is a category rather than an amount."""
    return float(value).is_integer() and (0 <= value <= _SMALL or name == "http")
