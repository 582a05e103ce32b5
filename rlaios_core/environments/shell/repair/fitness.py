"""Does a value fit the place it stands in: as an owner, an argument, an operand, a result."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rlaios_core.environments.shell.syntax import parse_expression

from .kinds import Kind, annotation_kind, owner_kind
from .scope import words
from .site import Proposal, Site
from .slots import Role, Slot

_SEQUENCES = (Kind.LIST, Kind.TEXT, Kind.MAPPING, Kind.SET)
_NUMERIC = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow)


def fitness_notes(site: Site, proposal: Proposal) -> Iterator[str]:
    """For an edit that replaces a whole expression: whether the old and the new one fit their place."""
    slot = proposal.slot
    if slot is None or proposal.before == "" or slot.role is Role.TARGET:
        return
    if site.module.span(slot.node) != (proposal.start, proposal.end):
        return
    try:
        new = parse_expression(proposal.replacement)
    except SyntaxError:
        return
    old_fit, new_fit = fit(site, slot, slot.node), fit(site, slot, new)
    yield f"fit:{old_fit:+d}{new_fit:+d}"
    new_kind = site.kind(new)
    yield f"to:{new_kind}"
    old_kind = site.kind(slot.node)
    if Kind.UNKNOWN not in (old_kind, new_kind):
        yield "same_kind" if old_kind is new_kind else "other_kind"


def fit(site: Site, slot: Slot, node: ast.expr) -> int:
    """1 when the value fits its place for a reason, -1 when it clashes, 0 when nothing is known."""
    kind, parent = site.kind(node), slot.parent
    match parent:
        case ast.Attribute(attr=attr):
            return _as_owner(site, node, kind, attr)
        case ast.Call() if slot.field == "args":
            return _as_argument(site, parent, slot, node, kind)
        case ast.BinOp(op=op):
            other = parent.right if slot.field == "left" else parent.left
            second = site.kind(other)
            if isinstance(op, _NUMERIC) and kind in (Kind.TEXT, Kind.LIST, Kind.MAPPING, Kind.BOOL):
                return -1
            return _alike(kind, second)
        case ast.Compare(ops=[op, *_]):
            others = [part for part in (parent.left, *parent.comparators) if part is not slot.node]
            if isinstance(op, ast.In | ast.NotIn):
                if slot.field != "left":
                    return 1 if kind in _SEQUENCES else -1 if kind in (Kind.NUMBER, Kind.BOOL) else 0
                return 0
            return _alike(kind, site.kind(others[0])) if others else 0
        case ast.For() | ast.comprehension():
            return 1 if kind in _SEQUENCES else -1 if kind in (Kind.NUMBER, Kind.BOOL) else 0
        case ast.Subscript() if slot.field == "value":
            return 1 if kind in _SEQUENCES else -1 if kind in (Kind.NUMBER, Kind.BOOL) else 0
        case ast.Return():
            returns = site.scope.node.returns
            wanted = annotation_kind(returns) if returns is not None else Kind.UNKNOWN
            if wanted is Kind.UNKNOWN:
                others_kinds = {
                    site.kind(other.value)
                    for other in site.scope.nodes
                    if isinstance(other, ast.Return) and other.value is not None and other is not parent
                } - {Kind.UNKNOWN, Kind.OTHER}
                wanted = others_kinds.pop() if len(others_kinds) == 1 else Kind.UNKNOWN
            return _alike(kind, wanted)
    return 0


def _alike(kind: Kind, wanted: Kind) -> int:
    if Kind.UNKNOWN in (kind, wanted):
        return 0
    return 1 if kind is wanted else -1


def _as_owner(site: Site, node: ast.expr, kind: Kind, attr: str) -> int:
    wanted = owner_kind(attr)
    if kind is not Kind.UNKNOWN and wanted is not Kind.UNKNOWN:
        return 1 if kind is wanted else -1
    if attr in site.context.signatures or attr in site.context.attributes:
        # Only objects of the project's classes have it.
        if kind in (*_SEQUENCES, Kind.NUMBER, Kind.BOOL):
            return -1
        if isinstance(node, ast.Name) and site.context.owners[node.id, attr] > 1:
            return 1
    return 0


def _as_argument(site: Site, call: ast.Call, slot: Slot, node: ast.expr, kind: Kind) -> int:
    """Whether an argument is called what the parameter is called."""
    place = next((at for at, argument in enumerate(call.args) if argument is slot.node), None)
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if place is None:
        return 0
    if name in ("len", "sorted", "sum", "any", "all", "min", "max", "enumerate") and len(call.args) == 1:
        return 1 if kind in _SEQUENCES else -1 if kind in (Kind.NUMBER, Kind.BOOL) else 0
    if name == "range":
        return 1 if kind is Kind.NUMBER else -1 if kind in _SEQUENCES else 0
    for signature in site.context.signatures.get(name, ()):
        if place < len(signature.parameters):
            parameter = signature.parameters[place]
            own = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
            if own == parameter:
                return 1
            others = [other for other in signature.parameters if other != parameter]
            if own in others:
                return -1
            return 1 if set(words(own)) & set(words(parameter)) else 0
    return 0
