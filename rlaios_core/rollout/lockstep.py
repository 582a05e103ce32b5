"""Many episodes at once, one batched forward pass a round, the same result at any speed.

Each episode runs on a thread of its own. A round waits until every live episode either asks for a
decision or ends, then evaluates the waiting observations in the order of their assignments. The
composition of every batch, and with it every bit of the numbers, depends on the episodes only.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NoReturn, Protocol, runtime_checkable

from rlaios_core.environments import Environment, EnvironmentFault, Play
from rlaios_core.schema import (
    Decision,
    Episode,
    EpisodeFault,
    FaultBoundary,
    Observation,
    Policy,
    Task,
    content_hash,
)


@dataclass(frozen=True)
class Assignment:
    """One episode to play: `play.checkpoint_id` names the policy that plays it."""

    task: Task
    play: Play


@dataclass(frozen=True)
class RolloutSettings:
    """`concurrency` episodes at once; past `deadline_seconds` what is missing becomes faults."""

    concurrency: int = 64
    deadline_seconds: float = 900.0


@runtime_checkable
class LimitsConcurrency(Protocol):
    """An environment that can hold only so many episodes at once, whatever a campaign asks for."""

    @property
    def concurrency(self) -> int:
        """Episodes at once, at least 1."""
        ...


class _Cancelled(Exception):
    """The batch's deadline passed, or another thread of it failed."""


class _Round:
    """Gathers the live episodes' questions and answers them together."""

    def __init__(self, policies: Mapping[str, Policy], deadline: float) -> None:
        self._policies = policies
        self._deadline = deadline
        self._condition = threading.Condition()
        self._live: set[int] = set()
        self._questions: dict[int, tuple[str, Observation, int]] = {}
        self._answers: dict[int, Decision] = {}
        self._error: Exception | None = None

    def enter(self, slots: Sequence[int]) -> None:
        """Announce the episodes of this wave before any of them starts."""
        with self._condition:
            self._live.update(slots)

    def leave(self, slot: int) -> None:
        """An episode ended; the rest need not wait for it."""
        with self._condition:
            self._live.discard(slot)
            self._answer_if_complete()

    def ask(self, slot: int, checkpoint_id: str, observation: Observation, seed: int) -> Decision:
        """Wait for the round and return this episode's decision."""
        with self._condition:
            if time.monotonic() >= self._deadline:
                self._give_up(slot)
            self._questions[slot] = (checkpoint_id, observation, seed)
            self._answer_if_complete()
            while slot not in self._answers:
                if self._error is not None:
                    raise EnvironmentFault(FaultBoundary.POLICY, str(self._error)) from self._error
                remaining = self._deadline - time.monotonic()
                if remaining <= 0 or not self._condition.wait(remaining):
                    self._give_up(slot)
            return self._answers.pop(slot)

    def _give_up(self, slot: int) -> NoReturn:
        self._live.discard(slot)
        self._questions.pop(slot, None)
        raise _Cancelled

    def _answer_if_complete(self) -> None:
        if not self._questions or len(self._questions) < len(self._live):
            return
        by_checkpoint: dict[str, list[int]] = {}
        for slot in sorted(self._questions):
            by_checkpoint.setdefault(self._questions[slot][0], []).append(slot)
        try:
            for checkpoint_id, slots in sorted(by_checkpoint.items()):
                asked = [self._questions[slot] for slot in slots]
                decisions = self._policies[checkpoint_id].act(
                    [observation for _, observation, _ in asked], [seed for _, _, seed in asked]
                )
                self._answers.update(zip(slots, decisions, strict=True))
        except (ArithmeticError, RuntimeError, ValueError) as error:
            # The policy failed, not the episodes: each records it as a fault of its own.
            self._error = error
        self._questions.clear()
        self._condition.notify_all()


class _SeatedPolicy:
    """The policy as one episode sees it: a seat in the round."""

    def __init__(self, round_: _Round, slot: int, checkpoint_id: str) -> None:
        self._round = round_
        self._slot = slot
        self._checkpoint_id = checkpoint_id

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        return [
            self._round.ask(self._slot, self._checkpoint_id, observation, seed)
            for observation, seed in zip(observations, seeds, strict=True)
        ]


def at_once(environment: Environment, settings: RolloutSettings) -> int:
    """Episodes that may run at once: a round waits for all of them, so none may wait for another's place."""
    if isinstance(environment, LimitsConcurrency):
        return min(settings.concurrency, environment.concurrency)
    return settings.concurrency


def play_all(
    environment: Environment,
    assignments: Sequence[Assignment],
    policies: Mapping[str, Policy],
    settings: RolloutSettings | None = None,
    on_done: Callable[[Episode | EpisodeFault], None] = lambda _: None,
) -> list[Episode | EpisodeFault]:
    """Play every assignment; the results are in the assignments' order.

    `policies` are by checkpoint id. `on_done` hears of each result as it comes, from several threads.
    Infrastructure failures come back as faults; nothing an episode does stops the others.
    """
    settings = settings or RolloutSettings()
    deadline = time.monotonic() + settings.deadline_seconds
    results: list[Episode | EpisodeFault] = []
    size = at_once(environment, settings)
    for start in range(0, len(assignments), size):
        wave = assignments[start : start + size]
        round_ = _Round(policies, deadline)
        round_.enter(range(len(wave)))
        with ThreadPoolExecutor(max_workers=len(wave), thread_name_prefix="episode") as threads:
            futures = [
                threads.submit(_play_one, environment, assignment, round_, slot, on_done)
                for slot, assignment in enumerate(wave)
            ]
            results.extend(future.result() for future in futures)
    return results


def _play_one(
    environment: Environment,
    assignment: Assignment,
    round_: _Round,
    slot: int,
    on_done: Callable[[Episode | EpisodeFault], None],
) -> Episode | EpisodeFault:
    """Play one episode; the one place where what escapes an environment is recorded."""
    policy = _SeatedPolicy(round_, slot, assignment.play.checkpoint_id)
    result: Episode | EpisodeFault
    try:
        result = environment.run_episode(assignment.task, policy, assignment.play)
    except _Cancelled:
        result = _fault(environment, assignment, FaultBoundary.DEADLINE, "the batch's deadline passed")
    except EnvironmentFault as fault:
        result = _fault(environment, assignment, fault.boundary, fault.message, fault.steps_played)
    except Exception as error:  # noqa: BLE001 - a bad episode is data, not a crash of the batch
        result = _fault(
            environment, assignment, FaultBoundary.ENVIRONMENT, f"{type(error).__name__}: {error}"
        )
    finally:
        round_.leave(slot)
    on_done(result)
    return result


def _fault(
    environment: Environment, assignment: Assignment, boundary: FaultBoundary, message: str, steps: int = 0
) -> EpisodeFault:
    play, task = assignment.play, assignment.task
    position = [play.campaign, play.epoch, environment.name, task.task_id, play.attempt, play.checkpoint_id]
    return EpisodeFault(
        fault_id="fault-" + content_hash(position),
        campaign=play.campaign,
        epoch=play.epoch,
        environment=environment.name,
        task_id=task.task_id,
        seed=play.seed,
        attempt=play.attempt,
        checkpoint_id=play.checkpoint_id,
        boundary=boundary,
        message=message,
        steps_played=steps,
    )
