"""Rules for names: another variable, another result."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rlaios_core.environments.shell.syntax import parse_expression

from ..kinds import Kind, compatible
from ..nodes import free_names
from ..scope import words
from ..site import Proposal, Site
from ..slots import ATOM, Role, Slot, level
from ..templates import RepairTemplate

_NAMES = 6


def variable(site: Site) -> Iterator[Proposal]:
    """Another name that is in scope."""
    for slot in site.slots:
        node = slot.node
        if not isinstance(node, ast.Name) or slot.role is Role.CALLEE:
            continue
        for name, weight in alternatives(site, slot, node):
            yield site.replace(
                slot, name, ATOM, RepairTemplate.VARIABLE,
                "variable", "variable:target" if slot.role is Role.TARGET else "variable:use",
                weight=weight, old=node.id, new=name,
            )  # fmt: skip


def alternatives(site: Site, slot: Slot, node: ast.Name) -> list[tuple[str, float]]:
    """Names that could be meant instead, best first."""
    scope = site.scope
    local = {*scope.parameters, *scope.locals, *slot.bound}
    if node.id not in local or node.id == scope.receiver:
        return []
    if slot.role is Role.TARGET:
        if isinstance(site.node, ast.For) or isinstance(slot.parent, ast.Tuple):
            return []
        pool: list[str] = [name for name in scope.locals if name in scope.stores]
    else:
        pool = [*slot.bound, *site.visible]
    old_kind = site.kinds.get(node.id, Kind.UNKNOWN)
    found: list[tuple[str, float]] = []
    for name in dict.fromkeys(pool):
        if name in (node.id, scope.receiver, "_"):
            continue
        kind = site.kinds.get(name, Kind.UNKNOWN)
        if not compatible(old_kind, kind):
            continue
        weight = 0.3
        if kind is old_kind and kind is not Kind.UNKNOWN:
            weight += 0.15
        if not scope.loads[name]:
            weight += 0.35
        if set(words(name)) & set(words(node.id)):
            weight += 0.1
        same = (name in scope.parameters) == (node.id in scope.parameters)
        weight += 0.1 if same else 0.0
        if _repeated(slot, node.id):
            weight += 0.2
        found.append((name, min(weight, 0.95)))
    found.sort(key=lambda item: -item[1])
    return found[:_NAMES]


def _repeated(slot: Slot, name: str) -> bool:
    """Whether the name stands on both sides of the operator around it."""
    parent = slot.parent
    if isinstance(parent, ast.BinOp):
        return (
            isinstance(parent.left, ast.Name)
            and isinstance(parent.right, ast.Name)
            and parent.left.id == parent.right.id
        )
    if isinstance(parent, ast.Compare):
        sides = [part.id for part in (parent.left, *parent.comparators) if isinstance(part, ast.Name)]
        return sides.count(name) > 1
    if isinstance(parent, ast.Call):
        return sum(isinstance(part, ast.Name) and part.id == name for part in parent.args) > 1
    return False


def returned(site: Site) -> Iterator[Proposal]:
    """Another result."""
    node = site.node
    if not isinstance(node, ast.Return) or node.value is None:
        return
    slot = site.slots[0]
    kind = site.kind(node.value)
    offers: dict[str, float] = {}
    for other in site.scope.nodes:
        if isinstance(other, ast.Return) and other.value is not None and other is not node:
            known = {*site.scope.locals, *site.scope.parameters, *site.scope.comprehension_variables}
            if free_names(other.value) & known <= set(site.visible) and len(ast.unparse(other.value)) <= 40:
                offers[ast.unparse(other.value)] = 0.3
    if isinstance(node.value, ast.Constant):
        if isinstance(node.value.value, bool):
            offers[str(not node.value.value)] = 0.7
        elif node.value.value is None:
            offers |= {"[]": 0.2, "0": 0.2, "False": 0.2, "''": 0.15, "{}": 0.15}
        else:
            offers["None"] = 0.2
    else:
        for empty, of in (("None", None), ("[]", Kind.LIST), ("True", Kind.BOOL), ("False", Kind.BOOL)):
            if of in (None, kind):
                offers.setdefault(empty, 0.08)
    locals_first = [name for name in reversed(site.visible) if name != site.scope.receiver]
    if not isinstance(node.value, ast.Name):
        for name in locals_first[:4]:
            if compatible(kind, site.kinds.get(name, Kind.UNKNOWN)):
                offers.setdefault(name, 0.45 if not site.scope.loads[name] else 0.2)
    for text, weight in offers.items():
        yield site.replace(
            slot, text, level(parse_expression(text)), RepairTemplate.RETURN,
            "return", "return:constant" if text[0] in "TFN[0'{" else "return:name", weight=weight,
            new=text if text.isidentifier() else None,
        )  # fmt: skip
