"""What an episode takes place in: one protocol for the bundled site, a person's flows and public tasks."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from rlaios_core.environments.browser.driver import EpisodePage, Look, Seat, StepView
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.rules import Rules
from rlaios_core.schema import Action, Split, Task

T = TypeVar("T")
Run = Callable[[Coroutine[Any, Any, T]], T]


@dataclass(frozen=True)
class Standing:
    """What is verified of the world: `done` of `total` milestones, forbidden acts, and whether it is over.

    `handoff_due` says that a person is rightly called now, `stop_is_right` that ending is as right. `score`
    in [-1, 1] replaces the milestones where a world grades itself.
    """

    done: int
    total: int
    violations: tuple[str, ...] = ()
    handoff_due: bool = False
    stop_is_right: bool = False
    ended: bool = False
    score: float | None = None

    @property
    def achieved(self) -> bool:
        """Whether the goal is reached and nothing forbidden was done."""
        if self.score is not None:
            return self.score > 0 and not self.violations
        return self.done >= self.total and not self.violations


class World(Protocol):
    """One episode's world."""

    rules: Rules
    budget: int

    @property
    def start_url(self) -> str:
        """Where the episode starts."""
        ...

    def seat(self) -> Seat:
        """The context it takes place in."""
        ...

    def pins(self) -> Mapping[str, str]:
        """What must be equal for two episodes of the task to be comparable."""
        ...

    def started(self, page: EpisodePage, view: StepView, run: "Run[Any]") -> StepView:
        """Bring the page to its start; `run` runs a coroutine of the page. Raises `DriverError`."""
        ...

    def observed(self, page: EpisodePage, view: StepView, run: "Run[Any]") -> None:
        """A step was taken: look at what the verdict needs."""
        ...

    def standing(self) -> Standing:
        """What is verified now."""
        ...

    def right_action(self, look: Look, actions: Sequence[Action], memory: Memory) -> int | None:
        """Which action the reference would take, by position; `None` where there is no reference."""
        ...

    @property
    def authentication(self) -> str:
        """The class of the authentication state: none, valid, expired, ..."""
        ...

    @property
    def wants_handoff(self) -> bool | None:
        """Whether the task rightly ends with a person; `None` where that is not known."""
        ...


class TaskSource(Protocol):
    """Where tasks come from."""

    name: str

    def hosts(self) -> tuple[str, ...]:
        """Hosts that the browser must be able to resolve."""
        ...

    def sample(self, split: Split, index: int, seed: int) -> Task:
        """The task at a position; no side effects."""
        ...

    def world(self, task: Task) -> AbstractContextManager[World]:
        """A fresh world for one episode of the task."""
        ...

    def close(self) -> None:
        """Release what was started."""
        ...
