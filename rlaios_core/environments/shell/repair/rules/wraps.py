"""Rules for layers: a call missing around a value, or one too many."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..kinds import Kind, compatible
from ..nodes import free_names
from ..site import Proposal, Site
from ..slots import ATOM, Role, Slot, level
from ..templates import RepairTemplate

_BY_KIND: dict[Kind, tuple[str, ...]] = {
    Kind.NUMBER: ("abs", "int", "round"),
    Kind.TEXT: (".strip", ".lower", "len", "int", ".upper", "float"),
    Kind.LIST: ("sorted", "list", "len", "set", "reversed", "tuple"),
    Kind.MAPPING: ("dict", "sorted", "list", "len", ".copy"),
    Kind.SET: ("sorted", "len", "list", "set"),
    Kind.UNKNOWN: ("list", "sorted", "str", "int", "len", ".strip"),
}
REMOVABLE = frozenset(
    {
        "abs",
        "int",
        "round",
        "float",
        "str",
        "len",
        "sorted",
        "list",
        "set",
        "tuple",
        "dict",
        "reversed",
        "bool",
        "sum",
        "frozenset",
        "repr",
        "iter",
        "enumerate",
        "deepcopy",
        ".strip",
        ".lstrip",
        ".rstrip",
        ".lower",
        ".upper",
        ".copy",
        ".casefold",
        ".title",
    }
)
"""Calls that give a value of a like kind back, so that they may be missing unnoticed."""

_WRAPS = 4


def wrap(site: Site) -> Iterator[Proposal]:
    """A call around a value."""
    for slot in site.slots:
        if not _wrappable(slot):
            continue
        text = site.text(slot.node)
        for name, weight in wrappers(site, slot):
            made = (
                f"{site.operand(slot.node, slot.node, ATOM)}{name}()" if name[0] == "." else f"{name}({text})"
            )
            yield site.replace(
                slot,
                made,
                ATOM,
                RepairTemplate.WRAP,
                "wrap",
                f"wrap:{name}",
                weight=weight,
                new=name.lstrip("."),
            )
        if site.kind(slot.node) is Kind.NUMBER:
            yield from _clamps(site, slot, text)


def _wrappable(slot: Slot) -> bool:
    if isinstance(
        slot.node, ast.Constant | ast.Starred | ast.JoinedStr | ast.Lambda | ast.Compare | ast.BoolOp
    ):
        return False
    if isinstance(slot.node, ast.Tuple | ast.IfExp | ast.Yield | ast.YieldFrom):
        return False
    return slot.role in (
        Role.ITER,
        Role.ARGUMENT,
        Role.VALUE,
        Role.RETURN,
        Role.COMPARED,
        Role.ELEMENT,
        Role.INDEX,
        Role.OWNER,
        Role.OPERAND,
    )


def wrappers(site: Site, slot: Slot) -> list[tuple[str, float]]:
    """Calls that could be missing around the expression, best first; methods begin with a dot."""
    kind = site.kind(slot.node)
    scored: dict[str, float] = {}
    local = slot.role not in (Role.OWNER, Role.OPERAND, Role.INDEX)
    usual = _BY_KIND.get(kind, ()) if local else ()
    for position, name in enumerate(usual):
        if not local or (slot.role is Role.ITER and name in ("len", "int", "str", ".strip")):
            continue
        if kind is Kind.UNKNOWN and name not in site.context.callees:
            continue
        scored[name] = 0.22 - 0.02 * position
    for name, count in site.context.callees.items():
        plain = name.lstrip(".")
        signatures = site.context.signatures.get(plain, ())
        if signatures:
            needs = [signature.required for signature in signatures]
            if name[0] == "." and (0 not in needs or kind not in (Kind.UNKNOWN, Kind.OTHER)):
                continue
            if name[0] != "." and 1 not in needs:
                continue
            if plain == site.scope.name:
                continue
            returns = {signature.kind for signature in signatures}
            if not any(compatible(kind, one) for one in returns):
                continue
            scored[name] = 0.2 + 0.03 * min(count, 5)
        elif name in REMOVABLE and name in scored:
            scored[name] += 0.12 + 0.02 * min(count, 5)
        elif name in REMOVABLE and kind is Kind.UNKNOWN and local:
            scored[name] = 0.12 + 0.02 * min(count, 5)
        elif name in REMOVABLE and not local and _fits_inside(name, kind):
            scored[name] = 0.1 + 0.02 * min(count, 5)
    if slot.role is Role.ITER and isinstance(slot.node, ast.Name | ast.Attribute | ast.Subscript):
        if _two_targets(slot):
            scored[".items"] = 0.6 if kind is Kind.MAPPING else 0.45
            scored["enumerate"] = 0.4
        elif kind is Kind.MAPPING:
            scored[".values"] = 0.3
    if kind is Kind.MAPPING and slot.role is Role.ARGUMENT and isinstance(slot.parent, ast.Call):
        scored |= {".items": 0.3, ".values": 0.3}
    if kind in (Kind.LIST, Kind.TEXT, Kind.MAPPING, Kind.SET) and _among_numbers(site, slot):
        scored["len"] = 0.7
    if isinstance(slot.node, ast.Call):
        scored.pop(plain_name(slot.node.func), None)
    if isinstance(slot.parent, ast.Call):
        scored.pop(plain_name(slot.parent.func), None)
    ranked = sorted(scored.items(), key=lambda item: (-item[1], item[0]))
    return ranked[: _WRAPS if local else 2]


def plain_name(function: ast.expr) -> str:
    """A function's name, a method's with a dot in front."""
    if isinstance(function, ast.Name):
        return function.id
    return f".{function.attr}" if isinstance(function, ast.Attribute) else ""


def _fits_inside(name: str, kind: Kind) -> bool:
    if name[0] == ".":
        return kind is Kind.TEXT
    if name in ("abs", "int", "round", "float"):
        return kind is Kind.NUMBER
    return name == "len" and kind is Kind.LIST


def _among_numbers(site: Site, slot: Slot) -> bool:
    """Whether the value stands where a number must stand."""
    parent = slot.parent
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Sub | ast.Div | ast.FloorDiv | ast.Add):
        other = parent.right if slot.field == "left" else parent.left
        return site.kind(other) is Kind.NUMBER
    if isinstance(parent, ast.Compare) and not isinstance(parent.ops[0], ast.In | ast.NotIn):
        others = [part for part in (parent.left, *parent.comparators) if part is not slot.node]
        return any(site.kind(part) is Kind.NUMBER for part in others)
    return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "range"


def _two_targets(slot: Slot) -> bool:
    target = slot.parent.target if isinstance(slot.parent, ast.comprehension | ast.For) else None
    return isinstance(target, ast.Tuple) and len(target.elts) == 2


def _clamps(site: Site, slot: Slot, text: str) -> Iterator[Proposal]:
    if slot.role in (Role.OWNER, Role.INDEX, Role.OPERAND):
        return
    if (
        isinstance(slot.node, ast.Call)
        and isinstance(slot.node.func, ast.Name)
        and slot.node.func.id in ("min", "max")
    ):
        return
    computed = isinstance(slot.node, ast.BinOp)
    offers = [("max", "0", 0.35), ("max", "1", 0.12)] if computed else [("max", "0", 0.12)]
    mentioned = free_names(slot.node)
    numbers = [
        name for name in (*slot.bound, *reversed(site.visible))
        if site.kinds.get(name) is Kind.NUMBER and name not in mentioned
    ]  # fmt: skip
    numbers.sort(key=lambda name: site.scope.loads[name] > 0)
    for name in numbers[:2]:
        weight = 0.5 if not site.scope.loads[name] else 0.16 if computed else 0.08
        offers += [("min", name, weight), ("max", name, weight - 0.02)]
    receiver = site.scope.receiver
    if receiver is not None:
        own = [name for name in site.context.attributes if site.kinds.get(f".{name}") is Kind.NUMBER]
        for name in own[:4]:
            if f"{receiver}.{name}" not in text and any(
                word in name
                for word in ("max", "min", "limit", "cap", "size", "width", "bound", "most", "least")
            ):
                offers += [("min", f"{receiver}.{name}", 0.25), ("max", f"{receiver}.{name}", 0.15)]
    for function, bound, weight in offers:
        yield site.replace(
            slot, f"{function}({bound}, {text})", ATOM, RepairTemplate.WRAP,
            "wrap", f"wrap:{function}", weight=weight, new=function,
        )  # fmt: skip


def unwrap(site: Site) -> Iterator[Proposal]:
    """A value without the call around it."""
    for slot in site.slots:
        node = slot.node
        if not isinstance(node, ast.Call) or node.keywords or slot.role is Role.CALLEE:
            continue
        for inner, name in inners(site, node):
            text = site.outer_text(inner, node)
            yield site.replace(
                slot, text, ATOM if text.startswith("(") else level(inner), RepairTemplate.UNWRAP,
                "unwrap", f"unwrap:{name}", weight=0.35 if name in REMOVABLE else 0.15, old=name.lstrip("."),
            )  # fmt: skip


def inners(site: Site, node: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    """What is left of a call without the call, with the name of what goes."""
    if isinstance(node.func, ast.Name):
        name = node.func.id
        if name in ("min", "max") and len(node.args) == 2:
            for part in node.args:
                if not isinstance(part, ast.Constant):
                    yield part, name
            return
        removable = name in REMOVABLE or name in site.context.signatures
        if len(node.args) == 1 and removable and not isinstance(node.args[0], ast.Starred | ast.GeneratorExp):
            yield node.args[0], name
    elif isinstance(node.func, ast.Attribute) and not node.args:
        name = f".{node.func.attr}"
        if name in REMOVABLE or name in (".items", ".values", ".keys"):
            yield node.func.value, name
