"""Rules for arithmetic: another operator, operands exchanged, assignment and accumulation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..kinds import Kind
from ..site import Proposal, Site
from ..slots import Slot, level
from ..templates import RepairTemplate

_TEXT: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_OTHERS = {
    "+": ("-",),
    "-": ("+",),
    "*": ("/", "+", "**"),
    "/": ("//", "*"),
    "//": ("/", "%"),
    "%": ("//",),
    "**": ("*",),
    "&": ("|",),
    "|": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
    "^": ("|",),
}
_AUGMENTED = {
    "+": ("-=", "="),
    "-": ("+=", "="),
    "*": ("=", "+="),
    "/": ("//=", "="),
    "//": ("/=", "="),
    "|": ("=", "&="),
}
_OPERATOR = re.compile(rb"\*\*|//|<<|>>|[-+*/%&|^]")


def arithmetic(site: Site) -> Iterator[Proposal]:
    """Another operator between the same operands, or the operands exchanged."""
    for slot in site.slots:
        node = slot.node
        if not isinstance(node, ast.BinOp):
            continue
        operator = _TEXT.get(type(node.op))
        if operator is None or _textual(site, node):
            continue
        begin, end = site.module.span(node.left)[1], site.module.span(node.right)[0]
        match = _OPERATOR.search(site.module.raw, begin, end)
        if match is None:
            continue
        for position, other in enumerate(_OTHERS[operator]):
            # The operands keep their own parentheses, so only their binding may change; that is meant.
            yield site.splice(
                slot,
                match.span(),
                other,
                RepairTemplate.ARITHMETIC,
                "arithmetic",
                f"arithmetic:{operator}{other}",
                weight=0.5 if not position else 0.25,
                shown=node,
            )
        if operator in ("-", "/", "//", "%", "**"):
            left = site.operand(node.right, node, level(node))
            right = site.operand(node.left, node, level(node) + 1)
            yield site.replace(
                slot, f"{left} {operator} {right}", level(node), RepairTemplate.ARITHMETIC,
                "arithmetic", f"arithmetic:exchange{operator}", weight=0.3,
            )  # fmt: skip


def _textual(site: Site, node: ast.BinOp) -> bool:
    kinds = (site.kind(node.left), site.kind(node.right))
    if isinstance(node.op, ast.Add | ast.Mult | ast.Mod):
        return Kind.TEXT in kinds or Kind.LIST in kinds
    return False


def augment(site: Site) -> Iterator[Proposal]:
    """Accumulate otherwise, or assign."""
    node = site.node
    if isinstance(node, ast.AugAssign):
        operator = _TEXT[type(node.op)]
        begin, end = site.module.span(node.target)[1], site.module.span(node.value)[0]
        match = _OPERATOR.search(site.module.raw, begin, end)
        if match is None:
            return
        span = (match.start(), match.end() + 1)
        for other in _AUGMENTED.get(operator, ("=",)):
            if other == "-=" and site.kind(node.value) in (Kind.TEXT, Kind.LIST):
                continue
            yield site.splice(
                _target(site), span, other, RepairTemplate.AUGMENT, "augment", f"augment:{operator}={other}",
                weight=0.4 if other == "=" else 0.5,
            )  # fmt: skip
    elif isinstance(node, ast.Assign) and len(node.targets) == 1 and _accumulates(site, node.targets[0]):
        begin, end = site.module.span(node.targets[0])[1], site.module.span(node.value)[0]
        at = site.module.raw.index(b"=", begin, end)
        kind = site.kind(node.value)
        others = ["+="] if kind in (Kind.TEXT, Kind.LIST) else ["+=", "-="]
        if kind is Kind.SET:
            others = ["|="]
        for other in others:
            yield site.splice(
                _target(site), (at, at + 1), other, RepairTemplate.AUGMENT, "augment", f"augment:={other}",
                weight=0.3 if other == "+=" else 0.15,
            )  # fmt: skip


def _target(site: Site) -> Slot | None:
    return site.slots[0] if site.slots else None


def _accumulates(site: Site, target: ast.expr) -> bool:
    """Whether the target may hold a value before the assignment."""
    if isinstance(target, ast.Name):
        first = min((node.lineno for node in site.scope.stores.get(target.id, [])), default=0)
        return target.id in site.scope.parameters or first < site.statement.line
    return isinstance(target, ast.Attribute | ast.Subscript) and site.scope.name != "__init__"
