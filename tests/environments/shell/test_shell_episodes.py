"""Whole repair episodes on a really generated task, in the real sandbox."""

from collections.abc import Iterator, Sequence

import pytest

from rlaios_core.environments import Play
from rlaios_core.environments.shell import create
from rlaios_core.environments.shell.environment import ShellEnvironment
from rlaios_core.schema import (
    HANDOFF,
    STOP,
    VERIFY,
    Decision,
    Episode,
    Observation,
    Outcome,
    Split,
    StopReason,
    Task,
)
from rlaios_core.student import StudentSettings, new_checkpoint
from rlaios_core.teachers.gateway import ReplayedSolution

PLAY = Play("test", 1, "me", seed=11)


@pytest.fixture(scope="module")
def shell() -> Iterator[ShellEnvironment]:
    environment = create(workers=1)
    yield environment
    environment.close()


@pytest.fixture(scope="module")
def task(shell: ShellEnvironment) -> Task:
    """A task whose reference solution is on offer."""
    tasks = (shell.sample_task(Split.TRAIN, index, seed=77) for index in range(20))
    return next(task for task in tasks if shell.reference_solution(task).keys)


class Scripted:
    """Takes an action of each wanted verb in turn (the most suspicious file), and keeps what it saw."""

    def __init__(self, *verbs: str) -> None:
        self.verbs = list(verbs)
        self.seen: list[Observation] = []

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        observation = observations[0]
        self.seen.append(observation)
        wanted = self.verbs.pop(0) if self.verbs else STOP
        offered = [i for i, action in enumerate(observation.actions) if action.verb == wanted]
        chosen = max(offered, key=lambda i: (observation.actions[i].payload or {}).get("share", 0.0))
        return [
            Decision(chosen, 0.0, tuple(float(i == chosen) for i in range(len(observation.actions))), 0.0)
        ]


def verbs(observation: Observation) -> set[str]:
    return {action.verb for action in observation.actions}


def test_what_is_not_read_is_not_known(shell: ShellEnvironment, task: Task) -> None:
    policy = Scripted("read")
    episode = shell.run_episode(task, policy, PLAY)
    before, after = policy.seen
    assert verbs(before) == {"read", STOP, HANDOFF}
    opened = episode.trajectory[0].action.target
    patched = {a.target.rsplit(":", 1)[0] for a in after.actions if a.verb == "patch"}
    assert patched <= {opened}


def test_the_reference_earns_the_whole_reward(shell: ShellEnvironment, task: Task) -> None:
    episode = shell.run_episode(task, ReplayedSolution(shell.reference_solution(task).keys), PLAY)
    assert (episode.outcome, episode.terminal_reward) == (Outcome.SUCCESS, 1.0)
    assert episode.stop_reason is StopReason.STOPPED
    assert episode.evidence["verifications"] == 1


def test_a_recovery_goes_along_undoes_and_repairs(shell: ShellEnvironment, task: Task) -> None:
    """Whatever step it takes over at, the way out of a failed episode is really a way out."""
    taken_over = set()
    for attempt in range(6):
        play = Play("test", 1, "me", seed=11, attempt=attempt)
        verbs_ = ("read", "patch", VERIFY, "revert", "patch", VERIFY)
        failed = shell.run_episode(task, Scripted(*verbs_), play)
        solution = shell.reference_solution(task, failed)
        taken_over.add(solution.own_steps)
        episode = shell.run_episode(task, ReplayedSolution(solution.keys), play)
        assert episode.outcome is Outcome.SUCCESS
        own = [step.action.key for step in failed.trajectory[: solution.own_steps]]
        assert [step.action.key for step in episode.trajectory[: solution.own_steps]] == own
    assert len(taken_over) > 1


@pytest.mark.parametrize("verb", [STOP, HANDOFF])
def test_leaving_the_project_as_it_was_earns_nothing(shell: ShellEnvironment, task: Task, verb: str) -> None:
    episode = shell.run_episode(task, Scripted(verb), PLAY)
    assert (episode.outcome, episode.terminal_reward) == (Outcome.FAILURE, 0.0)


def test_handing_a_repaired_project_off_is_no_success(shell: ShellEnvironment, task: Task) -> None:
    keys = [*shell.reference_solution(task).keys[:-1]]

    class RepairThenHandOff(ReplayedSolution):
        def _next(self, observation: Observation) -> Decision:
            if self._keys:
                return super()._next(observation)
            return Scripted(HANDOFF).act([observation], [0])[0]

    episode = shell.run_episode(task, RepairThenHandOff(keys), PLAY)
    assert (episode.outcome, episode.terminal_reward) == (Outcome.FAILURE, 0.0)


def test_a_patch_is_verified_once_and_then_reverted(shell: ShellEnvironment, task: Task) -> None:
    policy = Scripted("read", "patch", VERIFY, "revert")
    episode = shell.run_episode(task, policy, PLAY)
    clean, patched, verified, reverted = policy.seen[1:5]
    tried = episode.trajectory[1].action.key
    assert VERIFY not in verbs(clean)
    assert verbs(patched) <= {"read", VERIFY, STOP, HANDOFF}
    assert VERIFY in verbs(patched)
    assert VERIFY not in verbs(verified)
    assert {"revert", "patch"} <= verbs(verified)
    assert tried not in {action.key for action in reverted.actions}
    assert {a.key for a in clean.actions} - {a.key for a in reverted.actions} == {tried}
    assert episode.terminal_reward == 0.0


def test_the_line_and_the_function_of_a_tried_patch_are_noted(shell: ShellEnvironment, task: Task) -> None:
    policy = Scripted("read", "patch", VERIFY, "revert")
    episode = shell.run_episode(task, policy, PLAY)
    line = episode.trajectory[1].action.target
    noted = [a for a in policy.seen[-1].actions if a.verb == "patch" and a.target == line]
    assert all("line_tried:" in action.notes for action in noted)
    assert any("function_tried:" in a.notes and "line_tried:" not in a.notes for a in policy.seen[-1].actions)


def test_verifications_and_steps_are_bounded(shell: ShellEnvironment, task: Task) -> None:
    policy = Scripted("read", "patch", VERIFY, *(["revert", "patch", VERIFY] * 9))
    episode = shell.run_episode(task, policy, PLAY)
    assert len(episode.trajectory) == 30
    assert episode.evidence["verifications"] == 10
    assert episode.stop_reason is StopReason.OUT_OF_STEPS


def test_a_last_tree_that_was_not_verified_counts_as_an_attempt(shell: ShellEnvironment, task: Task) -> None:
    episode = shell.run_episode(task, Scripted("read", "patch"), PLAY)
    assert episode.evidence["verifications"] == 1


def test_the_student_never_sees_the_answer(shell: ShellEnvironment, task: Task) -> None:
    policy = Scripted("read")
    shell.run_episode(task, policy, PLAY)
    for observation in policy.seen:
        text = " ".join(
            [observation.instruction, *observation.context, *(a.text for a in observation.actions)]
        )
        assert "true_group" not in text
        assert "reference" not in text


def test_equal_seeds_play_equal_episodes(shell: ShellEnvironment, task: Task) -> None:
    student = new_checkpoint(StudentSettings(width=16, heads=2, layers=1, hidden=16), 0).student

    def moves(play: Play) -> list[str]:
        episode: Episode = shell.run_episode(task, student, play)
        return [step.action.key for step in episode.trajectory]

    assert moves(PLAY) == moves(PLAY)


def test_a_task_depends_on_its_position_alone(shell: ShellEnvironment) -> None:
    late = shell.sample_task(Split.TRAIN, 3, seed=77)
    again = shell.sample_task(Split.TRAIN, 3, seed=77)
    assert late == again
    assert late.task_id != shell.sample_task(Split.TRAIN, 3, seed=78).task_id


def test_the_oracle_and_the_heuristic_play_by_the_same_rules(shell: ShellEnvironment, task: Task) -> None:
    for name, policy in shell.baselines([task]).items():
        episode = shell.run_episode(task, policy, PLAY)
        assert episode.evidence["verifications"] <= 10, name
        assert len(episode.trajectory) <= 30, name
    assert shell.run_episode(task, shell.baselines([task])["oracle"], PLAY).outcome is Outcome.SUCCESS
