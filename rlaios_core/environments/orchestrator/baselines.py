"""Scripted policies to measure a student against; all but the oracle see what the student sees."""

import math
import random
import re
from collections.abc import Callable, Sequence

from rlaios_core.environments.orchestrator.harness import DISPATCH
from rlaios_core.schema import HANDOFF, STOP, VERIFY, Action, Decision, Observation

Choose = Callable[[Observation], str]
"""Key of the action to take."""

_FAILED = re.compile(r"#exit:(?!0\b)-?\d+")
_WARNED = re.compile(r"\bwarning|\bnotices:[1-9]|\bscope:shared|\blast_run:failed", re.IGNORECASE)


class Scripted:
    """Takes the action that a rule names, with probability 1; an ending when it is not on offer."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:  # noqa: ARG002
        """The rule's choice for each observation."""
        return [_certain(observation, self._choose(observation)) for observation in observations]


class RandomChoice:
    """Any admissible action, all equally likely."""

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """A choice by seed."""
        found = []
        for observation, seed in zip(observations, seeds, strict=True):
            count = len(observation.actions)
            # By key, so that the order of the actions changes nothing.
            ordered = sorted(range(count), key=lambda i, o=observation: o.actions[i].key)  # type: ignore[misc]
            chosen = ordered[random.Random(seed).randrange(count)]
            share = 1.0 / count
            found.append(Decision(chosen, math.log(share), (share,) * count, 0.0))
        return found


def dispatch_then_verify(observation: Observation) -> str:
    """Dispatch to the plain executor, verify, stop; whatever comes of it."""
    state = observation.context[-1]
    if "#after:nothing" in state:
        return Action(verb=DISPATCH, target="local").key
    return _verb(VERIFY) if "#verified:unknown" in state else _verb(STOP)


def hand_off_on_warning(observation: Observation) -> str:
    """The same, but hand off at the first thing that looks like a warning or a failure."""
    if any(_WARNED.search(line) for line in observation.context) or _FAILED.search(observation.context[-1]):
        return _verb(HANDOFF)
    return dispatch_then_verify(observation)


class Oracle:
    """Takes the reference that the harness verified; sees what no student sees."""

    def __init__(self, reference: Callable[[str], Sequence[str]]) -> None:
        self._reference = reference

    def __call__(self, observation: Observation) -> str:
        """The next decision of the reference, from the position kept in the actions' payload."""
        payload = next(action.payload for action in observation.actions if action.verb == STOP) or {}
        keys, done = self._reference(payload["task"]), len(payload["taken"])
        return keys[done] if done < len(keys) else _verb(STOP)


def _verb(verb: str) -> str:
    return Action(verb=verb).key


def _certain(observation: Observation, key: str) -> Decision:
    keys = [action.key for action in observation.actions]
    chosen = keys.index(key) if key in keys else keys.index(_verb(STOP))
    return Decision(chosen, 0.0, tuple(float(i == chosen) for i in range(len(keys))), 0.0)
