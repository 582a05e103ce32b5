"""Decisions logged by somebody's own orchestrator, from JSON lines: for offline training and estimates.

One object a line: `instruction`, `context` (lines, newest last), `actions` (admissible ones: `{"verb",
"target", "argument", "notes"}`), `chosen` (index), `probability` (with which it was chosen), `outcome`
(success, partial, failure or blocked, or a reward in [-1, 1]), and optionally `episode` (lines of one id
belong together, in order) and `family`. A line without a probability can be learned from as an example, not
estimated with.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, ValidationError

from rlaios_core.environments.base import UnavailableError
from rlaios_core.schema import (
    Action,
    Episode,
    Model,
    Observation,
    Outcome,
    Split,
    Step,
    StepResult,
    StepStatus,
    StopReason,
    content_hash,
)

_REWARDS = {Outcome.SUCCESS: 1.0, Outcome.BLOCKED: 0.8, Outcome.PARTIAL: 0.25, Outcome.FAILURE: -0.5}
_NOT_SEEN = 0.0
"""Value estimate of a log, which has none."""


class LogError(UnavailableError):
    """A log that cannot be used; one line says which line of it and why."""


class _Line(Model):
    instruction: str = Field(min_length=1)
    context: tuple[str, ...] = ()
    actions: tuple[Action, ...] = Field(min_length=1)
    chosen: int = Field(ge=0)
    probability: float | None = Field(default=None, gt=0.0, le=1.0)
    outcome: Outcome | float
    episode: str | None = None
    family: str = "logged"


class LoggedDecision(NamedTuple):
    """One line of a log, checked. `probability` is `None` where none was logged; `reward` in [-1, 1]."""

    line: int
    episode: str
    family: str
    observation: Observation
    chosen: int
    probability: float | None
    outcome: Outcome
    reward: float


def read_decisions(path: Path, *, for_estimates: bool) -> list[LoggedDecision]:
    """Every decision of a log, in order; empty lines are skipped.

    Raises `LogError` for the first line that is wrong and, `for_estimates`, for the first without a
    probability: an estimate from a guessed one would mean nothing.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LogError(f"{path}: cannot be read ({error})") from error
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            found.append(_decision(path, number, line))
            if for_estimates and found[-1].probability is None:
                raise LogError(
                    f"{path}, line {number}: no probability; estimates need the true one with which the "
                    "action was chosen (training from examples does not)"
                )
    if not found:
        raise LogError(f"{path}: holds no decision")
    return found


def _decision(path: Path, number: int, text: str) -> LoggedDecision:
    try:
        line = _Line.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise LogError(f"{path}, line {number}: {where + ': ' if where else ''}{first['msg']}") from error
    if line.chosen >= len(line.actions):
        raise LogError(f"{path}, line {number}: chosen {line.chosen} of {len(line.actions)} actions")
    outcome, reward = _judged(line.outcome)
    if not -1.0 <= reward <= 1.0:
        raise LogError(f"{path}, line {number}: outcome {reward} is not within [-1, 1]")
    return LoggedDecision(
        line=number,
        episode=line.episode if line.episode is not None else f"line {number}",
        family=line.family,
        observation=Observation(
            instruction=line.instruction, context=line.context, actions=line.actions, steps_left=1
        ),
        chosen=line.chosen,
        probability=line.probability,
        outcome=outcome,
        reward=reward,
    )


def _judged(outcome: Outcome | float) -> tuple[Outcome, float]:
    if isinstance(outcome, Outcome):
        return outcome, _REWARDS[outcome]
    return (Outcome.SUCCESS if outcome > 0 else Outcome.FAILURE), outcome


def logged_episodes(decisions: Sequence[LoggedDecision], environment: str) -> list[Episode]:
    """The decisions as episodes to learn from; the last line of each episode says how it ended.

    Only the chosen action's probability is known, so the rest of each distribution is spread evenly; where
    none was logged, 1 is assumed, which makes the line an example and nothing else.
    """
    by_episode: dict[str, list[LoggedDecision]] = {}
    for decision in decisions:
        by_episode.setdefault(decision.episode, []).append(decision)
    return [_episode(name, lines, environment) for name, lines in by_episode.items()]


def _episode(name: str, lines: Sequence[LoggedDecision], environment: str) -> Episode:
    last = lines[-1]
    identity = content_hash(["logged", environment, name, [line.observation.to_json() for line in lines]])
    steps = tuple(_step(line, steps_left=len(lines) - place) for place, line in enumerate(lines))
    return Episode(
        episode_id=f"ep-{identity}",
        campaign="logged",
        epoch=0,
        environment=environment,
        task_id=f"logged-{identity}",
        family=last.family,
        split=Split.TRAIN,
        seed=0,
        checkpoint_id="logged",
        trajectory=steps,
        outcome=last.outcome,
        stop_reason=StopReason.WORLD_ENDED,
        terminal_reward=last.reward,
        reward=last.reward,
        synthetic=False,
        evidence={"logged": True},
    )


def _step(line: LoggedDecision, *, steps_left: int) -> Step:
    count = len(line.observation.actions)
    chance = 1.0 if line.probability is None or count == 1 else line.probability
    rest = (1.0 - chance) / (count - 1) if count > 1 else 0.0
    return Step(
        observation=line.observation.model_copy(update={"steps_left": steps_left}),
        chosen=line.chosen,
        log_probability=math.log(chance),
        probabilities=tuple(chance if place == line.chosen else rest for place in range(count)),
        value=_NOT_SEEN,
        result=StepResult(status=StepStatus.OK),
        duration_seconds=0.0,
    )
