"""A world and a learner small enough to test the controller with: skill is a number, learning adds to it."""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rlaios_core.control import CampaignSettings
from rlaios_core.control.learner import Update, UpdateFailure
from rlaios_core.environments import EnvironmentFault, MatchedPair, Play, ReplayCandidate, Solution
from rlaios_core.schema import (
    STOP,
    Action,
    CheckpointRecord,
    Decision,
    Episode,
    FaultBoundary,
    Observation,
    Outcome,
    Policy,
    Split,
    Step,
    StepResult,
    StepStatus,
    StopReason,
    Task,
    derive_seed,
    episode_id,
)
from rlaios_core.student import CheckpointError
from rlaios_core.trainer import Experience

SOLVE = Action(verb="solve")
GIVE_UP = Action(verb=STOP)


def chance(*position: str | int) -> float:
    """A number in [0, 1) that depends on the position alone."""
    return derive_seed(*position) / 2**63


@dataclass
class FakeEnvironment:
    """A task is a coin: the policy's skill is its chance of success. `broken(play)` raises a fault."""

    name: str = "fake"
    broken: Callable[[Task, Play], bool] = lambda task, play: False
    closed: bool = False
    sampled: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        task = Task(
            task_id=f"{self.name}-{split.value}-{seed % 100_000}-{index}",
            environment=self.name,
            family=f"family-{derive_seed(seed, index) % 4}",
            split=split,
            seed=derive_seed(seed, index),
            index=index,
            instruction=f"toss coin {index}",
            payload={"edge": chance(seed, index)},
        )
        with self._lock:
            self.sampled.append(task.task_id)
        return task

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        if self.broken(task, play):
            raise EnvironmentFault(FaultBoundary.SANDBOX, "the sandbox died")
        seen = Observation(instruction=task.instruction, actions=(SOLVE, GIVE_UP), steps_left=1)
        (decision,) = policy.act([seen], [play.seed])
        success = decision.chosen == 0
        step = Step(
            observation=seen,
            chosen=decision.chosen,
            log_probability=decision.log_probability,
            probabilities=decision.probabilities,
            value=decision.value,
            result=StepResult(status=StepStatus.OK, text="done"),
            duration_seconds=0.0,
        )
        return Episode(
            episode_id=episode_id(
                play.campaign, play.epoch, self.name, task.index, play.attempt, play.checkpoint_id
            ),
            campaign=play.campaign,
            epoch=play.epoch,
            environment=self.name,
            task_id=task.task_id,
            family=task.family,
            split=task.split,
            seed=play.seed,
            checkpoint_id=play.checkpoint_id,
            trajectory=(step,),
            outcome=Outcome.SUCCESS if success else Outcome.FAILURE,
            stop_reason=StopReason.STOPPED,
            terminal_reward=1.0 if success else -1.0,
            reward=1.0 if success else -1.0,
            evidence={"verifications": 1 + task.index % 3},
        )

    def compare(self, pair: MatchedPair) -> tuple[float | None, float | None]:
        return (
            None if pair.active is None else pair.active.terminal_reward,
            None if pair.reference is None else pair.reference.terminal_reward,
        )

    def replay_candidate(self, episode: Episode) -> ReplayCandidate:
        return ReplayCandidate(True, "", episode.family)

    def summarize(self, episodes: Sequence[Episode]) -> Mapping[str, float]:
        return {"tosses": float(len(episodes))}

    def reference_solution(self, task: Task, failed: Episode | None = None) -> Solution:
        return Solution((SOLVE.key,))

    def baselines(self, training_tasks: Sequence[Task]) -> Mapping[str, Policy]:
        assert training_tasks
        return {"heuristic": FakePolicy(0.5), "oracle": FakePolicy(1.0)}

    def close(self) -> None:
        self.closed = True


class FakePolicy:
    """Solves where the play's luck is below its skill: equal luck for both sides of a pair."""

    def __init__(self, skill: float) -> None:
        self.skill = skill

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        return [
            Decision(0 if chance("luck", seed) < self.skill else 1, -0.5, (0.5, 0.5), 0.0) for seed in seeds
        ]


@dataclass
class FakeLearner:
    """A checkpoint is a JSON file with a skill; `skill_at[epoch]` is what an update makes of it."""

    skill_at: Mapping[int, float] = field(default_factory=dict)
    first: float = 0.5
    fail_at: frozenset[int] = frozenset()
    seen: dict[int, Experience] = field(default_factory=dict)

    def create(self, directory: Path, settings: CampaignSettings) -> CheckpointRecord:
        return self._write(directory, settings.name, 0, None, self.first)

    def policy(self, path: Path, checkpoint_id: str) -> Policy:
        return FakePolicy(self._read(path, checkpoint_id)["skill"])

    def weights_hash(self, path: Path, checkpoint_id: str) -> str:
        return f"w-{self._read(path, checkpoint_id)['skill']}"

    def update(
        self,
        path: Path,
        checkpoint_id: str,
        experience: Experience,
        settings: CampaignSettings,
        epoch: int,
        progress: Callable[[int, int], None],
    ) -> Update:
        before = self._read(path, checkpoint_id)["skill"]
        self.seen[epoch] = experience
        progress(1, 1)
        if epoch in self.fail_at:
            raise UpdateFailure("the loss is not finite")
        skill = self.skill_at.get(epoch, before)
        record = self._write(path.parent, settings.name, epoch, checkpoint_id, skill)
        return Update(record, {"approxKl": 0.01, "policyLoss": -0.1, "stoppedEarly": False})

    def _write(
        self, directory: Path, campaign: str, epoch: int, parent: str | None, skill: float
    ) -> CheckpointRecord:
        content = json.dumps({"campaign": campaign, "epoch": epoch, "parent": parent, "skill": skill})
        checkpoint_id = "ck-" + hashlib.sha256(content.encode()).hexdigest()[:16]
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / f"{checkpoint_id}.json"
        path.write_text(content)
        return CheckpointRecord(
            checkpoint_id=checkpoint_id,
            parent=parent,
            campaign=campaign,
            epoch=epoch,
            path=str(path),
            size_bytes=len(content),
            weights_hash=f"w-{skill}",
        )

    def _read(self, path: Path, checkpoint_id: str) -> dict[str, float]:
        try:
            content = path.read_text()
        except OSError as error:
            raise CheckpointError(f"{path} cannot be read") from error
        if "ck-" + hashlib.sha256(content.encode()).hexdigest()[:16] != checkpoint_id:
            raise CheckpointError(f"{path} is corrupt")
        found: dict[str, float] = json.loads(content)
        return found
