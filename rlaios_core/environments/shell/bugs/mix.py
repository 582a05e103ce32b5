"""Which template each task's bug is drawn from: shares that hold exactly over every hundred tasks."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import lru_cache

from rlaios_core.environments.shell.repair import HELD_OUT_TEMPLATES, RepairTemplate
from rlaios_core.schema import Split

MIX: Mapping[RepairTemplate, int] = {
    RepairTemplate.OFF_BY_ONE: 9,
    RepairTemplate.SLICE: 6,
    RepairTemplate.BOUNDARY: 7,
    RepairTemplate.GUARD: 9,
    RepairTemplate.CONDITION: 7,
    RepairTemplate.VARIABLE: 9,
    RepairTemplate.EXPRESSION: 7,
    RepairTemplate.WRAP: 6,
    RepairTemplate.UNWRAP: 4,
    RepairTemplate.CALL: 5,
    RepairTemplate.COMPARISON: 4,
    RepairTemplate.ARITHMETIC: 4,
    RepairTemplate.AUGMENT: 3,
    RepairTemplate.LOGIC: 3,
    RepairTemplate.NEGATE: 3,
    RepairTemplate.CONSTANT: 4,
    RepairTemplate.KEYWORD: 4,
    RepairTemplate.RETURN: 3,
    RepairTemplate.STATEMENT: 3,
}
"""Tasks in a hundred by the template that repairs them."""

_HELD_OUT_MIX: Mapping[RepairTemplate, int] = {
    RepairTemplate.ARGSWAP: 34,
    RepairTemplate.INDEXSWAP: 33,
    RepairTemplate.LITERAL_FILL: 33,
}
DOUBLES = 15
"""Tasks in a hundred that have two bugs."""

_BLOCK = 100


def templates_for(split: Split, seed: int, index: int) -> tuple[RepairTemplate, ...]:
    """The template of each bug of a task, by its position alone."""
    block, place = divmod(index, _BLOCK)
    first = _block(split, seed, block, "first")[place]
    if place not in _doubles(split, seed, block):
        return (first,)
    return (first, _block(split, seed, block, "second")[place])


@lru_cache(maxsize=1024)
def _block(split: Split, seed: int, block: int, use: str) -> tuple[RepairTemplate, ...]:
    mix = _HELD_OUT_MIX if split is Split.HELD_OUT_OPERATOR else MIX
    templates = [template for template, share in mix.items() for _ in range(share)]
    random.Random(f"mix:{split}:{seed}:{block}:{use}").shuffle(templates)
    return tuple(templates)


@lru_cache(maxsize=1024)
def _doubles(split: Split, seed: int, block: int) -> frozenset[int]:
    return frozenset(random.Random(f"doubles:{split}:{seed}:{block}").sample(range(_BLOCK), DOUBLES))


assert sum(MIX.values()) == sum(_HELD_OUT_MIX.values()) == _BLOCK
assert not MIX.keys() & HELD_OUT_TEMPLATES
