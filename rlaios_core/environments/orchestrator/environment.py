"""The orchestrator environment: decide what happens next with a work item; its world is the judge."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from rlaios_core.environments.base import (
    EnvironmentFault,
    MatchedPair,
    Play,
    ReplayCandidate,
    Solution,
    UnavailableError,
)
from rlaios_core.environments.orchestrator import baselines
from rlaios_core.environments.orchestrator.episodes import episode_of, pins, same_evidence, score, summary
from rlaios_core.environments.orchestrator.grading import Grade, grade
from rlaios_core.environments.orchestrator.harness import ControlDecision, Harness, HarnessFactory
from rlaios_core.environments.orchestrator.items import WorkItem
from rlaios_core.environments.orchestrator.search import Explorer
from rlaios_core.environments.orchestrator.session import Session
from rlaios_core.environments.orchestrator.sources import ItemSource
from rlaios_core.environments.playing import play_out
from rlaios_core.schema import (
    HANDOFF,
    STOP,
    Episode,
    FaultBoundary,
    Policy,
    Split,
    Step,
    StopReason,
    Task,
)

NAME = "orchestrator"
STEPS = 12
"""Decisions an episode may take."""
_ATTEMPTS = 2
"""How often an episode is begun: a hiccup of the harness is not the student's."""
_REMEMBERED_TASKS = 2_000
_T = TypeVar("_T")


class OrchestratorEnvironment:
    """Control decisions on work items of `items`, carried out by harnesses of `factory`. Thread-safe."""

    name = NAME

    def __init__(
        self,
        factory: HarnessFactory,
        items: ItemSource,
        *,
        steps: int = STEPS,
        level: str = "",
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        self._factory = factory
        self._items = items
        self._steps = steps
        self._level = level
        self._on_close = on_close
        self._explorer = Explorer(factory)
        self._tasks: OrderedDict[str, WorkItem] = OrderedDict()
        self._lock = threading.Lock()

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        """The task at this position. Raises `UnavailableError` for a split that has no work items."""
        try:
            item = self._items.item(split, index, seed)
        except KeyError as error:
            raise UnavailableError(
                f"the orchestrator has no {split.value} tasks; use train, held_out or final"
            ) from error
        payload = item.to_json()
        task = Task(
            task_id=f"orchestrator-{item.identity}",
            environment=NAME,
            family=item.family,
            split=split,
            seed=seed,
            index=index,
            instruction=item.instruction,
            payload=payload,
        )
        self._remember(task.task_id, item)
        return task

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        """Play until the student stops, hands off or runs out of steps; then look at the world.

        When the harness fails the episode is begun once more, then it is an `EnvironmentFault`.
        """
        item = self._item(task)
        for attempt in range(_ATTEMPTS):
            steps: list[Step] = []
            try:
                return self._play(task, item, policy, play, steps)
            except EnvironmentFault as fault:
                if attempt == _ATTEMPTS - 1:
                    raise EnvironmentFault(fault.boundary, fault.message, len(steps)) from fault
        raise AssertionError("every attempt returns or raises")

    def compare(self, pair: MatchedPair) -> tuple[float | None, float | None]:
        """Both sides' verified outcomes: 1, a quarter for a partial one, 0, and -1 for broken safety.

        Sides that were not given the same snapshot, menu, checks, inputs and evidence are not compared.
        """
        active, reference = pair.active, pair.reference
        if active is not None and reference is not None:
            pinned = pins(active) == pins(reference) and same_evidence(active, reference)
            if not pinned:
                return None, None
        return score(pair.active), score(pair.reference)

    def replay_candidate(self, episode: Episode) -> ReplayCandidate:
        """Any episode with at least one decision may be learned from."""
        admissible = bool(episode.trajectory)
        return ReplayCandidate(admissible, "" if admissible else "nothing was decided", episode.family)

    def summarize(self, episodes: Sequence[Episode]) -> Mapping[str, float]:
        """Decision success; missed and false hand-offs, invalid retries, unsafe actions; cost."""
        return summary(episodes)

    def reference_solution(self, task: Task, failed: Episode | None = None) -> Solution:
        """The shortest decisions that the harness verified to end well; none when there are none.

        After a failed episode it starts with the student's own decisions, as far as they could still have
        ended well: of a near miss only the last one is put right.
        """
        item = self._item(task)
        own: Sequence[ControlDecision] = ()
        if failed is not None:
            own = [
                ControlDecision(step.action.verb, step.action.target)
                for step in failed.trajectory
                if step.action.verb not in (STOP, HANDOFF)
            ]
            own = own[: _guard(lambda: self._explorer.right_until(item, own))]
        rest = _guard(lambda: self._explorer.reference(item, own))
        if not rest or len(own) + len(rest) > self._steps:
            return Solution()
        return Solution((*(decision.key for decision in own), *rest), own_steps=len(own))

    def baselines(self, training_tasks: Sequence[Task]) -> Mapping[str, Policy]:  # noqa: ARG002
        """Random, dispatch then verify (`heuristic`), hand off on any warning, and the verified oracle."""
        return {
            "random": baselines.RandomChoice(),
            "heuristic": baselines.Scripted(baselines.dispatch_then_verify),
            "cautious": baselines.Scripted(baselines.hand_off_on_warning),
            "oracle": baselines.Scripted(baselines.Oracle(self._reference_by_id)),
        }

    def close(self) -> None:
        """End whatever the harnesses share."""
        self._on_close()

    def _play(self, task: Task, item: WorkItem, policy: Policy, play: Play, steps: list[Step]) -> Episode:
        started = time.monotonic()
        with _Opened(self._factory) as harness:
            context = _guard(lambda: harness.reset(item))
            session = Session(harness, context, self._steps, item.order, task.task_id)
            needs = _guard(harness.verify).needs if item.needs else ()
            ending = play_out(
                session, lambda action: _guard(lambda: session.take(action)), policy, play, steps
            )
            found = self._grade(item, session, ending, harness)
        return episode_of(
            task,
            item,
            play,
            session,
            tuple(steps),
            found,
            bool(needs),
            self._level,
            time.monotonic() - started,
        )

    def _grade(self, item: WorkItem, session: Session, ending: StopReason, harness: Harness) -> Grade:
        world = _guard(harness.verify)
        possible = self._explorer.possible(item)
        return _guard(lambda: grade(ending, world, session.record, item.budget, possible))

    def _reference_by_id(self, task_id: str) -> Sequence[str]:
        with self._lock:
            item = self._tasks[task_id]
        return _guard(lambda: self._explorer.reference(item))

    def _item(self, task: Task) -> WorkItem:
        with self._lock:
            known = self._tasks.get(task.task_id)
        if known is None:
            known = WorkItem.model_validate(task.payload)
            self._remember(task.task_id, known)
        return known

    def _remember(self, task_id: str, item: WorkItem) -> None:
        with self._lock:
            self._tasks[task_id] = item
            while len(self._tasks) > _REMEMBERED_TASKS:
                self._tasks.popitem(last=False)


class _Opened:
    """A harness that is closed whatever happens."""

    def __init__(self, factory: HarnessFactory) -> None:
        self._factory = factory

    def __enter__(self) -> Harness:
        self._harness = _guard(self._factory)
        return self._harness

    def __exit__(self, *_: object) -> None:
        _guard(self._harness.close)


def _guard(call: Callable[[], _T]) -> _T:
    """Call into a harness; whatever escapes it is the harness's fault, never the student's."""
    try:
        return call()
    except EnvironmentFault:
        raise
    except Exception as error:
        raise EnvironmentFault(FaultBoundary.HARNESS, f"{type(error).__name__}: {error}") from error
