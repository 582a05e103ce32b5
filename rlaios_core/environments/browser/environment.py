"""The browser environment: carry out a task on a web site, with its server deciding what really happened."""

import contextlib
import threading
import time
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
from rlaios_core.environments.browser import baselines
from rlaios_core.environments.browser.comparison import PINS, pinned, pins_text, score
from rlaios_core.environments.browser.driver import (
    BrowserMissingError,
    BrowserWorker,
    DriverError,
    DriverFailure,
)
from rlaios_core.environments.browser.evidence import steps_text
from rlaios_core.environments.browser.grading import Grade, grade
from rlaios_core.environments.browser.references import GuidedPolicy, solution_of, takeover
from rlaios_core.environments.browser.screenshots import Screenshots
from rlaios_core.environments.browser.session import Session
from rlaios_core.environments.browser.worlds import TaskSource, World
from rlaios_core.environments.playing import play_out
from rlaios_core.schema import (
    Episode,
    FaultBoundary,
    Outcome,
    Policy,
    Split,
    Step,
    StopReason,
    Task,
    derive_seed,
    episode_id,
)

NAME = "browser"


class BrowserEnvironment:
    """Flows in a real browser. Thread-safe; at most `concurrency` episodes have a page at once."""

    name = NAME

    def __init__(
        self,
        sources: Sequence[TaskSource],
        worker: BrowserWorker,
        concurrency: int = 8,
        screenshots: Screenshots | None = None,
    ) -> None:
        self._sources = {source.name: source for source in sources}
        self._order = [source.name for source in sources]
        self._worker = worker
        self._screenshots = screenshots or Screenshots(None, 0)
        self._lock = threading.Lock()
        self.concurrency = concurrency

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        """The task at this position; several sources take turns."""
        source = self._sources[self._order[index % len(self._order)]]
        return source.sample(split, index // len(self._order), seed).model_copy(update={"index": index})

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        """Play until the student stops, hands off, runs out of steps or does something forbidden."""
        started = time.monotonic()
        with self._sources[str(task.payload["source"])].world(task) as world:
            steps, session_end, shot = self._play(world, policy, play)
        return self._episode(task, play, steps, session_end, shot, time.monotonic() - started)

    def compare(self, pair: MatchedPair) -> tuple[float | None, float | None]:
        """Both sides' verified outcomes; none for either when their starts were not the same."""
        if not pinned(pair):
            return None, None
        return score(pair.active), score(pair.reference)

    def replay_candidate(self, episode: Episode) -> ReplayCandidate:
        """Any verified episode with a step may be learned from, unless something forbidden was done."""
        admissible = bool(episode.trajectory) and not episode.safety_violation
        reason = (
            "" if admissible else "something forbidden was done" if episode.trajectory else "nothing was done"
        )
        return ReplayCandidate(admissible, reason, episode.family)

    def summarize(self, episodes: Sequence[Episode]) -> Mapping[str, float]:
        """Success, hand-offs (due, missed, wrong), forbidden acts, steps and retries per episode."""
        if not episodes:
            return {}
        due = [e for e in episodes if e.evidence.get("handoffWanted")]
        return {
            "success": _mean(e.success for e in episodes),
            "partial": _mean(e.outcome is Outcome.PARTIAL for e in episodes),
            "handed_off": _mean(e.stop_reason is StopReason.HANDED_OFF for e in episodes),
            "missed_handoffs": _mean(not e.success for e in due) if due else 0.0,
            "wrong_handoffs": _mean(
                e.stop_reason is StopReason.HANDED_OFF and not e.success for e in episodes
            ),
            "forbidden": _mean(e.safety_violation for e in episodes),
            "steps": _mean(len(e.trajectory) for e in episodes),
        }

    def reference_solution(self, task: Task, failed: Episode | None = None) -> Solution:
        """The world's own plan, played in the browser; none when it does not succeed.

        After a failed episode the solution may go along with it for some steps and show the way out.
        """
        own = takeover(failed)
        for prefix in (own, ()) if own else ((),):
            policy = GuidedPolicy([step.action.key for step in prefix])
            play = Play("reference", 0, "reference", derive_seed(task.task_id, "reference"))
            try:
                episode = self.run_episode(task, policy, play)
            except EnvironmentFault:
                return Solution()
            if episode.success and len(policy.keys) > len(prefix):
                return solution_of(policy, len(prefix))
        return Solution()

    def baselines(self, training_tasks: Sequence[Task]) -> Mapping[str, Policy]:  # noqa: ARG002
        """Random, a careful form filler (`heuristic`) and the world's own reference (`oracle`)."""
        return {
            "random": baselines.RandomPolicy(),
            "heuristic": baselines.HeuristicPolicy(),
            "oracle": baselines.OraclePolicy(),
        }

    def close(self) -> None:
        """End the browser and the sites."""
        self._worker.close()
        for source in self._sources.values():
            source.close()

    # ---- one episode ------------------------------------------------------------------------------------

    def _play(self, world: World, policy: Policy, play: Play) -> tuple[list[Step], "_End", str]:
        steps: list[Step] = []
        try:
            with contextlib.ExitStack() as stack:
                session = self._start(world, stack)
                play_out(session, session.take, policy, play, steps)
                end = _End(session, world, self._worker.build.version)
                shot = "" if end.grade.success else self._screenshots.take(self._worker, session.page, play)
        except BrowserMissingError as error:
            raise UnavailableError(str(error)) from error
        except DriverError as error:
            boundary = (
                FaultBoundary.ENVIRONMENT if error.failure is DriverFailure.START else FaultBoundary.BROWSER
            )
            raise EnvironmentFault(boundary, str(error), len(steps)) from error
        return steps, end, shot

    def _start(self, world: World, stack: contextlib.ExitStack) -> Session:
        """A page at the task's start: tried twice, each time in a fresh context."""
        try:
            page = stack.enter_context(self._worker.seat(world.seat()))
            return Session(world, self._worker, page)
        except DriverError:
            stack.close()
            page = stack.enter_context(self._worker.seat(world.seat()))
            return Session(world, self._worker, page)

    def _episode(
        self, task: Task, play: Play, steps: list[Step], end: "_End", shot: str, seconds: float
    ) -> Episode:
        grade = end.grade
        position = f"{play.checkpoint_id}:{task.task_id}"
        return Episode(
            episode_id=episode_id(play.campaign, play.epoch, NAME, task.index, play.attempt, position),
            campaign=play.campaign,
            epoch=play.epoch,
            environment=NAME,
            task_id=task.task_id,
            family=task.family,
            split=task.split,
            seed=play.seed,
            attempt=play.attempt,
            checkpoint_id=play.checkpoint_id,
            trajectory=tuple(steps),
            outcome=grade.outcome,
            stop_reason=end.stop_reason,
            terminal_reward=grade.reward,
            reward=grade.reward,
            safety_violation=bool(grade.violations),
            synthetic=task.payload["source"] != "flow",
            evidence={**end.evidence, "source": str(task.payload["source"])},
            artifacts=(shot,) if shot else (),
            duration_seconds=seconds,
        )


class _End:
    """What is kept of a session when its page is closed."""

    def __init__(self, session: Session, world: World, build: str) -> None:
        standing = session.standing
        self.stop_reason = session.stop_reason or StopReason.WORLD_ENDED
        self.grade: Grade = grade(
            standing, self.stop_reason, session.handed_off_rightly, world.budget, session.steps
        )
        self.evidence: dict[str, str | int | float | bool | None] = {
            "milestones": standing.done,
            "milestonesTotal": standing.total,
            "violations": "; ".join(self.grade.violations),
            "handoffDue": standing.handoff_due,
            "handoffWanted": world.wants_handoff,
            "retries": session.memory.retries,
            "troubles": session.memory.troubles,
            "authentication": world.authentication,
            "browser": build,
            PINS: pins_text(world, build),
            "steps": steps_text(session.evidence),
        }


def _mean(values: Iterable[float]) -> float:
    return float(np.mean([float(value) for value in values]))
