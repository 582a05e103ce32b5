"""The shell environment: repair a broken project, with its real tests deciding."""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from rlaios_core.environments.base import (
    EnvironmentFault,
    MatchedPair,
    Play,
    ReplayCandidate,
    Solution,
    UnavailableError,
)
from rlaios_core.environments.playing import play_out
from rlaios_core.environments.sandbox import SandboxError
from rlaios_core.environments.shell import baselines
from rlaios_core.environments.shell.bugs import (
    BenchmarkError,
    Rejections,
    ShellTask,
    duplicate_key,
    generate_task,
)
from rlaios_core.environments.shell.candidates import TaskCandidates
from rlaios_core.environments.shell.grading import Grade
from rlaios_core.environments.shell.measurement import Measurements
from rlaios_core.environments.shell.references import recovery
from rlaios_core.environments.shell.session import Budgets, Session
from rlaios_core.environments.shell.verification import VerificationPool
from rlaios_core.schema import (
    Episode,
    FaultBoundary,
    Outcome,
    Policy,
    Split,
    Step,
    StopReason,
    Task,
    episode_id,
)

NAME = "shell"
_REMEMBERED_TASKS = 256
"""Tasks whose candidates are kept, at up to a megabyte each: more than are ever in play at once."""
_SCORES = {Outcome.SUCCESS: 1.0, Outcome.PARTIAL: 0.25}


class ShellEnvironment:
    """Repairs of synthetic bugs in the bundled projects. Thread-safe."""

    name = NAME

    def __init__(
        self, pool: VerificationPool, budgets: Budgets | None = None, wall_seconds: float = 5.0
    ) -> None:
        self._pool = pool
        self._budgets = budgets or Budgets()
        self._measurements = Measurements(pool, wall_seconds)
        self._tasks: OrderedDict[str, TaskCandidates] = OrderedDict()
        self._lock = threading.Lock()
        self._rejections = Rejections()

    @property
    def rejections(self) -> Mapping[str, int]:
        """How many tried bugs each admission gate turned away so far."""
        return {str(reason): count for reason, count in self._rejections.counts.most_common()}

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        """The admitted task at this position; admission runs its tests several times.

        Raises `UnavailableError` for a missing or broken project, `EnvironmentFault` when the sandbox fails.
        """
        try:
            shell_task = generate_task(split, seed, index, self._pool, rejections=self._rejections)
        except SandboxError as error:
            raise EnvironmentFault(FaultBoundary.SANDBOX, str(error)) from error
        except BenchmarkError as error:
            raise UnavailableError(str(error)) from error
        payload = shell_task.model_dump(mode="json", by_alias=True)
        task = Task(
            task_id=f"shell-{shell_task.content_hash}",
            environment=NAME,
            family=shell_task.family,
            split=split,
            seed=seed,
            index=index,
            instruction=shell_task.instruction,
            likeness=duplicate_key(shell_task),
            payload=payload,
        )
        self._remember(task.task_id, shell_task)
        return task

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        """Play until the student stops, hands off or runs out of steps; then grade the tree."""
        started = time.monotonic()
        session = self._session(task)
        steps: list[Step] = []
        play_out(session, session.take, policy, play, steps)
        grade = self._measurements.final(session.task, session)
        return self._episode(task, play, session, tuple(steps), grade, time.monotonic() - started)

    def compare(self, pair: MatchedPair) -> tuple[float | None, float | None]:
        """Both sides' verified outcomes: 1 for a success, a quarter for a partial one, else 0.

        A patch that breaks something and a project left alone are both failures: were the first worth less
        here, as it is in the reward, a student that begins to try would be judged worse than an idle one.
        """
        return _score(pair.active), _score(pair.reference)

    def replay_candidate(self, episode: Episode) -> ReplayCandidate:
        """Any graded episode with at least one step may be learned from."""
        admissible = bool(episode.trajectory) and not episode.safety_violation
        return ReplayCandidate(admissible, "" if admissible else "nothing was done", episode.family)

    def summarize(self, episodes: Sequence[Episode]) -> Mapping[str, float]:
        """Success, partial, regression and hand-off shares, verifications and steps per episode."""
        if not episodes:
            return {}
        outcomes = [episode.outcome for episode in episodes]
        return {
            "success": _mean(o is Outcome.SUCCESS for o in outcomes),
            "partial": _mean(o is Outcome.PARTIAL for o in outcomes),
            "regression": _mean(e.terminal_reward < 0 for e in episodes),
            "handed_off": _mean(e.stop_reason is StopReason.HANDED_OFF for e in episodes),
            "verifications": _mean(float(e.evidence["verifications"] or 0) for e in episodes),
            "steps": _mean(len(e.trajectory) for e in episodes),
        }

    def reference_solution(self, task: Task, failed: Episode | None = None) -> Solution:
        """Read the broken files, make the reference edits, verify, stop; none when they are not on offer.

        After a failed episode the solution may go along with it up to one of its failed verifications,
        undo what is in place and go on from there.
        """
        known = self._known(task)
        return recovery(known.task, known, failed, self._budgets)

    def baselines(self, training_tasks: Sequence[Task]) -> Mapping[str, Policy]:
        """Random, Ochiai then prior, learned template rate (`heuristic`) and the line-and-template oracle."""
        training = []
        for task in training_tasks:
            # Not remembered: there are many, and none is played here.
            known = TaskCandidates(ShellTask.model_validate(task.payload), self._budgets.candidates)
            opened = frozenset(edit.path for edit in known.task.reference)
            templates = [str(edit.template) for edit in known.task.reference]
            training.append((known.templates(opened), templates))
        return {
            "random": baselines.ScriptedRepairer(baselines.random_score),
            "ochiai": baselines.ScriptedRepairer(baselines.ochiai_then_prior),
            "heuristic": baselines.ScriptedRepairer(baselines.template_rate(training)),
            "oracle": baselines.ScriptedRepairer(baselines.oracle),
        }

    def close(self) -> None:
        """End the verification servers."""
        self._pool.close()

    def _session(self, task: Task) -> Session:
        known = self._known(task)
        return Session(
            known.task, self._budgets, known, lambda files: self._measurements.visible(known.task, files)
        )

    def _episode(
        self, task: Task, play: Play, session: Session, steps: tuple[Step, ...], grade: Grade, seconds: float
    ) -> Episode:
        handed_off = session.stop_reason is StopReason.HANDED_OFF
        reward = min(0.0, grade.reward) if handed_off else grade.reward
        outcome = Outcome.FAILURE if handed_off else grade.outcome
        unverified = bool(session.patches) and session.verified_grade is None
        return Episode(
            episode_id=episode_id(
                play.campaign,
                play.epoch,
                NAME,
                task.index,
                play.attempt,
                f"{play.checkpoint_id}:{task.task_id}",
            ),
            campaign=play.campaign,
            epoch=play.epoch,
            environment=NAME,
            task_id=task.task_id,
            family=task.family,
            split=task.split,
            seed=play.seed,
            attempt=play.attempt,
            checkpoint_id=play.checkpoint_id,
            trajectory=steps,
            outcome=outcome,
            stop_reason=session.stop_reason or StopReason.WORLD_ENDED,
            terminal_reward=reward,
            reward=reward,
            evidence={
                "reason": str(grade.reason),
                # A last tree that was never verified is an attempt all the same.
                "verifications": session.verifications + int(unverified),
                "fixed": len(grade.fixed),
                "stillFailing": len(grade.still_failing),
                "broken": len(grade.broken),
                "patches": len(session.patches),
                "project": session.task.project,
                "isolation": str(self._pool.level),
            },
            duration_seconds=seconds,
        )

    def _known(self, task: Task) -> TaskCandidates:
        with self._lock:
            known = self._tasks.get(task.task_id)
        return known or self._remember(task.task_id, ShellTask.model_validate(task.payload))

    def _remember(self, task_id: str, shell_task: ShellTask) -> TaskCandidates:
        with self._lock:
            known = self._tasks.setdefault(task_id, TaskCandidates(shell_task, self._budgets.candidates))
            self._tasks.move_to_end(task_id)
            while len(self._tasks) > _REMEMBERED_TASKS:
                self._tasks.popitem(last=False)
        return known


def _score(episode: Episode | None) -> float | None:
    return None if episode is None else _SCORES.get(episode.outcome, 0.0)


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
