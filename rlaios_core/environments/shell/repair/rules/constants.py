"""Rules for literals: another number, text or truth value, another value to start from."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rlaios_core.environments.shell.syntax import literal

from ..site import Proposal, Site
from ..slots import ATOM, UNARY, Role, Slot
from ..templates import RepairTemplate
from .bounds import in_range, integer

_NUMBERS = 3
_TEXTS = 4


def constant(site: Site) -> Iterator[Proposal]:
    """Another literal."""
    for slot in site.slots:
        if isinstance(slot.node, ast.UnaryOp) and integer(slot.node) is not None:
            yield from _made(site, slot, _number_texts(site, slot, -integer(slot.node.operand)))  # type: ignore[operator]
        elif isinstance(slot.node, ast.Constant):
            if isinstance(slot.parent, ast.UnaryOp | ast.JoinedStr) or is_initial(site, slot):
                continue
            yield from _made(site, slot, literals(site, slot, slot.node))


def _made(site: Site, slot: Slot, offers: list[tuple[str, str, float]]) -> Iterator[Proposal]:
    for text, detail, weight in offers:
        yield site.replace(
            slot, text, UNARY if text.startswith("-") else ATOM, RepairTemplate.CONSTANT,
            "constant", f"constant:{detail}", weight=weight,
        )  # fmt: skip


def literals(site: Site, slot: Slot, node: ast.Constant) -> list[tuple[str, str, float]]:
    """Literals that could be meant instead: text, what was done, weight."""
    value = node.value
    if isinstance(value, bool):
        return [(str(not value), "flip", 0.5)]
    if value is None:
        return (
            [("0", "none", 0.1), ("False", "none", 0.1), ("''", "none", 0.08)]
            if slot.role is not Role.COMPARED
            else []
        )
    if isinstance(value, int | float):
        return _number_texts(site, slot, value)
    if isinstance(value, str):
        return _string_texts(site, value)
    return []


def _number_texts(site: Site, slot: Slot, value: int | float) -> list[tuple[str, str, float]]:
    found: dict[str, tuple[str, float]] = {}
    whole = isinstance(value, int)
    if not (slot.role is Role.INDEX or in_range(slot)):
        found[repr(value + 1)] = ("+1", 0.35)
        found[repr(value - 1)] = ("-1", 0.35)
    for other in (0, 1, -1):
        text = repr(other if whole else float(other))
        found.setdefault(text, (f"to{other}", 0.25))
    if value not in (0, 1):
        found.setdefault(repr(-value), ("negate", 0.15))
    if value >= 10:
        scaled = value // 10 if whole else value / 10
        found.setdefault(repr(scaled), ("scale", 0.15))
        found.setdefault(repr(value * 10), ("scale", 0.15))
    nearby = [text for text in site.context.literals[site.module.path] if text.replace(".", "").isdigit()]
    nearby.sort(key=lambda text: -site.context.literals[site.module.path][text])
    for text in nearby[:_NUMBERS]:
        found.setdefault(text, ("file", 0.15))
    found.pop(repr(value), None)
    return [(text, detail, weight) for text, (detail, weight) in found.items()]


def _string_texts(site: Site, value: str) -> list[tuple[str, str, float]]:
    found: dict[str, tuple[str, float]] = {}
    counts = site.context.literals[site.module.path]
    for text in sorted(counts, key=lambda text: (-counts[text], text)):
        other = literal(text) if text[0] in "'\"" else None
        if not isinstance(other, str) or other == value:
            continue
        if _alike(value, other):
            found[text] = ("file", 0.2)
        if len(found) == _TEXTS:
            break
    if not value:
        found.setdefault("' '", ("blank", 0.2))
    elif len(value) == 1:
        found.setdefault("''", ("empty", 0.15))
    if len(value) > 1 and len(value) <= 3:
        found.setdefault(repr(value[:-1]), ("shorter", 0.15))
        found.setdefault(repr(value[1:]), ("shorter", 0.12))
    if value and len(value) <= 2:
        found.setdefault(repr(f"{value} "), ("spaced", 0.12))
    found.pop(repr(value), None)
    return [(text, detail, weight) for text, (detail, weight) in found.items()]


def _alike(first: str, second: str) -> bool:
    """Whether one text could be mistaken for the other: both words, or both short marks."""
    if first.isidentifier() or second.isidentifier():
        return first.isidentifier() and second.isidentifier()
    return len(first) <= 3 and len(second) <= 3


def is_initial(site: Site, slot: Slot) -> bool:
    """Whether the literal is a value something starts from: `total = 0`, `[0] * n`, `setdefault(k, [])`."""
    if slot.role is Role.VALUE and isinstance(site.node, ast.Assign | ast.AnnAssign) and slot.depth == 0:
        target = site.node.targets[0] if isinstance(site.node, ast.Assign) else site.node.target
        return isinstance(target, ast.Name | ast.Attribute) and (
            not isinstance(slot.node, ast.Constant)
            or not isinstance(slot.node.value, str)
            or not slot.node.value
        )
    if isinstance(slot.parent, ast.List) and len(slot.parent.elts) == 1:
        return any(
            isinstance(outer.node, ast.BinOp) and isinstance(outer.node.op, ast.Mult) and slot.parent in (
                outer.node.left, outer.node.right
            )
            for outer in site.slots
        )  # fmt: skip
    if isinstance(slot.parent, ast.Call) and isinstance(slot.parent.func, ast.Attribute):
        return (
            slot.parent.func.attr == "setdefault"
            and slot.node is slot.parent.args[-1]
            and len(slot.parent.args) == 2
        )
    return False


def literal_fill(site: Site) -> Iterator[Proposal]:
    """Another value to start from."""
    for slot in site.slots:
        if not is_initial(site, slot):
            continue
        for text, detail, weight in initials(site, slot):
            yield site.replace(
                slot, text, UNARY if text.startswith("-") else ATOM, RepairTemplate.LITERAL_FILL,
                "literal_fill", f"literal_fill:{detail}", weight=weight,
            )  # fmt: skip


def initials(site: Site, slot: Slot) -> list[tuple[str, str, float]]:
    """Values to start from instead."""
    text = site.text(slot.node)
    node = slot.node
    empty = {"[]", "{}", "set()", "''", '""', "()"}
    if text in empty:
        others = [("[]", 0.3), ("{}", 0.25), ("set()", 0.25), ("None", 0.15), ("''", 0.15), ("0", 0.1)]
        same = {"''", '""'} if text in ("''", '""') else {text}
        return [(other, "container", weight) for other, weight in others if other not in same]
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            return [(str(not node.value), "flip", 0.4)]
        if node.value is None:
            return [
                ("[]", "none", 0.2),
                ("0", "none", 0.2),
                ("{}", "none", 0.15),
                ("''", "none", 0.15),
                ("False", "none", 0.1),
            ]
        if isinstance(node.value, int | float):
            value = node.value
            offers = {
                repr(value + 1): 0.3,
                repr(value - 1): 0.25,
                "0": 0.25,
                "1": 0.25,
                "None": 0.12,
                "[]": 0.05,
            }
            offers.pop(text, None)
            return [(other, "number", weight) for other, weight in offers.items()]
    value_text = integer(node)
    if value_text is not None:
        return [
            (other, "number", 0.25)
            for other in ("0", "1", str(value_text + 1), str(value_text - 1))
            if other != text
        ][:3]
    return []
