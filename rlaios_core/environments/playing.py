"""The walk through one episode, the same for every environment that plays by sessions."""

import time
from collections.abc import Callable
from typing import Protocol

from rlaios_core.environments.base import Play
from rlaios_core.schema import Action, Observation, Policy, Step, StepResult, StopReason, derive_seed


class Playable(Protocol):
    """An episode under way."""

    @property
    def stop_reason(self) -> StopReason | None:
        """Why the episode ended; `None` while it goes on."""
        ...

    def observe(self) -> Observation:
        """What the policy sees now."""
        ...


def play_out(
    session: Playable, take: Callable[[Action], StepResult], policy: Policy, play: Play, steps: list[Step]
) -> StopReason:
    """Let the policy decide until the session stops, and say why it did; `take` carries an action out.

    `steps` grows as the episode does: when something fails on the way, the caller still has what was played.
    """
    while (ending := session.stop_reason) is None:
        observation = session.observe()
        seed = derive_seed(play.seed, play.attempt, len(steps))
        decision = policy.act([observation], [seed])[0]
        begun = time.monotonic()
        result = take(observation.actions[decision.chosen])
        steps.append(
            Step(
                observation=observation,
                chosen=decision.chosen,
                log_probability=decision.log_probability,
                probabilities=decision.probabilities,
                value=decision.value,
                result=result,
                duration_seconds=time.monotonic() - begun,
            )
        )
    return ending
