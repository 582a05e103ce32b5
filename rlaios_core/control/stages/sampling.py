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
