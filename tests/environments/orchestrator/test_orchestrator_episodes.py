"""Whole episodes: what is a fault, what is compared, what a campaign's metrics say."""

from collections.abc import Iterator
from typing import Any

import pytest

from rlaios_core.environments import EnvironmentFault, MatchedPair, Play, UnavailableError
from rlaios_core.environments.orchestrator import create
from rlaios_core.environments.orchestrator.environment import OrchestratorEnvironment
from rlaios_core.environments.orchestrator.items import WorkItem
from rlaios_core.rollout import Assignment, play_all
from rlaios_core.schema import (
    Episode,
    EpisodeFault,
    FaultBoundary,
    Outcome,
    Split,
    StopReason,
    Task,
)
from tests.environments.orchestrator.worlds import LOCAL, LOOK, Takes, TallyHarness, item

PLAY = Play("test", 1, "me", seed=3)


class OneItem:
    """Always the same item."""

    def __init__(self, work: WorkItem) -> None:
        self._work = work

    def item(self, split: Split, index: int, seed: int) -> WorkItem:
        return self._work


def tally(*broken: str) -> tuple[OrchestratorEnvironment, Task]:
    """An environment on in-memory harnesses, the first ones broken as told."""
    faults = list(broken)

    def factory() -> Any:
        return TallyHarness(faults.pop(0) if faults else "")

    world = OrchestratorEnvironment(factory, OneItem(item()))
    return world, world.sample_task(Split.TRAIN, 0, 0)


def test_success_is_done_and_verified() -> None:
    world, task = tally()
    episode = world.run_episode(task, Takes(LOCAL, LOCAL, LOOK), PLAY)
    assert episode.outcome is Outcome.SUCCESS
    assert episode.stop_reason is StopReason.STOPPED
    assert episode.evidence["cost"] == 1.5


@pytest.mark.parametrize("broken", ["raises", "verify raises"])
def test_a_harness_that_raises_twice_is_a_fault_and_never_a_reward(broken: str) -> None:
    world, task = tally(broken, broken)
    with pytest.raises(EnvironmentFault) as caught:
        world.run_episode(task, Takes(LOCAL, LOCAL), PLAY)
    assert caught.value.boundary is FaultBoundary.HARNESS
    assert "RuntimeError" in caught.value.message


def test_a_harness_that_raises_once_is_tried_again() -> None:
    world, task = tally("raises")
    episode = world.run_episode(task, Takes(LOCAL, LOCAL, LOCAL, LOOK), PLAY)
    assert episode.outcome is Outcome.SUCCESS
    assert len(episode.trajectory) == 4


def test_a_fault_is_recorded_by_the_rollout() -> None:
    world, task = tally("raises", "raises")
    (result,) = play_all(world, [Assignment(task, PLAY)], {"me": Takes(LOCAL, LOCAL)})
    assert isinstance(result, EpisodeFault)
    assert result.boundary is FaultBoundary.HARNESS


def test_the_policys_own_error_is_not_the_harnesss() -> None:
    class Raises:
        def act(self, *_: Any) -> Any:
            raise ArithmeticError("not finite")

    world, task = tally()
    with pytest.raises(ArithmeticError):
        world.run_episode(task, Raises(), PLAY)


def test_the_last_step_ends_the_episode() -> None:
    world, task = tally()
    episode = world.run_episode(task, Takes(*[LOOK] * 40), PLAY)
    assert episode.stop_reason is StopReason.OUT_OF_STEPS
    assert len(episode.trajectory) == 12
    assert episode.terminal_reward < -0.5


def test_a_damaged_task_is_refused() -> None:
    world, task = tally()
    with pytest.raises(ValueError, match="jobs"):
        world.run_episode(task.model_copy(update={"task_id": "x", "payload": {"name": "x"}}), Takes(), PLAY)


def pair() -> tuple[OrchestratorEnvironment, Task, Episode, Episode]:
    world, task = tally()
    good = world.run_episode(task, Takes(LOCAL, LOCAL, LOOK), PLAY)
    bad = world.run_episode(task, Takes(LOCAL), PLAY)
    return world, task, good, bad


def test_scores_follow_the_outcome() -> None:
    world, task, good, bad = pair()
    assert world.compare(MatchedPair(task, good, bad)) == (1.0, 0.0)
    assert world.compare(MatchedPair(task, None, bad)) == (None, 0.0)
    unsafe = bad.model_copy(update={"safety_violation": True})
    assert world.compare(MatchedPair(task, unsafe, good)) == (-1.0, 1.0)


def test_sides_with_other_pins_are_not_compared() -> None:
    world, task, good, bad = pair()
    for name in ("pinTask", "pinMenu"):
        other = bad.model_copy(update={"evidence": {**bad.evidence, name: "other"}})
        assert world.compare(MatchedPair(task, good, other)) == (None, None)


def test_sides_that_saw_other_inputs_or_evidence_are_not_compared() -> None:
    world, task, good, bad = pair()
    step = bad.trajectory[0]
    shown = step.observation.model_copy(update={"context": ("something else",)})
    others = (
        step.model_copy(update={"observation": shown}),
        step.model_copy(update={"result": step.result.model_copy(update={"text": "other evidence"})}),
    )
    for other in others:
        changed = bad.model_copy(update={"trajectory": (other, *bad.trajectory[1:])})
        assert world.compare(MatchedPair(task, good, changed)) == (None, None)


def test_rates_are_over_what_they_can_concern() -> None:
    world, _, good, bad = pair()
    needed = {"personNeeded": True, "missedHandoff": True, "retries": 2, "invalidRetries": 1}
    missed = bad.model_copy(update={"evidence": {**bad.evidence, **needed}})
    found = world.summarize([good, missed])
    assert found["success"] == 0.5
    assert found["missed_handoff"] == 1.0
    assert found["false_handoff"] == 0.0
    assert found["invalid_retry"] == 0.5
    assert "missed_handoff" not in world.summarize([good])
    assert world.summarize([]) == {}


def test_a_split_without_items_is_refused_in_words() -> None:
    world = create(workers=1)
    with pytest.raises(UnavailableError, match="held_out_operator"):
        world.sample_task(Split.HELD_OUT_OPERATOR, 0, 0)
    world.close()


@pytest.fixture(scope="module")
def real() -> Iterator[OrchestratorEnvironment]:
    world = create(workers=2)
    yield world
    world.close()


def test_real_episodes_show_exit_codes_and_numbers_as_tags(real: OrchestratorEnvironment) -> None:
    task = next(
        task
        for task in (real.sample_task(Split.TRAIN, index, seed=2) for index in range(22))
        if task.family == "missing_access"
    )
    policy = Takes(LOCAL)
    real.run_episode(task, policy, PLAY)
    state = policy.seen[-1].context[-1]
    assert "#after:dispatch:local:77" in state
    assert "#http:403" in state
    assert any("dispatch local error exit_code:77" in line for line in policy.seen[-1].context)


def test_baselines_differ(real: OrchestratorEnvironment) -> None:
    tasks = [real.sample_task(Split.TRAIN, index, seed=2) for index in range(8)]
    policies = real.baselines(tasks)
    assert set(policies) == {"random", "heuristic", "cautious", "oracle"}
    played = {
        name: [
            result
            for result in play_all(
                real, [Assignment(t, Play("test", 1, name, 5)) for t in tasks], {name: policy}
            )
            if isinstance(result, Episode)
        ]
        for name, policy in policies.items()
    }
    success = {name: real.summarize(episodes)["success"] for name, episodes in played.items()}
    assert success["oracle"] == 1.0
    assert success["oracle"] > max(success["random"], success["heuristic"], success["cautious"])
