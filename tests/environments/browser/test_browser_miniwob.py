"""The public tasks: a fixed list, divided once, each solvable by its script and equal for equal seeds."""

from collections.abc import Iterator

import pytest

from rlaios_core.environments import Play
from rlaios_core.environments.browser import create
from rlaios_core.environments.browser.environment import BrowserEnvironment
from rlaios_core.environments.browser.worlds.miniwob import (
    MiniWobSource,
    pages_folder,
    payload_of,
    task_lists,
)
from rlaios_core.schema import Split

PLAY = Play("test", 1, "me", seed=11)


def test_no_task_is_in_two_lists_and_every_page_is_there() -> None:
    lists = task_lists()
    every = [name for names in lists.values() for name in names]
    assert len(every) == len(set(every))
    assert all((pages_folder() / "miniwob" / f"{name}.html").is_file() for name in every)


def test_splits_differ_in_tasks_or_in_seeds() -> None:
    source = MiniWobSource()
    train, variant = (source.sample(split, 3, 1) for split in (Split.TRAIN, Split.HELD_OUT_VARIANT))
    assert train.family == variant.family
    assert train.payload["seed"] != variant.payload["seed"]
    assert {source.sample(Split.FINAL, i, 1).family for i in range(20)} == set(task_lists()["final"])


def test_what_is_to_be_entered_is_read_from_the_utterance() -> None:
    login = payload_of(
        'Enter the username "keli" and the password "3hI" into the text fields and press login.'
    )
    assert {name: entry.value for name, entry in login.items()} == {"username": "keli", "password": "3hI"}
    assert payload_of("Enter 09/10/2012 as the date and hit submit.")["date"].value == "09/10/2012"


@pytest.fixture(scope="module")
def miniwob() -> Iterator[BrowserEnvironment]:
    environment = create(source="miniwob", reset="soft", screenshots=0)
    yield environment
    environment.close()


@pytest.mark.slow
@pytest.mark.parametrize("split", [Split.TRAIN, Split.HELD_OUT, Split.FINAL])
def test_every_listed_task_is_solved_by_its_script(miniwob: BrowserEnvironment, split: Split) -> None:
    names = {Split.TRAIN: "train", Split.HELD_OUT: "held_out", Split.FINAL: "final"}[split]
    oracle = miniwob.baselines([])["oracle"]
    failed = []
    for index in range(2 * len(task_lists()[names])):
        task = miniwob.sample_task(split, index, seed=4)
        episode = miniwob.run_episode(task, oracle, PLAY)
        if not episode.success:
            failed.append((task.family, task.payload["seed"]))
    assert not failed


@pytest.mark.slow
def test_equal_seeds_give_equal_pages(miniwob: BrowserEnvironment) -> None:
    task = miniwob.sample_task(Split.TRAIN, 1, seed=4)
    oracle = miniwob.baselines([])["oracle"]
    one, two = (miniwob.run_episode(task, oracle, PLAY) for _ in range(2))
    assert [s.observation for s in one.trajectory] == [s.observation for s in two.trajectory]
