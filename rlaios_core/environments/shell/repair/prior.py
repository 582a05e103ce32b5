"""A hand-written guess of how likely a kind of edit is the right one."""

from __future__ import annotations

from .site import Proposal
from .templates import RepairTemplate

_SHARE: dict[RepairTemplate, float] = {
    RepairTemplate.BOUNDARY: 1.0,
    RepairTemplate.LOGIC: 0.83,
    RepairTemplate.NEGATE: 0.51,
    RepairTemplate.AUGMENT: 0.48,
    RepairTemplate.ARITHMETIC: 0.45,
    RepairTemplate.UNWRAP: 0.44,
    RepairTemplate.COMPARISON: 0.42,
    RepairTemplate.OFF_BY_ONE: 0.32,
    RepairTemplate.KEYWORD: 0.32,
    RepairTemplate.CALL: 0.24,
    RepairTemplate.RETURN: 0.21,
    RepairTemplate.SLICE: 0.21,
    RepairTemplate.CONSTANT: 0.2,
    RepairTemplate.STATEMENT: 0.2,
    RepairTemplate.ARGSWAP: 0.19,
    RepairTemplate.INDEXSWAP: 0.19,
    RepairTemplate.LITERAL_FILL: 0.19,
    RepairTemplate.VARIABLE: 0.17,
    RepairTemplate.EXPRESSION: 0.17,
    RepairTemplate.CONDITION: 0.16,
    RepairTemplate.WRAP: 0.15,
    RepairTemplate.GUARD: 0.13,
}
"""How far to trust one candidate of a template: a template that proposes one change for a line, such as
a boundary, is right more often than each of the many guards one may think of."""


def prior(proposal: Proposal) -> float:
    """Between 0 and 1; only the order means anything."""
    return round(min(1.0, _SHARE[proposal.template] * proposal.weight), 4)
