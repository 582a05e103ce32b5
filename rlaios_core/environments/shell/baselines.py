"""Scripted repairers to measure the student against: they play by the same rules, on the same actions.

They read what the environment keeps in action payloads (suspicion, prior, and for the oracle the true
line and template), which the student never sees.
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rlaios_core.environments.shell.candidates import PATCH, READ
from rlaios_core.environments.shell.session import REVERT
from rlaios_core.schema import STOP, VERIFY, Action, Decision, Observation

Score = Callable[[dict[str, Any], int], float]
"""How promising a patch is, from its action's payload and the episode's seed; higher is tried first."""

_ALSO_READ = 0.9


class ScriptedRepairer:
    """Opens the most suspicious files, then tries patches in order of a score until the tests pass."""

    def __init__(self, score: Score) -> None:
        self._score = score

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """The script's move for each observation, with probability 1."""
        return [self._move(o, seed) for o, seed in zip(observations, seeds, strict=True)]

    def _move(self, observation: Observation, seed: int) -> Decision:
        tag = next(word for word in observation.context[-1].split() if word.startswith("#"))
        chosen = self._choose(observation.actions, tag.removeprefix("#").split(":")[0], seed)
        certain = tuple(1.0 if i == chosen else 0.0 for i in range(len(observation.actions)))
        return Decision(chosen, 0.0, certain, 0.0)

    def _choose(self, actions: Sequence[Action], state: str, seed: int) -> int:
        by_verb = {action.verb: i for i, action in enumerate(actions)}
        if state == "all_pass":
            return by_verb[STOP]
        if VERIFY in by_verb:
            return by_verb[VERIFY]
        if REVERT in by_verb and state != "improved":
            return by_verb[REVERT]
        chosen = self._read_or_patch(actions, state == "unopened", seed)
        return by_verb[STOP] if chosen is None else chosen

    def _read_or_patch(self, actions: Sequence[Action], nothing_opened: bool, seed: int) -> int | None:
        reads = [(float((a.payload or {})["share"]), -i) for i, a in enumerate(actions) if a.verb == READ]
        if reads and (nothing_opened or max(reads)[0] >= _ALSO_READ):
            return -max(reads)[1]
        patches = [(self._score(a.payload or {}, seed), -i) for i, a in enumerate(actions) if a.verb == PATCH]
        return -max(patches)[1] if patches else None


def random_score(payload: dict[str, Any], seed: int) -> float:
    """Any order; the same for the whole episode would need its seed, so every draw is fresh."""
    return zlib.crc32(f"{seed}:{payload['edit']}".encode()) / 2**32


def ochiai_then_prior(payload: dict[str, Any], seed: int) -> float:  # noqa: ARG001
    """Suspicion first, the hand-written prior of the template second."""
    return float(payload["suspicion"]) * 1000 + float(payload["prior"])


def oracle(payload: dict[str, Any], seed: int) -> float:  # noqa: ARG001
    """The true line and template first, by prior: what a perfect localiser could reach."""
    return (1000.0 if payload["true_group"] else 0.0) + float(payload["prior"])


def template_rate(training: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Score:
    """Learned rate of the template times suspicion squared.

    `training` gives, per training task, the templates of its candidates and those of its fixes. The rate is
    (fixes + 0.5) / (candidates + 50) per template: how often one candidate of it is right.
    """
    fixes: Counter[str] = Counter()
    candidates: Counter[str] = Counter()
    for offered, right in training:
        candidates.update(offered)
        fixes.update(right)

    def score(payload: dict[str, Any], seed: int) -> float:  # noqa: ARG001
        template = payload["template"]
        rate = (fixes[template] + 0.5) / (candidates[template] + 50)
        # The prior only breaks ties within a template and a line.
        return float(rate * payload["suspicion"] ** 2 + 1e-9 * payload["prior"])

    return score
