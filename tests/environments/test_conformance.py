"""The conformance kit passes the environments we ship and names what a broken one does wrong."""

import random
import subprocess
from collections.abc import Callable, Sequence

import pytest

from rlaios_core.environments import Environment, MatchedPair, Play
from rlaios_core.environments.conformance import CHECKS, check_environment
from rlaios_core.environments.orchestrator import create as create_orchestrator
from rlaios_core.environments.shell import create as create_shell
from rlaios_core.schema import Episode, Observation, Policy, Split, Task, content_hash
from tests.cli.toy import Scripted
from tests.worlds import ButtonWorld


class Buttons(ButtonWorld):
    """The button world with everything the kit looks at."""

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        task = super().sample_task(split, index, seed)
        payload = {**task.payload, "place": [split.value, index, seed]}
        return task.model_copy(update={"payload": payload, "task_id": "task-" + content_hash(payload)})

    def baselines(self, training_tasks: Sequence[Task]) -> dict[str, Policy]:
        return {"heuristic": Scripted(lambda observation: observation.actions[0].target)}


def failed(factory: Callable[[], Environment]) -> list[str]:
    return [finding.check for finding in check_environment(factory) if not finding.passed]


def test_a_small_world_conforms() -> None:
    findings = check_environment(Buttons)
    assert [finding for finding in findings if not finding.passed] == []
    assert len(findings) == len(CHECKS) + 1


class Drifting(Buttons):
    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        return super().sample_task(split, index, seed + random.Random().randrange(10**6))


class Leaking(Buttons):
    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        random.random()
        return super().sample_task(split, index, seed)


class OneSplit(Buttons):
    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        return super().sample_task(Split.TRAIN, index, seed).model_copy(update={"split": split})


class Lucky(Buttons):
    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        episode = super().run_episode(task, policy, play)
        return episode.model_copy(update={"terminal_reward": random.Random().random(), "reward": 0.5})


class Forgiving(Buttons):
    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        try:
            return super().run_episode(task, policy, play)
        except (RuntimeError, KeyError):
            return self._good

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        task = super().sample_task(split, index, seed)
        self._good = super().run_episode(task, Presses(), Play("conformance", 1, "random", 1))
        return task


class Presses:
    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list:
        return Scripted(lambda observation: observation.actions[0].target).act(observations, seeds)


class Generous(Buttons):
    def compare(self, pair: MatchedPair) -> tuple[float | None, float | None]:
        return 2.0, 0.0


class Misleading(Buttons):
    def reference_solution(self, task: Task, failed: Episode | None = None):
        solution = super().reference_solution(task)
        return solution._replace(keys=solution.keys[1:])


class Littering(Buttons):
    def __init__(self) -> None:
        super().__init__()
        self.left = subprocess.Popen(["/bin/sleep", "30"])
        LEFT.append(self.left)


LEFT: list[subprocess.Popen] = []


@pytest.mark.parametrize(
    ("world", "check"),
    [
        (Drifting, "sampling is deterministic"),
        (Leaking, "sampling has no side effects"),
        (OneSplit, "splits are disjoint"),
        (Lucky, "equal seeds give equal episodes"),
        (Forgiving, "failures are not outcomes"),
        (Generous, "comparison is normalised"),
        (Misleading, "references succeed"),
        (Littering, "close leaves no process"),
    ],
)
def test_what_is_broken_is_named(world: type[Buttons], check: str) -> None:
    try:
        assert check in failed(world)
    finally:
        for process in LEFT:
            process.kill()
            process.wait()
        LEFT.clear()


@pytest.mark.slow
def test_the_orchestrator_environment_conforms() -> None:
    assert failed(lambda: create_orchestrator(workers=2)) == []


@pytest.mark.slow
def test_the_shell_environment_conforms() -> None:
    assert failed(lambda: create_shell(workers=2)) == []
