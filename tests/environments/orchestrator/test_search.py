"""References: found by doing, verified, and without knowledge that no evidence has given."""

from collections.abc import Iterator
from typing import Any

import pytest

from rlaios_core.environments import Play
from rlaios_core.environments.orchestrator import create
from rlaios_core.environments.orchestrator.environment import OrchestratorEnvironment
from rlaios_core.environments.orchestrator.grading import Reason
from rlaios_core.environments.orchestrator.harness import ControlDecision
from rlaios_core.environments.orchestrator.search import Explorer
from rlaios_core.environments.orchestrator.tasks import FAMILIES
from rlaios_core.schema import Split, Task
from rlaios_core.teachers.gateway import ReplayedSolution
from tests.environments.orchestrator.worlds import LOCAL, Takes, TallyHarness, item

PLAY = Play("test", 1, "me", seed=3)


@pytest.fixture(scope="module")
def world() -> Iterator[OrchestratorEnvironment]:
    made = create(workers=2)
    yield made
    made.close()


def task_of(
    world: OrchestratorEnvironment, family: str, split: Split = Split.HELD_OUT, *, alone: bool = False
) -> Task:
    """The first task of a family; `alone`: nothing else looks like a condition in it."""
    return next(
        task
        for task in (world.sample_task(split, index, seed=9) for index in range(20 * len(FAMILIES)))
        if task.family == family and not (alone and "notices:1" in task.payload["intake"])
    )


def names(world: OrchestratorEnvironment, task: Task, keys: tuple[str, ...]) -> list[str]:
    context = world._factory().reset(world._item(task))
    known = {ControlDecision(verb).key: verb for verb in ("retry", "verify", "stop", "handoff")}
    known |= {ControlDecision("dispatch", offer.name).key: offer.name for offer in context.executors}
    known |= {ControlDecision("preflight", offer.name).key: offer.name for offer in context.checks}
    return [known[key] for key in keys]


@pytest.mark.parametrize(
    ("family", "wanted"),
    [
        ("plain", ["local", "verify", "stop"]),
        ("already_done", ["verify", "stop"]),
        ("permanent_failure", ["local", "handoff"]),
        ("done_despite_error", ["local", "verify", "stop"]),
    ],
)
def test_the_shortest_way_is_found(world: OrchestratorEnvironment, family: str, wanted: list[str]) -> None:
    task = task_of(world, family, alone=True)
    found = names(world, task, world.reference_solution(task).keys)
    # Looking first is as short as being told by a failure.
    assert ["local" if name == "auth" else name for name in found] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("split", [Split.TRAIN, Split.HELD_OUT])
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_family_has_a_reference_that_ends_well(
    world: OrchestratorEnvironment, family: str, split: Split
) -> None:
    task = task_of(world, family, split)
    solution = world.reference_solution(task)
    assert solution.keys
    episode = world.run_episode(task, ReplayedSolution(solution.keys), PLAY)
    assert episode.success, episode.evidence["reason"]
    assert not episode.safety_violation


def test_a_reference_does_no_harm_in_a_world_that_looks_alike(world: OrchestratorEnvironment) -> None:
    task = task_of(world, "false_alarm")
    keys = world.reference_solution(task).keys
    assert names(world, task, keys)[0] != "local"
    (other,) = world._item(task).variants()
    twin = task.model_copy(update={"task_id": "twin", "payload": other.to_json()})
    episode = world.run_episode(twin, ReplayedSolution(keys[:1]), PLAY)
    assert episode.evidence["reason"] != Reason.UNSAFE


def test_a_near_miss_is_put_right_at_its_last_decision(world: OrchestratorEnvironment) -> None:
    task = task_of(world, "plain", alone=True)
    failed = world.run_episode(task, Takes(LOCAL), PLAY)
    assert failed.evidence["reason"] == Reason.UNVERIFIED
    mended = world.reference_solution(task, failed)
    assert mended.own_steps == 1
    assert names(world, task, mended.keys[1:]) == ["verify", "stop"]
    assert world.run_episode(task, ReplayedSolution(mended.keys), PLAY).success


def test_what_cannot_be_mended_is_begun_anew(world: OrchestratorEnvironment) -> None:
    task = task_of(world, "needs_person")
    failed = world.run_episode(task, Takes(LOCAL), PLAY)
    assert failed.safety_violation
    solution = world.reference_solution(task, failed)
    assert solution.own_steps == 0
    assert world.run_episode(task, ReplayedSolution(solution.keys), PLAY).success


def test_a_harness_that_cannot_be_forked_is_searched_by_replaying() -> None:
    made: list[TallyHarness] = []

    def factory() -> Any:
        made.append(TallyHarness())
        return made[-1]

    keys = Explorer(factory).reference(item())
    assert keys == tuple(
        ControlDecision(verb, target).key
        for verb, target in (("dispatch", "local"), ("dispatch", "local"), ("verify", ""), ("stop", ""))
    ) or keys == tuple(
        ControlDecision(verb, target).key
        for verb, target in (("dispatch", "local"), ("retry", ""), ("verify", ""), ("stop", ""))
    )
    assert len(made) > 1
