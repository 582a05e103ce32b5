"""Rules for expressions: a term more or less, another attribute, another expression of the function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ..kinds import Kind, compatible
from ..nodes import free_names
from ..scope import words
from ..site import Proposal, Site
from ..slots import ATOM, SUM, TERM, Role, Slot, level
from ..templates import RepairTemplate

_ATTRIBUTES = 4
_EXPRESSIONS = 3


_TERMS = 4


def attribute(site: Site) -> Iterator[Proposal]:
    """Another attribute of the same object."""
    for slot in site.slots:
        node = slot.node
        if not isinstance(node, ast.Attribute) or slot.role is Role.CALLEE:
            continue
        for name, weight in other_attributes(site, node):
            yield site.replace(
                slot, f"{site.text(node.value)}.{name}", ATOM, RepairTemplate.EXPRESSION,
                "expression", "expression:attribute", weight=weight, old=node.attr, new=name,
            )  # fmt: skip


def other_attributes(site: Site, node: ast.Attribute) -> list[tuple[str, float]]:
    """Attributes that could be meant instead, best first."""
    scored: dict[str, float] = dict.fromkeys(site.context.attributes.get(node.attr, ()), 0.3)
    if isinstance(node.value, ast.Name):
        methods = set(site.context.signatures)
        for (owner, name), _ in site.scope.attributes.items():
            if owner == node.value.id and name not in methods and name != node.attr:
                scored[name] = scored.get(name, 0.2) + 0.15
    old_kind = site.kinds.get(f".{node.attr}", Kind.UNKNOWN)
    found: list[tuple[str, float]] = []
    for name, weight in scored.items():
        kind = site.kinds.get(f".{name}", Kind.UNKNOWN)
        if compatible(old_kind, kind):
            bonus = 0.1 if kind is old_kind and kind is not Kind.UNKNOWN else 0.0
            bonus += 0.1 if set(words(name)) & set(words(node.attr)) else 0.0
            found.append((name, weight + bonus))
    found.sort(key=lambda item: (-item[1], item[0]))
    return found[:_ATTRIBUTES]


def terms(site: Site) -> Iterator[Proposal]:
    """A term too many or too few."""
    for slot in site.slots:
        node = slot.node
        if slot.role in (Role.TARGET, Role.CALLEE, Role.OWNER):
            continue
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            for part, keeps in ((node.left, "left"), (node.right, "right")):
                other = node.right if keeps == "left" else node.left
                if isinstance(other, ast.Constant) and other.value == 1:
                    continue
                if site.kind(node) in (Kind.TEXT, Kind.LIST):
                    continue
                text = site.outer_text(part, node)
                yield site.replace(
                    slot, text, ATOM if text.startswith("(") else level(part), RepairTemplate.EXPRESSION,
                    "expression", "expression:drop_term", weight=0.35 if keeps == "left" else 0.2,
                )  # fmt: skip
        if _countable(site, slot):
            yield from _added(site, slot)


def _countable(site: Site, slot: Slot) -> bool:
    if slot.role not in (
        Role.VALUE,
        Role.RETURN,
        Role.ARGUMENT,
        Role.COMPARED,
        Role.INDEX,
        Role.BOUND,
        Role.ELEMENT,
    ):
        return False
    if isinstance(slot.node, ast.Constant | ast.UnaryOp | ast.IfExp | ast.BoolOp | ast.Compare):
        return False
    return site.kind(slot.node) is Kind.NUMBER


def _added(site: Site, slot: Slot) -> Iterator[Proposal]:
    text = site.operand(slot.node, slot.node, SUM)
    for name, weight in addends(site, slot)[:_TERMS]:
        for sign, share in (("+", 1.0), ("-", 0.8)):
            yield site.replace(
                slot, f"{text} {sign} {name}", SUM, RepairTemplate.EXPRESSION,
                "expression", f"expression:add_term{sign}", weight=weight * share, new=name,
            )  # fmt: skip
        if weight >= 0.4:
            yield site.replace(
                slot, f"{site.operand(slot.node, slot.node, TERM)} * {name}", TERM, RepairTemplate.EXPRESSION,
                "expression", "expression:add_term*", weight=weight * 0.7, new=name,
            )  # fmt: skip
            yield site.replace(
                slot, f"{name} - {site.operand(slot.node, slot.node, TERM)}", SUM, RepairTemplate.EXPRESSION,
                "expression", "expression:add_term_before", weight=weight * 0.6, new=name,
            )  # fmt: skip


def addends(site: Site, slot: Slot) -> list[tuple[str, float]]:
    """Numbers that could be missing from a sum, best first."""
    mentioned = ast.unparse(slot.node)
    words_here = free_names(slot.node)
    scored: dict[str, float] = {}
    for name in dict.fromkeys((*slot.bound, *reversed(site.visible))):
        if name == site.scope.receiver or name in words_here:
            continue
        kind = site.kinds.get(name, Kind.UNKNOWN)
        idle = not site.scope.loads[name]
        if kind is Kind.NUMBER or (kind is Kind.UNKNOWN and idle):
            scored[name] = 0.6 if idle else 0.16
        elif kind in (Kind.LIST, Kind.TEXT):
            scored[f"len({name})"] = 0.5 if idle else 0.14
    receiver = site.scope.receiver
    if receiver is not None:
        used = {attr for owner, attr in site.scope.attributes if owner == receiver}
        own = {attr for owner, attr in site.scope.attributes if owner == receiver}
        for attr in own:
            own = own | set(site.context.attributes.get(attr, ()))
        for attr in sorted(own):
            kind = site.kinds.get(f".{attr}", Kind.UNKNOWN)
            hint = 0.3 if attr not in used else 0.12
            if kind is Kind.NUMBER and f"{receiver}.{attr}" not in mentioned:
                scored[f"{receiver}.{attr}"] = hint
            elif kind in (Kind.LIST, Kind.TEXT) and f"len({receiver}.{attr})" not in mentioned:
                scored[f"len({receiver}.{attr})"] = hint - 0.05
    for node in ast.walk(slot.node):
        # The same attribute of another object, `self.hits` for `other.hits`.
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            for name in site.visible:
                if (name != node.value.id and (name, node.attr) in site.scope.attributes) or (
                    name == receiver and name != node.value.id
                ):
                    scored[f"{name}.{node.attr}"] = 0.5
    for other in site.scope.nodes:
        if isinstance(other, ast.Call) and len(other.args) == 1 and not other.keywords:
            call = ast.unparse(other)
            known = free_names(other) & {*site.scope.locals, *site.scope.parameters}
            if (
                len(call) <= 20
                and site.kind(other) is Kind.NUMBER
                and call not in mentioned
                and known <= {*site.visible, *slot.bound}
            ):
                scored.setdefault(call, 0.12)
    return sorted(scored.items(), key=lambda item: (-item[1], item[0]))


def ingredient(site: Site) -> Iterator[Proposal]:
    """Another expression of the same function in place of a name, attribute, item or call."""
    pool = _ingredients(site)
    local = {*site.scope.locals, *site.scope.parameters}
    for slot in site.slots:
        node = slot.node
        if slot.role in (Role.TARGET, Role.CALLEE, Role.OWNER, Role.TEST, Role.OTHER):
            continue
        if not isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Name):
            continue
        if isinstance(node, ast.Name) and (node.id not in local or node.id == site.scope.receiver):
            continue
        text, kind = ast.unparse(node), site.kind(node)
        known, count = {*site.visible, *slot.bound}, 0
        for other in pool:
            if count == _EXPRESSIONS:
                break
            same = other.kind is kind is not Kind.UNKNOWN
            if other.text == text or not (same or Kind.UNKNOWN in (kind, other.kind)):
                continue
            if text in other.text and not isinstance(node, ast.Name):
                continue
            if isinstance(node, ast.Name):
                # `item` for `item.price` is a slip people make; an unrelated expression is not.
                if other.sort is ast.Call or node.id != other.owner:
                    continue
            elif other.sort is not type(node):
                continue
            if other.names & local <= known:
                count += 1
                yield site.replace(
                    slot, other.text, ATOM, RepairTemplate.EXPRESSION, "expression", "expression:other",
                    weight=0.22 if same else 0.12,
                )  # fmt: skip


@dataclass(frozen=True)
class _Ingredient:
    text: str
    kind: Kind
    names: frozenset[str]
    sort: type[ast.AST]
    owner: str | None


def _ingredients(site: Site) -> list[_Ingredient]:
    found: dict[str, _Ingredient] = {}
    called = {id(node.func) for node in site.scope.nodes if isinstance(node, ast.Call)}
    for node in site.scope.nodes:
        if not isinstance(node, ast.Attribute | ast.Subscript | ast.Call) or id(node) in called:
            continue
        if isinstance(getattr(node, "ctx", None), ast.Store):
            continue
        if isinstance(node, ast.Call) and (len(node.args) > 1 or node.keywords):
            continue
        text = ast.unparse(node)
        if len(text) <= 24:
            owner = node.value if isinstance(node, ast.Attribute | ast.Subscript) else None
            found[text] = _Ingredient(
                text,
                site.kind(node),
                free_names(node),
                type(node),
                owner.id if isinstance(owner, ast.Name) else None,
            )
    return list(found.values())
