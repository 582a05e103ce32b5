"""Small work items and harnesses for tests."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from rlaios_core.environments.orchestrator.harness import (
    DISPATCH,
    PREFLIGHT,
    Context,
    ControlDecision,
    Evidence,
    HarnessError,
    Offer,
    WorldState,
)
from rlaios_core.environments.orchestrator.items import Ability, Check, Criterion, Executor, Job, WorkItem
from rlaios_core.environments.orchestrator.process_harness import ProcessHarness
from rlaios_core.environments.orchestrator.repairing import Repairer
from rlaios_core.environments.orchestrator.work.client import WorkPool
from rlaios_core.schema import RETRY, STOP, VERIFY, Decision, Observation, StepStatus

LOCAL = ControlDecision(DISPATCH, "local")
DRY_RUN = ControlDecision(DISPATCH, "dry-run")
SUBAGENT = ControlDecision(DISPATCH, "subagent")
HUMAN = ControlDecision(DISPATCH, "human")
LOOK = ControlDecision(VERIFY)
AGAIN = ControlDecision(RETRY)

EXECUTORS = (
    Executor(name="local", ability=Ability.PLAIN, cost=1.0),
    Executor(name="dry-run", ability=Ability.PREVIEW, cost=1.0),
    Executor(name="subagent", ability=Ability.CAPABLE, cost=4.0),
    Executor(name="human", ability=Ability.PERSON, cost=6.0),
)


def item(**changes: Any) -> WorkItem:
    """One job that writes a file, unless told otherwise."""
    fields: dict[str, Any] = {
        "name": "small",
        "template": "small",
        "family": "small",
        "instruction": "write the file",
        "intake": ("jobs:1",),
        "files": {"job.py": "open('made.txt', 'w').write('hello\\n')\nprint('written')\n"},
        "jobs": (Job(name="write", run=("python", "job.py")),),
        "checks": (Check(name="disk", run=("disk",)),),
        "executors": EXECUTORS,
        "expect": (Criterion(name="made.txt", kind="file", path="made.txt", equals="hello\n"),),
        "budget": 9.0,
    }
    return WorkItem(**{**fields, **changes})


def job(source: str, **changes: Any) -> WorkItem:
    """An item whose only job is a Python script."""
    return item(files={"job.py": source}, **changes)


@contextmanager
def harnesses(size: int = 1) -> Iterator[Any]:
    """A factory of default harnesses on a pool of their own."""
    pool, repairer = WorkPool(size), Repairer()
    try:
        yield lambda: ProcessHarness(pool, repairer)
    finally:
        pool.close()
        repairer.close()


class TallyHarness:
    """Anyone's orchestrator, in memory: dispatch counts up, done at two; `broken` says what it does wrong."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.item: WorkItem | None = None
        self.count = 0

    def reset(self, task: WorkItem) -> Context:
        self.item = task
        if self.broken != "reset keeps":
            self.count = 0
        return Context(
            instruction=task.instruction,
            lines=task.intake,
            executors=tuple(Offer(e.name, e.cost, e.ability) for e in task.executors),
            checks=tuple(Offer(c.name, c.cost) for c in task.checks),
            budget=task.budget,
            verify_cost=task.verify_cost,
            snapshot=f"s{self.count}",
        )

    def execute(self, decision: ControlDecision) -> Evidence:
        if self.item is None:
            raise HarnessError("nothing is open")
        if self.broken == "raises" and decision.verb == DISPATCH:
            raise RuntimeError("harness trouble")
        names = {
            DISPATCH: [e.name for e in self.item.executors],
            PREFLIGHT: [c.name for c in self.item.checks],
        }
        if decision.verb not in (DISPATCH, PREFLIGHT, RETRY, VERIFY):
            raise HarnessError("no such decision")
        if decision.target not in names.get(decision.verb, [""]):
            raise HarnessError("not on the menu")
        preview = decision.target == "dry-run" and self.broken != "preview works"
        if decision.verb in (DISPATCH, RETRY) and not preview and decision.target != "human":
            self.count += 1
        text = "x" * 5_000 if self.broken == "floods" else f"{decision.verb} count {self.count}"
        bad = decision.verb == VERIFY and self.count != 2
        return Evidence(StepStatus.OK, text, int(bad), cost=0.5, snapshot=f"s{self.count}")

    def verify(self) -> WorldState:
        if self.item is None:
            raise HarnessError("nothing is open")
        if self.broken == "verify raises":
            raise RuntimeError("the verifier is gone")
        return WorldState(
            missing=("two",) if self.count < 2 else (), excess=("two",) if self.count > 2 else ()
        )

    def close(self) -> None:
        self.item = None


class Takes:
    """A policy that takes decisions in order, then stops; keeps what it saw."""

    def __init__(self, *decisions: ControlDecision) -> None:
        self._decisions = list(decisions)
        self.seen: list[Observation] = []

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        observation = observations[0]
        self.seen.append(observation)
        wanted = self._decisions.pop(0) if self._decisions else ControlDecision(STOP)
        chosen = next(
            i for i, a in enumerate(observation.actions) if (a.verb, a.target) == (wanted.verb, wanted.target)
        )
        count = len(observation.actions)
        return [Decision(chosen, 0.0, tuple(float(i == chosen) for i in range(count)), 0.0)]


def timeless(evidence: Evidence) -> Evidence:
    return replace(evidence, seconds=0.0)


def service(**changes: Any) -> Mapping[str, Any]:
    """State of a service with one good credential."""
    return {
        "now": 1_000,
        "tokens": {"good": {"subject": "me", "expires": 2_000, "renewable": True}},
        "lockout": {"failures": 0, "limit": 3},
        "faults": [],
        "upstreams": {},
        "notices": [],
        "collections": {},
        "admin": "desk",
        **changes,
    }
