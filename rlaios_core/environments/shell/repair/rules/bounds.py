"""Rules for limits: off-by-one, inclusive and exclusive comparisons, other comparisons."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..kinds import Kind
from ..site import Proposal, Site
from ..slots import ATOM, SUM, Role, Slot, level
from ..templates import RepairTemplate

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
_BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_TURNED = {
    "<": (">",), ">": ("<",), "<=": (">=", "=="), ">=": ("<=", "=="), "==": ("!=", ">=", "<="), "!=": ("==",),
    "in": ("not in",), "not in": ("in",), "is": ("is not",), "is not": ("is",),
}  # fmt: skip
_OPERATOR_TEXT = re.compile(rb"<=|>=|==|!=|<|>|not\s+in|is\s+not|in\b|is\b")


def comparison_operators(site: Site, node: ast.Compare) -> Iterator[tuple[tuple[int, int], str]]:
    """Span and text of each operator of a comparison."""
    left: ast.expr = node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        begin, end = site.module.span(left)[1], site.module.span(right)[0]
        match = _OPERATOR_TEXT.search(site.module.raw, begin, end)
        if match is not None:
            yield match.span(), _OPERATORS[type(op)]
        left = right


def boundary(site: Site) -> Iterator[Proposal]:
    """`<` and `<=`, `>` and `>=`."""
    for slot in site.slots:
        if isinstance(slot.node, ast.Compare):
            for span, operator in comparison_operators(site, slot.node):
                other = _BOUNDARY.get(operator)
                if other is not None:
                    yield site.splice(
                        slot, span, other, RepairTemplate.BOUNDARY,
                        "boundary", f"boundary:{operator}{other}", weight=0.8, shown=slot.node,
                    )  # fmt: skip


def comparison(site: Site) -> Iterator[Proposal]:
    """Another comparison altogether."""
    for slot in site.slots:
        if isinstance(slot.node, ast.Compare):
            for span, operator in comparison_operators(site, slot.node):
                for other in _TURNED[operator]:
                    if operator in ("==", "!=") and other in ("<=", ">=") and not _ordered(site, slot.node):
                        continue
                    yield site.splice(
                        slot, span, other, RepairTemplate.COMPARISON,
                        "comparison", f"comparison:{operator}{other}",
                        weight=0.6 if _TURNED[operator][0] == other else 0.25, shown=slot.node,
                    )  # fmt: skip


def _ordered(site: Site, node: ast.Compare) -> bool:
    kinds = [site.kind(part) for part in (node.left, *node.comparators)]
    return Kind.NUMBER in kinds and all(kind in (Kind.NUMBER, Kind.UNKNOWN) for kind in kinds)


def off_by_one(site: Site) -> Iterator[Proposal]:
    """A ±1 too many, too few or the wrong way round."""
    for slot in site.slots:
        node = slot.node
        if slot.role in (Role.TARGET, Role.CALLEE, Role.OWNER, Role.BOUND) or isinstance(
            slot.parent, ast.JoinedStr
        ):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from _starts(site, slot, node)
        shifted = list(shifts(site, slot))
        for text, strength, detail in shifted:
            yield site.replace(
                slot, text, strength, RepairTemplate.OFF_BY_ONE, "off_by_one", f"off_by_one:{detail}",
                weight=_off_weight(slot, detail),
            )  # fmt: skip


def _off_weight(slot: Slot, detail: str) -> float:
    if detail in ("drop", "flip"):
        return 0.5
    limited = slot.role in (Role.INDEX, Role.COMPARED) or in_range(slot)
    return 0.55 if limited else 0.25


def in_range(slot: Slot) -> bool:
    """Whether the expression is an argument of `range`."""
    return (
        isinstance(slot.parent, ast.Call)
        and isinstance(slot.parent.func, ast.Name)
        and slot.parent.func.id == "range"
        and slot.role is Role.ARGUMENT
    )


def shifts(site: Site, slot: Slot) -> Iterator[tuple[str, int, str]]:
    """Texts of the expression with a ±1 added, dropped or flipped."""
    node = slot.node
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and is_one(node.right):
        left = site.outer_text(node.left, node)
        yield left, ATOM if left.startswith("(") else level(node.left), "drop"
        sign = "-" if isinstance(node.op, ast.Add) else "+"
        yield f"{left} {sign} 1", SUM, "flip"
        return
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and is_one(node.left):
        right = site.outer_text(node.right, node)
        yield right, ATOM if right.startswith("(") else level(node.right), "drop"
        return
    value = integer(node)
    if value is not None:
        if slot.role is Role.INDEX or in_range(slot):
            for other in (value + 1, value - 1):
                yield str(other), ATOM, "+1" if other > value else "-1"
        return
    if isinstance(node, ast.Constant | ast.BoolOp | ast.Compare | ast.IfExp | ast.Lambda | ast.Starred):
        return
    if isinstance(slot.parent, ast.BinOp) and isinstance(slot.parent.op, ast.Add | ast.Sub):
        # Inside a sum the same shift is proposed for the whole sum.
        return
    if _shiftable(site, slot):
        text = site.text(node) if level(node) >= SUM else f"({site.text(node)})"
        yield f"{text} + 1", SUM, "+1"
        yield f"{text} - 1", SUM, "-1"


def _shiftable(site: Site, slot: Slot) -> bool:
    kind = site.kind(slot.node)
    if slot.role is Role.INDEX:
        return kind is Kind.NUMBER and not isinstance(slot.node, ast.Tuple)
    if in_range(slot):
        return True
    if slot.role is Role.COMPARED and isinstance(slot.parent, ast.Compare):
        kinds = [site.kind(part) for part in (slot.parent.left, *slot.parent.comparators)]
        if any(isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in slot.parent.ops):
            return False
        return kind in (Kind.NUMBER, Kind.UNKNOWN) and Kind.NUMBER in kinds
    if slot.role in (Role.VALUE, Role.RETURN, Role.ARGUMENT, Role.ELEMENT):
        if isinstance(slot.parent, ast.AugAssign) and not isinstance(slot.parent.op, ast.Add | ast.Sub):
            return False
        return kind is Kind.NUMBER
    return False


def _starts(site: Site, slot: Slot, node: ast.Call) -> Iterator[Proposal]:
    assert isinstance(node.func, ast.Name)
    name, texts = node.func.id, [site.text(argument) for argument in node.args]
    made: list[tuple[str, str]] = []
    if name == "range" and len(texts) == 1:
        made.append((f"range(1, {texts[0]})", "start"))
    elif name == "range" and len(texts) == 2 and texts[0] in ("0", "1"):
        made.append((f"range({texts[1]})", "start"))
    elif name == "enumerate" and len(texts) == 1 and not node.keywords:
        made.append((f"enumerate({texts[0]}, 1)", "start"))
        made.append((f"enumerate({texts[0]}, start=1)", "start"))
    elif name == "enumerate" and len(texts) + len(node.keywords) == 2:
        made.append((f"enumerate({texts[0]})", "start"))
    for text, detail in made:
        yield site.replace(
            slot, text, ATOM, RepairTemplate.OFF_BY_ONE, "off_by_one", f"off_by_one:{detail}", weight=0.4
        )


def integer(node: ast.expr) -> int | None:
    """The value of an integer literal, with its sign."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = integer(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def is_one(node: ast.expr) -> bool:
    """Whether the node is the literal 1."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 1
