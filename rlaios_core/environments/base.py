"""The environment protocol: five narrow calls, and the one error type of this boundary.

An environment owns execution only. It samples tasks, plays episodes, collects evidence, normalises
comparisons and summarises. It never sees rewards being fused, lanes, pointers or gradients.
Failure *in* the world is evidence in the episode; failure *of* the world is `EnvironmentFault`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from rlaios_core.schema import Episode, FaultBoundary, Policy, Split, Task


class EnvironmentFault(Exception):
    """Our own infrastructure failed: recorded as an `EpisodeFault`, never as a reward."""

    def __init__(self, boundary: FaultBoundary, message: str, steps_played: int = 0) -> None:
        super().__init__(message)
        self.boundary = boundary
        self.message = message
        self.steps_played = steps_played


class UnavailableError(Exception):
    """The environment cannot run here; the message says what is missing and how to mend it."""


@dataclass(frozen=True)
class Play:
    """Who plays an episode and where it belongs. `seed` fixes every random choice in it."""

    campaign: str
    epoch: int
    checkpoint_id: str
    seed: int
    attempt: int = 0


class MatchedPair(NamedTuple):
    """The same task, seed and attempt played by two checkpoints; `None` where a fault came instead."""

    task: Task
    active: Episode | None
    reference: Episode | None


class ReplayCandidate(NamedTuple):
    """What the replay pool needs to know of an episode: whether it is fit to learn from, and its kind.

    `diversity_key` groups episodes of one kind, so that rare kinds can be sampled first.
    """

    admissible: bool
    reason: str
    diversity_key: str


class Solution(NamedTuple):
    """Action keys in order. The first `own_steps` of them are a student's, replayed to get to where it erred:
    they are no part of what is taught.
    """

    keys: tuple[str, ...] = ()
    own_steps: int = 0


class Environment(Protocol):
    """One environment. All calls are thread-safe; `sample_task` and `summarize` have no side effects."""

    @property
    def name(self) -> str:
        """The environment's registered name."""
        ...

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        """The task at a position: equal arguments give an equal task, in any order and at any speed."""
        ...

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        """Play the task once. Raises `EnvironmentFault` when the world itself failed."""
        ...

    def compare(self, pair: MatchedPair) -> tuple[float | None, float | None]:
        """The verified scores of both sides in [-1, 1], `None` where a side cannot be scored."""
        ...

    def replay_candidate(self, episode: Episode) -> ReplayCandidate:
        """Whether the episode may be learned from."""
        ...

    def summarize(self, episodes: Sequence[Episode]) -> Mapping[str, float]:
        """The environment's own metrics over episodes, by name."""
        ...

    def close(self) -> None:
        """Release everything started; the environment is not used afterwards."""
        ...


@runtime_checkable
class ProvidesReference(Protocol):
    """An environment whose tasks come with a known solution."""

    def reference_solution(self, task: Task, failed: Episode | None = None) -> Solution:
        """Actions that solve the task when replayed from its start; none when there is no solution.

        After a failed episode the solution may begin with some of its steps and show the way out.
        """
        ...


@runtime_checkable
class ProvidesBaselines(Protocol):
    """An environment with scripted policies to measure a student against."""

    def baselines(self, training_tasks: Sequence[Task]) -> Mapping[str, Policy]:
        """Named policies (at least `heuristic`; `oracle` where one exists), fitted on training tasks only."""
        ...
