"""The gateway: who is asked about what, and what of an answer is believed.

A teacher is asked only about failures and near successes, at most once an episode, within a budget.
Its reference solution is executed in the environment; only one that reached success is kept.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from rlaios_core.environments import Environment, Play
from rlaios_core.rollout import Assignment, RolloutSettings, at_once, play_all
from rlaios_core.schema import (
    STOP,
    Decision,
    Episode,
    EpisodeFault,
    Observation,
    Outcome,
    Policy,
    Task,
    TeacherSignal,
    TeacherTrigger,
)
from rlaios_core.teachers.base import Request, Teacher, TeacherError, TeacherSettings
from rlaios_core.teachers.reference import ReferenceTeacher

MOST_AT_ONCE = 8
"""Requests that are under way at a time."""


class Consultation(NamedTuple):
    """What came of asking about one episode.

    `reference` is a verified successful episode, cut to the steps that the teacher took.
    """

    episode_id: str
    trigger: TeacherTrigger
    signal: TeacherSignal | None
    reference: Episode | None
    error: str = ""


class ReplayedSolution:
    """A solution as a policy: takes the given actions in order, and stops where it cannot go on."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = list(keys)

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """The next action of the solution for each observation (there is one at a time)."""
        return [self._next(observation) for observation, _ in zip(observations, seeds, strict=True)]

    def _next(self, observation: Observation) -> Decision:
        wanted = self._keys.pop(0) if self._keys else ""
        positions = [i for i, action in enumerate(observation.actions) if action.key == wanted]
        if not positions:
            self._keys.clear()
            positions = [i for i, action in enumerate(observation.actions) if action.verb == STOP]
        chosen = positions[0] if positions else len(observation.actions) - 1
        certain = tuple(1.0 if i == chosen else 0.0 for i in range(len(observation.actions)))
        return Decision(chosen, 0.0, certain, 0.0)


def create_teacher(settings: TeacherSettings) -> Teacher | None:
    """The teacher that the settings name, `None` for `none`. Raises `TeacherError` for an unknown one."""
    if settings.driver == "none":
        return None
    if settings.driver == ReferenceTeacher.name:
        return ReferenceTeacher()
    raise TeacherError(f"no teacher called {settings.driver!r}; known: none, {ReferenceTeacher.name}")


def trigger_of(episode: Episode) -> TeacherTrigger:
    """Failures and near successes are worth a teacher's time; the rest is not."""
    if episode.outcome is Outcome.FAILURE:
        return TeacherTrigger.FAILURE
    if episode.outcome is Outcome.PARTIAL:
        return TeacherTrigger.BOUNDARY
    return TeacherTrigger.NONE


def consult(
    teacher: Teacher | None,
    environment: Environment,
    played: Sequence[tuple[Task, Episode]],
    *,
    budget: int,
    rollout: RolloutSettings | None = None,
    on_done: Callable[[], None] = lambda: None,
) -> list[Consultation]:
    """Ask about every episode that calls for it, in order, until the budget is spent."""
    if teacher is None:
        return []
    called = [(task, episode) for task, episode in played if trigger_of(episode) is not TeacherTrigger.NONE]
    requests = [Request(environment, task, episode, trigger_of(episode)) for task, episode in called[:budget]]
    answers = _ask_all(teacher, requests, at_once(environment, rollout or RolloutSettings()))
    proposals = [
        (position, called[position][0], answer.signal.reference_solution)
        for position, answer in enumerate(answers)
        if answer.signal is not None and answer.signal.reference_solution
    ]
    verified = _execute(environment, teacher.name, called, proposals, rollout, on_done)
    return [_with_reference(answer, verified.get(position)) for position, answer in enumerate(answers)]


def _ask_all(teacher: Teacher, requests: Sequence[Request], concurrency: int) -> list[Consultation]:
    """Every request's answer, in order; a few are under way at a time, as teachers mostly wait."""
    if not requests:
        return []
    with ThreadPoolExecutor(min(concurrency, MOST_AT_ONCE, len(requests)), "teacher") as threads:
        return list(threads.map(partial(_ask, teacher), requests))


def _ask(teacher: Teacher, request: Request) -> Consultation:
    try:
        signal = teacher.judge(request)
    except TeacherError as error:
        return Consultation(request.episode.episode_id, request.trigger, None, None, str(error))
    return Consultation(request.episode.episode_id, request.trigger, signal, None)


def _execute(
    environment: Environment,
    teacher: str,
    called: Sequence[tuple[Task, Episode]],
    proposals: Sequence[tuple[int, Task, tuple[str, ...]]],
    rollout: RolloutSettings | None,
    on_done: Callable[[], None],
) -> dict[int, Episode]:
    """Play each proposed solution for real; the successful ones by position, right hand-offs among them."""
    policies: dict[str, Policy] = {}
    assignments = []
    for position, task, solution in proposals:
        episode = called[position][1]
        player = f"{teacher}:{episode.episode_id}"
        policies[player] = ReplayedSolution(solution)
        assignments.append(
            Assignment(task, Play(episode.campaign, episode.epoch, player, episode.seed, episode.attempt))
        )
    results = play_all(environment, assignments, policies, rollout, lambda _: on_done())
    return {
        position: result
        for (position, _, _), result in zip(proposals, results, strict=True)
        if not isinstance(result, EpisodeFault) and result.success
    }


def _with_reference(answer: Consultation, reference: Episode | None) -> Consultation:
    if reference is None or answer.signal is None:
        return answer
    signal = answer.signal.model_copy(update={"reference_verified": True})
    taught = reference.trajectory[signal.own_steps :]
    return answer._replace(signal=signal, reference=reference.model_copy(update={"trajectory": taught}))
