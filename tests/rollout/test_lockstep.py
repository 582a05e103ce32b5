import time
from collections.abc import Sequence

from rlaios_core.environments import Play
from rlaios_core.rollout import Assignment, RolloutSettings, play_all
from rlaios_core.schema import Decision, Episode, EpisodeFault, FaultBoundary, Observation, Split, Task
from rlaios_core.student import StudentSettings, new_checkpoint
from tests.worlds import ButtonWorld

SMALL = StudentSettings(width=16, heads=2, layers=1, hidden=16)


def assignments(world: ButtonWorld, count: int, checkpoint: str = "a") -> list[Assignment]:
    return [
        Assignment(world.sample_task(Split.TRAIN, i, 0), Play("c", 1, checkpoint, i)) for i in range(count)
    ]


class SlowWorld(ButtonWorld):
    """Takes its time with some tasks, so that threads finish in another order."""

    def run_episode(self, task: Task, policy, play: Play) -> Episode:
        time.sleep(0.02 * (task.index % 3))
        return super().run_episode(task, policy, play)


class RaisingWorld(ButtonWorld):
    """Fails in a way that nobody planned for."""

    def run_episode(self, task: Task, policy, play: Play) -> Episode:
        if task.index == 1:
            raise KeyError("lost")
        return super().run_episode(task, policy, play)


class FailingPolicy:
    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        raise ArithmeticError("not finite")


class SleepingPolicy:
    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        time.sleep(0.3)
        return [Decision(0, 0.0, (1.0,) + (0.0,) * (len(o.actions) - 1), 0.0) for o in observations]


def without_times(results):
    return [
        r.model_copy(
            update={
                "duration_seconds": 0.0,
                "trajectory": tuple(s.model_copy(update={"duration_seconds": 0.0}) for s in r.trajectory),
            }
        )
        for r in results
    ]


def test_speed_and_order_do_not_change_a_bit() -> None:
    student = new_checkpoint(SMALL, 0).student
    fast, slow = ButtonWorld(), SlowWorld()
    settings = RolloutSettings(concurrency=8)
    first = play_all(fast, assignments(fast, 20), {"a": student}, settings)
    second = play_all(slow, assignments(slow, 20), {"a": student}, settings)
    assert without_times(first) == without_times(second)


def test_results_come_in_the_order_of_the_assignments() -> None:
    world = SlowWorld()
    played = play_all(world, assignments(world, 10), {"a": new_checkpoint(SMALL, 0).student})
    assert [r.seed for r in played] == list(range(10))


def test_a_fault_of_one_episode_stops_no_other() -> None:
    world = ButtonWorld(broken_tasks=frozenset({2}))
    played = play_all(world, assignments(world, 5), {"a": new_checkpoint(SMALL, 0).student})
    assert [isinstance(r, EpisodeFault) for r in played] == [False, False, True, False, False]
    assert played[2].boundary is FaultBoundary.SANDBOX
    assert played[2].message == "the world is down"


def test_an_unplanned_error_is_a_fault_and_never_a_reward() -> None:
    world = RaisingWorld()
    played = play_all(world, assignments(world, 3), {"a": new_checkpoint(SMALL, 0).student})
    assert isinstance(played[1], EpisodeFault)
    assert played[1].boundary is FaultBoundary.ENVIRONMENT
    assert "KeyError" in played[1].message


def test_a_failing_policy_makes_faults_of_the_policy() -> None:
    world = ButtonWorld()
    played = play_all(world, assignments(world, 3), {"a": FailingPolicy()})
    assert {r.boundary for r in played if isinstance(r, EpisodeFault)} == {FaultBoundary.POLICY}
    assert len(played) == 3


def test_past_the_deadline_what_is_missing_becomes_faults() -> None:
    world = ButtonWorld()
    settings = RolloutSettings(deadline_seconds=0.1)
    played = play_all(world, assignments(world, 3), {"a": SleepingPolicy()}, settings)
    assert all(isinstance(r, EpisodeFault) and r.boundary is FaultBoundary.DEADLINE for r in played)


def test_both_sides_of_a_pair_play_in_one_round_with_their_own_weights() -> None:
    world = ButtonWorld()
    policies = {name: new_checkpoint(SMALL, seed).student for name, seed in (("a", 0), ("b", 1))}
    both = [
        x for pair in zip(assignments(world, 6, "a"), assignments(world, 6, "b"), strict=True) for x in pair
    ]
    played = play_all(world, both, policies)
    assert [r.checkpoint_id for r in played] == ["a", "b"] * 6
    alone = play_all(world, assignments(world, 6, "a"), {"a": policies["a"]})
    assert [r.terminal_reward for r in played[::2]] == [r.terminal_reward for r in alone]
