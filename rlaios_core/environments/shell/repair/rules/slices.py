"""Rules for slices: another bound, one bound more or less, the other end, the whole slice."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..kinds import Kind
from ..site import Proposal, Site
from ..slots import ATOM, Role, Slot, level
from ..templates import RepairTemplate
from .bounds import integer, is_one


def slices(site: Site) -> Iterator[Proposal]:
    """Another bound, one bound more or less, the other end, or no slice at all."""
    for slot in site.slots:
        node = slot.node
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            if slot.role is Role.TARGET:
                continue
            owner = site.text(node.value)
            for inner, detail, weight in slice_texts(site, slot, node.slice):
                yield site.replace(
                    slot,
                    f"{owner}[{inner}]",
                    ATOM,
                    RepairTemplate.SLICE,
                    "slice",
                    f"slice:{detail}",
                    weight=weight,
                )
            yield site.replace(
                slot, owner, level(node.value), RepairTemplate.SLICE, "slice", "slice:drop_all", weight=0.3
            )
        elif _sliceable(site, slot):
            for inner, weight in added_slices(site, slot):
                detail = f"add[{inner}]" if not inner.strip(":-1") else "add_name"
                made = f"{site.text(node)}[{inner}]"
                yield site.replace(
                    slot, made, ATOM, RepairTemplate.SLICE, "slice", f"slice:{detail}", weight=weight
                )


def added_slices(site: Site, slot: Slot) -> list[tuple[str, float]]:
    """Slices that could be missing, best first."""
    offers = {"1:": 0.16, ":-1": 0.14}
    if slot.role in (Role.VALUE, Role.RETURN, Role.ITER):
        offers["::-1"] = 0.12
    if site.kind(slot.node) is not Kind.TEXT and slot.role in (Role.VALUE, Role.RETURN, Role.ARGUMENT):
        offers[":"] = 0.12
    if site.kind(slot.node) is Kind.TEXT:
        offers["1:-1"] = 0.12
    numbers = [
        name for name in dict.fromkeys((*slot.bound, *reversed(site.visible)))
        if site.kinds.get(name) is Kind.NUMBER or (name in site.visible and not site.scope.loads[name])
    ]  # fmt: skip
    numbers.sort(key=lambda name: site.scope.loads[name] > 0)
    for name in numbers[:3]:
        idle = not site.scope.loads[name]
        offers[f":{name}"] = 0.6 if idle else 0.15
        offers[f"{name}:"] = 0.4 if idle else 0.13
        if slot.role is Role.ITER:
            offers[f"{name} + 1:"] = 0.14
    return sorted(offers.items(), key=lambda item: -item[1])


def _sliceable(site: Site, slot: Slot) -> bool:
    if slot.role not in (Role.ITER, Role.VALUE, Role.RETURN, Role.ARGUMENT):
        return False
    if not isinstance(slot.node, ast.Name | ast.Attribute | ast.Call):
        return False
    if isinstance(slot.node, ast.Call) and isinstance(slot.node.func, ast.Name):
        # What range, zip or enumerate give cannot be sliced.
        return slot.node.func.id in ("sorted", "list", "tuple")
    kind = site.kind(slot.node)
    if kind is Kind.UNKNOWN:
        # Where nothing is known of the value, a parameter that nothing uses may be a bound.
        return any(not site.scope.loads[name] for name in site.scope.parameters)
    return kind in (Kind.LIST, Kind.TEXT)


def slice_texts(site: Site, slot: Slot, node: ast.Slice) -> Iterator[tuple[str, str, float]]:
    """Other insides for a slice, with what was done and how likely it is."""
    lower = site.text(node.lower) if node.lower else ""
    upper = site.text(node.upper) if node.upper else ""
    step = f":{site.text(node.step)}" if node.step else ""
    if node.step is not None:
        yield f"{lower}:{upper}", "drop_step", 0.3
    for text, detail in _bounds(site, node.lower):
        yield f"{text}:{upper}{step}", f"lower{detail}", 0.5
    for text, detail in _bounds(site, node.upper):
        yield f"{lower}:{text}{step}", f"upper{detail}", 0.5
    if lower and upper:
        yield f":{upper}{step}", "lower_drop", 0.35
        yield f"{lower}:{step}", "upper_drop", 0.35
    elif lower or upper:
        yield f"{upper}:{lower}{step}", "side", 0.4
    if not lower:
        yield f"1:{upper}{step}", "lower_add", 0.3
    if not upper:
        yield f"{lower}:-1{step}", "upper_add", 0.3
    numbers = [
        name for name in (*site.visible, *slot.bound)
        if site.kinds.get(name) is Kind.NUMBER and name not in (lower, upper)
    ]  # fmt: skip
    for name in numbers[-4:]:
        if not lower and upper:
            yield f"{name}:{upper}{step}", "lower_name", 0.3
        if not upper and lower:
            yield f"{lower}:{name}{step}", "upper_name", 0.3


def _bounds(site: Site, node: ast.expr | None) -> Iterator[tuple[str, str]]:
    if node is None:
        return
    value = integer(node)
    if value is not None:
        yield str(value + 1), "+1"
        yield str(value - 1), "-1"
        if value not in (0, 1):
            yield str(-value), "_negate"
        return
    text = site.text(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and is_one(node.right):
        left = site.outer_text(node.left, node)
        yield left, "_drop1"
        yield f"{left} {'-' if isinstance(node.op, ast.Add) else '+'} 1", "_flip1"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield site.text(node.operand), "_negate"
        yield f"{text} + 1", "+1"
        yield f"{text} - 1", "-1"
    else:
        yield f"{text} + 1", "+1"
        yield f"{text} - 1", "-1"
        if isinstance(node, ast.Name | ast.Attribute | ast.Call):
            yield f"-{text}", "_negate"
