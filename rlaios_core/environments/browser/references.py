"""Reference solutions: the world's own plan, played in the real browser and noted as action keys."""

from collections.abc import Sequence

from rlaios_core.environments.base import Solution
from rlaios_core.environments.browser.candidates import find_payload
from rlaios_core.schema import HANDOFF, Decision, Episode, Observation, Step, derive_seed


class GuidedPolicy:
    """Takes the actions of `prefix` while they are there, then those that the world marks as right."""

    def __init__(self, prefix: Sequence[str] = ()) -> None:
        self._prefix = list(prefix)
        self.keys: list[str] = []

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """The next move for each observation, with probability 1."""
        return [self._move(observation) for observation, _ in zip(observations, seeds, strict=True)]

    def _move(self, observation: Observation) -> Decision:
        actions = observation.actions
        wanted = self._prefix.pop(0) if self._prefix else ""
        own = [i for i, action in enumerate(actions) if action.key == wanted]
        right = [i for i, action in enumerate(actions) if find_payload(action).get("right")]
        away = [i for i, action in enumerate(actions) if action.verb == HANDOFF]
        chosen = (own or right or away or [len(actions) - 1])[0]
        self.keys.append(actions[chosen].key)
        certain = tuple(1.0 if i == chosen else 0.0 for i in range(len(actions)))
        return Decision(chosen, 0.0, certain, 0.0)


def takeover(failed: Episode | None) -> Sequence[Step]:
    """The steps of a failed episode that a reference goes along with before it takes over.

    Where it takes over is drawn by the episode's id, so that references show every stage of an episode; never
    after the step that ended it.
    """
    if failed is None or len(failed.trajectory) < 2:
        return ()
    length = derive_seed(failed.episode_id, "takeover") % len(failed.trajectory)
    return failed.trajectory[:length]


def solution_of(policy: GuidedPolicy, own_steps: int) -> Solution:
    """What the policy did, as a solution."""
    return Solution(tuple(policy.keys), own_steps=own_steps)
