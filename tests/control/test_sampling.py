"""Drawing tasks that are not alike."""

import pytest

from rlaios_core.control.stages.sampling import SEARCHED, sample_distinct
from rlaios_core.schema import Split, Task


class Stream:
    """A world of which only the tasks matter: place i holds a task that is like `kinds[i]`."""

    name = "stream"

    def __init__(self, kinds: str) -> None:
        self._kinds = kinds
        self.asked: list[int] = []

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        self.asked.append(index)
        return Task(
            task_id=f"t{index}", environment=self.name, family="f", split=split, seed=seed, index=index,
            instruction="do it", likeness=self._kinds[index % len(self._kinds)], payload={},
        )  # fmt: skip


def drawn(kinds: str, count: int, first: int = 0) -> list[int]:
    tasks = sample_distinct(Stream(kinds), Split.TRAIN, count, 0, 2, first=first)  # type: ignore[arg-type]
    return [task.index for task in tasks]


@pytest.mark.parametrize(
    ("kinds", "count", "first", "expected"),
    [
        ("abcdef", 3, 0, [0, 1, 2]),
        ("aabacd", 4, 0, [0, 2, 4, 5]),
        ("aabacd", 2, 2, [2, 3]),
        ("ab", 3, 0, [0, 1, 2]),
        ("a", 2, 0, [0, 1]),
    ],
)
def test_alike_tasks_are_passed_over_until_there_are_no_others(
    kinds: str, count: int, first: int, expected: list[int]
) -> None:
    assert drawn(kinds, count, first) == expected


def test_a_search_is_bounded_and_reports_how_far_it_is() -> None:
    stream, said = Stream("a"), []
    sample_distinct(stream, Split.TRAIN, 4, 0, 1, said.append)  # type: ignore[arg-type]
    assert sorted(stream.asked) == list(range(4 * SEARCHED))
    assert said == [1, 2, 3, 4]
