"""The repair templates: what kind of change an edit makes."""

from __future__ import annotations

from enum import StrEnum


class RepairTemplate(StrEnum):
    """The middle choice of a factored repair (line, template, filler)."""

    OFF_BY_ONE = "off_by_one"
    """Add, remove or flip a ±1 in a range, an index, a bound or a count."""
    SLICE = "slice"
    """Add, drop, shift or negate a bound of a slice, or add or drop the whole slice."""
    BOUNDARY = "boundary"
    """Exchange a strict comparison for its inclusive form, or the other way round."""
    GUARD = "guard"
    """Insert a missing guard: an `if` that returns, continues, breaks or raises."""
    CONDITION = "condition"
    """Extend a condition by a clause, or drop one of its clauses."""
    VARIABLE = "variable"
    """Use another name that is in scope."""
    EXPRESSION = "expression"
    """Add or drop a term, read another attribute, or use another expression of the function."""
    WRAP = "wrap"
    """Put a missing call around a value: `sorted(x)`, `max(0, x)`, `x.strip()`."""
    UNWRAP = "unwrap"
    """Remove a superfluous call around a value."""
    CALL = "call"
    """Call another function or method of the same family or signature."""
    COMPARISON = "comparison"
    """Turn a comparison round or negate it: `==` and `!=`, `<` and `>`, `in` and `not in`."""
    ARITHMETIC = "arithmetic"
    """Use another arithmetic operator, or exchange the operands."""
    AUGMENT = "augment"
    """Exchange `=`, `+=` and `-=`."""
    LOGIC = "logic"
    """Exchange `and` and `or`."""
    NEGATE = "negate"
    """Add or remove `not` on a condition."""
    CONSTANT = "constant"
    """Use another literal."""
    KEYWORD = "keyword"
    """Add, drop or change a keyword argument, an optional argument or a parameter's default."""
    RETURN = "return"
    """Return something else."""
    STATEMENT = "statement"
    """Delete a superfluous statement, or exchange two neighbours."""
    ARGSWAP = "argswap"
    """Exchange two arguments of a call."""
    INDEXSWAP = "indexswap"
    """Exchange two indices, or the members of a pair."""
    LITERAL_FILL = "literal_fill"
    """Start from another initial value or default container."""


NATURAL = frozenset(
    {
        RepairTemplate.OFF_BY_ONE,
        RepairTemplate.SLICE,
        RepairTemplate.BOUNDARY,
        RepairTemplate.GUARD,
        RepairTemplate.CONDITION,
        RepairTemplate.VARIABLE,
        RepairTemplate.EXPRESSION,
        RepairTemplate.WRAP,
        RepairTemplate.UNWRAP,
        RepairTemplate.CALL,
    }
)
"""Templates whose bugs look natural: the faulty line reads like ordinary code."""

HELD_OUT_TEMPLATES = frozenset(
    {RepairTemplate.ARGSWAP, RepairTemplate.INDEXSWAP, RepairTemplate.LITERAL_FILL}
)
"""Templates no training bug needs; only the split `held_out_operator` injects their bugs."""
