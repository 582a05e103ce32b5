"""Wording by split: each concept has phrases for training and others for each held-out part."""

import json
import random
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from rlaios_core.schema import Split, derive_seed

POOLS: Mapping[Split, int] = {
    Split.TRAIN: 0,
    Split.HELD_OUT_VARIANT: 0,
    Split.HELD_OUT: 1,
    Split.FINAL: 2,
    Split.HELD_OUT_OPERATOR: 2,
}
"""Which list of phrases each split draws from."""


@lru_cache(maxsize=1)
def lexicon() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Concept -> phrases of training, held-out and final tasks; no phrase is in two lists of a concept."""
    data = json.loads((Path(__file__).parent / "lexicon.json").read_text("utf-8"))
    return {concept: tuple(tuple(phrases) for phrases in pools) for concept, pools in data.items()}


class Wording:
    """The words of one task: a concept always gets the same phrase within it."""

    def __init__(self, pool: int, seed: int) -> None:
        self._pool = pool
        self._seed = seed

    def say(self, concept: str, **values: str) -> str:
        """The task's phrase for a concept. Raises `KeyError` for an unknown one."""
        phrases = lexicon()[concept][self._pool]
        chosen = phrases[derive_seed(self._seed, "say", concept) % len(phrases)]
        return chosen.format(**values) if values else chosen


def rng_of(seed: int, purpose: str) -> random.Random:
    """A random stream that belongs to one purpose: no draw depends on another purpose's draws."""
    return random.Random(derive_seed(seed, purpose))
