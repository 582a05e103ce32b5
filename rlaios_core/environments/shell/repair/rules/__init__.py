"""The repair rules, each a pure function from a site to proposals.

The order matters: of two proposals that give the same program, the first one names the template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..site import Proposal, Site
from . import (
    arithmetic,
    bounds,
    calls,
    conditions,
    constants,
    expressions,
    guards,
    keywords,
    names,
    slices,
    statements,
    wraps,
)

Rule = Callable[[Site], Iterator[Proposal]]

RULES: tuple[Rule, ...] = (
    bounds.boundary,
    bounds.comparison,
    bounds.off_by_one,
    slices.slices,
    conditions.logic,
    conditions.negate,
    conditions.drop_clause,
    conditions.extend_condition,
    calls.argswap,
    statements.indexswap,
    constants.literal_fill,
    names.variable,
    expressions.attribute,
    expressions.terms,
    keywords.keyword,
    wraps.unwrap,
    names.returned,
    constants.constant,
    calls.call,
    wraps.wrap,
    arithmetic.arithmetic,
    arithmetic.augment,
    expressions.ingredient,
    guards.guard,
    guards.enclose,
    statements.delete,
    statements.swap,
)
