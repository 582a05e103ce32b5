"""The harness protocol: what anyone's orchestrator has to offer for a student to be trained on it.

`reset` opens a work item, `execute` really carries out one decision and says what was seen, `verify` looks at
the world as it is, `close` releases everything. One harness plays one item at a time, in one thread. Failure
in the world is evidence; failure of the harness is `HarnessError`, which becomes an `EpisodeFault`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self, runtime_checkable

from rlaios_core.environments.orchestrator.items import Ability, WorkItem
from rlaios_core.schema import HANDOFF, RETRY, STOP, VERIFY, Action, StepStatus

DISPATCH = "dispatch"
PREFLIGHT = "preflight"
VERBS = (DISPATCH, PREFLIGHT, RETRY, VERIFY, STOP, HANDOFF)


class HarnessError(Exception):
    """The harness itself failed; says nothing about the decision."""


@dataclass(frozen=True)
class ControlDecision:
    """One decision: `target` names the executor or the check."""

    verb: str
    target: str = ""

    @property
    def key(self) -> str:
        """The key of the action that stands for it."""
        return Action(verb=self.verb, target=self.target).key


@dataclass(frozen=True)
class Offer:
    """One executor or check of the menu; `ability` is empty for a check."""

    name: str
    cost: float
    ability: Ability | None = None


@dataclass(frozen=True)
class Context:
    """What is known when an item is opened: bounded lines of text, and the menu."""

    instruction: str
    lines: tuple[str, ...]
    executors: tuple[Offer, ...]
    checks: tuple[Offer, ...]
    budget: float
    verify_cost: float = 0.0
    snapshot: str = ""
    """Hash of the world at the beginning, as in `Evidence`."""


@dataclass(frozen=True)
class Evidence:
    """What was seen of one decision: unedited output within a bound, and what was measured around it.

    `exit_code` is that of the last program (0 for none; negative for a signal); `signals` are numbers the
    harness measured or the program reported as `name:value`.
    """

    status: StepStatus
    text: str
    exit_code: int = 0
    signals: Mapping[str, float] = field(default_factory=dict)
    cost: float = 0.0
    seconds: float = 0.0
    snapshot: str = ""
    """Hash of the world after the decision; equal worlds have equal hashes."""


@dataclass(frozen=True)
class WorldState:
    """What a process of its own found in the world, whatever logs and exit codes say.

    `missing`: criteria that do not hold yet. `excess`: work that was done more often than once. `damage`:
    protected state that was changed without leave. `needs`: what only a person can settle and is still open.
    """

    missing: tuple[str, ...] = ()
    excess: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Everything that was asked for is there, once."""
        return not self.missing and not self.excess


class Harness(Protocol):
    """Anyone's orchestrator. All waits are bounded; equal items and decisions give equal evidence."""

    def reset(self, task: WorkItem) -> Context:
        """Open an item in a fresh world. Raises `HarnessError`."""
        ...

    def execute(self, decision: ControlDecision) -> Evidence:
        """Carry out a dispatch, preflight, retry or verify. Raises `HarnessError`."""
        ...

    def verify(self) -> WorldState:
        """Look at the world; changes nothing. Raises `HarnessError`."""
        ...

    def close(self) -> None:
        """Release everything; may be called twice."""
        ...


@runtime_checkable
class Forkable(Protocol):
    """A harness whose state can be split, so that a search need not begin anew each time."""

    def fork(self) -> Self:
        """A harness that goes on from here on its own."""
        ...


HarnessFactory = Callable[[], Harness]
