"""Drawing tasks: by position, on several threads, in order."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, runtime_checkable

from rlaios_core.control.errors import CampaignError
from rlaios_core.environments import Environment, EnvironmentFault
from rlaios_core.schema import Split, Task

ATTEMPTS = 2
"""How often a task's place is tried: a hiccup of the machine is not a reason to stop a campaign."""
SEARCHED = 3
"""Places looked at for tasks that are not alike, for each one wanted."""


@runtime_checkable
class CountsRejections(Protocol):
    """An environment that counts the draws its admission gates refused, by reason, since it was made."""

    @property
    def rejections(self) -> Mapping[str, int]:
        """Refused draws so far."""
        ...


def rejected(environment: Environment) -> int:
    """Draws refused so far; 0 where the environment does not count them."""
    return sum(environment.rejections.values()) if isinstance(environment, CountsRejections) else 0


def attempts(task_ids: Iterable[str]) -> list[int]:
    """For each id how often it came before: a small task space repeats, and each time is an attempt."""
    seen: Counter[str] = Counter()
    numbers = []
    for task_id in task_ids:
        numbers.append(seen[task_id])
        seen[task_id] += 1
    return numbers


def sample_tasks(
    environment: Environment,
    split: Split,
    indices: Sequence[int],
    seed: int,
    workers: int,
    on_done: Callable[[int], None] = lambda done: None,
) -> list[Task]:
    """The tasks at `indices`, in order. Raises `CampaignError` when a task cannot be made."""
    tasks: list[Task] = []
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="sample") as threads:
        pending = [threads.submit(_sample, environment, split, index, seed) for index in indices]
        try:
            for future in pending:
                tasks.append(future.result())
                on_done(len(tasks))
        finally:
            for future in pending:
                future.cancel()
    return tasks


def sample_distinct(
    environment: Environment,
    split: Split,
    count: int,
    seed: int,
    workers: int,
    on_done: Callable[[int], None] = lambda done: None,
    *,
    first: int = 0,
) -> list[Task]:
    """The first `count` tasks from place `first` on of which no two are alike: each says something new.

    `SEARCHED` times as many places are looked at at most; where a small task space has no more to give, tasks
    come again.
    """
    kept: list[Task] = []
    passed_over: list[Task] = []
    seen: set[str] = set()
    place, end = first, first + SEARCHED * count
    while len(kept) < count and place < end:
        missing = min(count - len(kept), end - place)
        # The search for replacements is short; a bar that goes back would only confuse.
        done = on_done if place == first else _silent
        drawn = sample_tasks(environment, split, range(place, place + missing), seed, workers, done)
        place += missing
        for task in drawn:
            likeness = task.likeness or task.task_id
            (passed_over if likeness in seen else kept).append(task)
            seen.add(likeness)
    return [*kept, *passed_over[: count - len(kept)]]


def _silent(done: int) -> None:
    pass


def _sample(environment: Environment, split: Split, index: int, seed: int) -> Task:
    for attempt in range(ATTEMPTS):
        try:
            return environment.sample_task(split, index, seed)
        except EnvironmentFault as fault:
            if attempt == ATTEMPTS - 1:
                raise CampaignError(
                    f"environment {environment.name!r} cannot make its {split.value} task {index} "
                    f"({fault.boundary.value}: {fault.message}): mend that, then start again"
                ) from fault
    raise AssertionError("every attempt returns or raises")
