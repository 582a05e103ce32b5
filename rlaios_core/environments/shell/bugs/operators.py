"""How bugs get in: each operator undoes what one repair template does.

Most of them are the repair rules themselves, applied to correct code: a boundary exchanged by mistake
is a boundary that can be exchanged back. Others (guards left out, statements repeated) have no rule of
their own. Whether a bug can really be repaired by its template is checked at admission.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rlaios_core.environments.shell.repair import RepairTemplate
from rlaios_core.environments.shell.repair.kinds import Kind
from rlaios_core.environments.shell.repair.nodes import is_guard
from rlaios_core.environments.shell.repair.rules import (
    arithmetic,
    bounds,
    calls,
    conditions,
    constants,
    expressions,
    keywords,
    names,
    slices,
    statements,
    wraps,
)
from rlaios_core.environments.shell.repair.site import Proposal, Site
from rlaios_core.environments.shell.repair.slots import ATOM, Role

Rule = Callable[[Site], Iterator[Proposal]]


@dataclass(frozen=True)
class Operator:
    """One way to break a statement, and the template whose edit mends it."""

    name: str
    repairs: RepairTemplate
    sites: Rule
    weight: float = 1.0
    """How often it is chosen among the operators of its template."""


def _only(rule: Rule, *details: str) -> Rule:
    """The rule's proposals whose tags begin with one of the details."""

    def sites(site: Site) -> Iterator[Proposal]:
        for proposal in rule(site):
            if any(tag.startswith(details) for tag in proposal.tags):
                yield proposal

    return sites


def _limits(site: Site) -> Iterator[Proposal]:
    for proposal in bounds.off_by_one(site):
        slot = proposal.slot
        if slot is not None and (slot.role in (Role.COMPARED, Role.INDEX) or bounds.in_range(slot)):
            yield proposal


def _amounts(site: Site) -> Iterator[Proposal]:
    for proposal in bounds.off_by_one(site):
        slot = proposal.slot
        if slot is None or slot.role not in (Role.VALUE, Role.RETURN, Role.ARGUMENT, Role.ELEMENT):
            continue
        # A ±1 forgotten looks natural anywhere, one too many only in a computed value.
        if "off_by_one:drop" in proposal.tags or isinstance(slot.node, ast.BinOp | ast.Call):
            yield proposal


def drop_condition_clause(site: Site) -> Iterator[Proposal]:
    """Forget one of the clauses of a condition."""
    for proposal in conditions.drop_clause(site):
        if proposal.slot is not None and (
            conditions.is_condition(proposal.slot) or proposal.slot.role is Role.TEST
        ):
            yield proposal


def drop_term(site: Site) -> Iterator[Proposal]:
    """Forget a simple term of a sum or a product."""
    for proposal in expressions.terms(site):
        slot = proposal.slot
        if (
            "expression:drop_term" not in proposal.tags
            or slot is None
            or not isinstance(slot.node, ast.BinOp)
        ):
            continue
        gone = next(
            (
                part
                for part in (slot.node.left, slot.node.right)
                if site.outer_text(part, slot.node) != proposal.after.strip("()")
            ),
            slot.node,
        )
        if isinstance(gone, ast.Name | ast.Attribute | ast.Call) and len(site.text(gone)) <= 24:
            yield proposal


def misuse_expression(site: Site) -> Iterator[Proposal]:
    """Use another expression of the function, or the whole object for one of its parts."""
    counts = Counter(
        ast.unparse(node)
        for node in site.scope.nodes
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Call)
    )
    # What is used nowhere else in the function could not be found again.
    for proposal in expressions.ingredient(site):
        slot = proposal.slot
        if slot is not None and not isinstance(slot.node, ast.Name) and counts[ast.unparse(slot.node)] > 1:
            yield proposal
    for slot in site.slots:
        node = slot.node
        if not isinstance(node, ast.Attribute | ast.Subscript) or counts[ast.unparse(node)] < 2:
            continue
        if isinstance(node.value, ast.Name) and slot.role in (Role.ARGUMENT, Role.ELEMENT, Role.COMPARED):
            yield site.replace(
                slot, node.value.id, ATOM, RepairTemplate.EXPRESSION, "expression:owner", weight=0.3
            )


def drop_guard(site: Site) -> Iterator[Proposal]:
    """Leave out an `if` that jumps away."""
    node, statement = site.node, site.statement
    if not is_guard(node) or statement.index + 1 >= len(statement.siblings):
        return
    span = statements.whole_lines(site)
    if span is not None:
        yield Proposal(*span, "", RepairTemplate.GUARD, ("drop_guard",), 0.5, before=site.text(node))


def drop_enclosing_if(site: Site) -> Iterator[Proposal]:
    """Do always what should be done only if a condition holds."""
    node = site.node
    if not isinstance(node, ast.If) or node.orelse or len(node.body) != 1 or is_guard(node):
        return
    (inner,) = node.body
    if not isinstance(inner, ast.Expr | ast.Assign | ast.AugAssign) or not site.statement.text.startswith(
        "if"
    ):
        return
    text = site.text(inner)
    if "\n" not in text:
        yield Proposal(
            *site.module.span(node), text, RepairTemplate.GUARD, ("drop_if",), 0.5, before=site.text(node)
        )


def add_clause(site: Site) -> Iterator[Proposal]:
    """Ask for more, or be content with less, than the condition should."""
    for proposal in conditions.extend_condition(site):
        if proposal.weight >= 0.3:
            yield proposal


_NEVER_ADDED = ("len", "enumerate", "reversed", "iter", "str")
"""Calls that change what a value is too much to be put around it by mistake."""


def add_wrap(site: Site) -> Iterator[Proposal]:
    """Call something around a value that was right without it."""
    for proposal in wraps.wrap(site):
        slot, name = proposal.slot, proposal.new
        if slot is None or name is None or name in _NEVER_ADDED or site.kind(slot.node) is Kind.UNKNOWN:
            continue
        if name in wraps.REMOVABLE or f".{name}" in wraps.REMOVABLE or name in ("min", "max"):
            yield proposal


def repeat_statement(site: Site) -> Iterator[Proposal]:
    """Do the same thing twice."""
    node, statement = site.node, site.statement
    indent = site.module.indent_of(statement.start)
    if indent is None or "\n" in statement.text:
        return
    changes = isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    )
    if changes:
        yield Proposal(
            statement.start, statement.start, f"{statement.text}\n{indent}", RepairTemplate.STATEMENT,
            ("repeat_statement",), 0.5, after=statement.text,
        )  # fmt: skip


def stray_statement(site: Site) -> Iterator[Proposal]:
    """Jump out of a loop, or start over, in the middle of it."""
    node = site.node
    if not isinstance(node, ast.For | ast.While):
        return
    last, first = node.body[-1], node.body[0]
    inside = site.module.indent_of(site.module.span(last)[0])
    final = site.scope.node.body[-1]
    if inside is None or isinstance(last, ast.Return | ast.Break | ast.Continue | ast.Raise):
        return
    end = site.module.span(last)[1]
    if isinstance(final, ast.Return) and final.value is not None and "\n" not in site.text(final):
        yield Proposal(
            end, end, f"\n{inside}{site.text(final)}", RepairTemplate.STATEMENT, ("stray_return",), 0.5,
            after=site.text(final),
        )  # fmt: skip
    before = site.statement.siblings[: site.statement.index]
    start = site.module.span(first)[0]
    for other in before[-2:]:
        if isinstance(other, ast.Assign) and isinstance(other.value, ast.Constant | ast.List | ast.Dict):
            text = site.text(other)
            if "\n" not in text:
                yield Proposal(
                    start,
                    start,
                    f"{text}\n{inside}",
                    RepairTemplate.STATEMENT,
                    ("stray_reset",),
                    0.5,
                    after=text,
                )


def swap_dependent(site: Site) -> Iterator[Proposal]:
    """Do two things in the wrong order, where the order matters."""
    for proposal in statements.swap(site):
        if proposal.weight > 0.1:
            yield proposal


OPERATORS: tuple[Operator, ...] = (
    Operator("shift_limit", RepairTemplate.OFF_BY_ONE, _limits, 2.0),
    Operator("shift_amount", RepairTemplate.OFF_BY_ONE, _amounts),
    Operator("shift_start", RepairTemplate.OFF_BY_ONE, _only(bounds.off_by_one, "off_by_one:start"), 0.7),
    Operator(
        "shift_slice",
        RepairTemplate.SLICE,
        _only(slices.slices, "slice:lower", "slice:upper", "slice:side", "slice:drop_step"),
        2.0,
    ),
    Operator("drop_slice", RepairTemplate.SLICE, _only(slices.slices, "slice:drop_all")),
    Operator("add_slice", RepairTemplate.SLICE, _only(slices.slices, "slice:add"), 0.3),
    Operator("swap_boundary", RepairTemplate.BOUNDARY, bounds.boundary),
    Operator("drop_guard", RepairTemplate.GUARD, drop_guard, 3.0),
    Operator("drop_enclosing_if", RepairTemplate.GUARD, drop_enclosing_if),
    Operator("drop_clause", RepairTemplate.CONDITION, drop_condition_clause, 3.0),
    Operator("add_clause", RepairTemplate.CONDITION, add_clause),
    Operator("misuse_variable", RepairTemplate.VARIABLE, names.variable),
    Operator("misuse_attribute", RepairTemplate.EXPRESSION, expressions.attribute, 2.0),
    Operator("drop_term", RepairTemplate.EXPRESSION, drop_term, 2.0),
    Operator("add_term", RepairTemplate.EXPRESSION, _only(expressions.terms, "expression:add_term"), 0.5),
    Operator("misuse_expression", RepairTemplate.EXPRESSION, misuse_expression),
    Operator("drop_wrap", RepairTemplate.WRAP, wraps.unwrap),
    Operator("add_wrap", RepairTemplate.UNWRAP, add_wrap),
    Operator("wrong_call", RepairTemplate.CALL, calls.call),
    Operator("turn_comparison", RepairTemplate.COMPARISON, bounds.comparison),
    Operator("swap_operator", RepairTemplate.ARITHMETIC, arithmetic.arithmetic),
    Operator("swap_assignment", RepairTemplate.AUGMENT, arithmetic.augment),
    Operator("swap_logic", RepairTemplate.LOGIC, conditions.logic),
    Operator("flip_condition", RepairTemplate.NEGATE, conditions.negate),
    Operator(
        "wrong_constant",
        RepairTemplate.CONSTANT,
        _only(
            constants.constant,
            "constant:+1",
            "constant:-1",
            "constant:flip",
            "constant:file",
            "constant:negate",
            "constant:scale",
            "constant:blank",
            "constant:empty",
            "constant:shorter",
            "constant:spaced",
        ),
    ),
    Operator("drop_keyword", RepairTemplate.KEYWORD, _only(keywords.keyword, "keyword:drop"), 2.0),
    Operator(
        "wrong_keyword", RepairTemplate.KEYWORD, _only(keywords.keyword, "keyword:change", "keyword:default")
    ),
    Operator("add_keyword", RepairTemplate.KEYWORD, _only(keywords.keyword, "keyword:add"), 0.5),
    Operator("wrong_return", RepairTemplate.RETURN, names.returned),
    Operator("swap_statements", RepairTemplate.STATEMENT, swap_dependent),
    Operator("repeat_statement", RepairTemplate.STATEMENT, repeat_statement),
    Operator("stray_statement", RepairTemplate.STATEMENT, stray_statement),
    Operator("swap_arguments", RepairTemplate.ARGSWAP, calls.argswap),
    Operator("swap_indices", RepairTemplate.INDEXSWAP, statements.indexswap),
    Operator("wrong_start_value", RepairTemplate.LITERAL_FILL, constants.literal_fill),
)
"""Every operator; those that repair a held-out template are used by one split only."""


def operators_for(template: RepairTemplate) -> tuple[Operator, ...]:
    """The operators whose bugs the template repairs."""
    return tuple(operator for operator in OPERATORS if operator.repairs is template)
