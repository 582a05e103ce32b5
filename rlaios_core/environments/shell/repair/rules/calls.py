"""Rules for calls: another function or method, arguments exchanged."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..scope import words
from ..site import Proposal, Site
from ..slots import ATOM, level
from ..templates import RepairTemplate


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    parts = [word.partition("/") for word in text.split()]
    return tuple((first, second) for first, _, second in parts)


_FUNCTIONS = _pairs(
    """
    min/max any/all sorted/reversed sorted/list int/float int/round sum/len list/set list/tuple
    str/repr sum/max max/sum round/int
    """
)
_METHODS = _pairs(
    """
    append/extend append/insert startswith/endswith keys/values values/items keys/items floor/ceil
    lstrip/rstrip strip/rstrip strip/lstrip lower/upper find/rfind index/rindex ljust/rjust
    split/rsplit pop/popleft append/appendleft add/discard add/update partition/rpartition
    union/intersection issubset/issuperset isalpha/isalnum isdigit/isalnum heappush/heappop get/pop
    remove/discard bisect_left/bisect_right match/search match/fullmatch ljust/center rjust/center
    difference/intersection split/partition update/setdefault append/add days/seconds
    """
)
_OTHERS = 4


def _partners(name: str, pairs: tuple[tuple[str, str], ...]) -> list[str]:
    return [b for a, b in pairs if a == name] + [a for a, b in pairs if b == name]


def call(site: Site) -> Iterator[Proposal]:
    """Another function or method of the same family or signature."""
    for slot in site.slots:
        node = slot.node
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name):
            name = node.func.id
            span = site.module.span(node.func)
            others = other_functions(site, node, name)
        elif isinstance(node.func, ast.Attribute):
            name = node.func.attr
            end = site.module.span(node.func)[1]
            span = (end - len(name.encode("utf-8")), end)
            others = other_methods(site, node, node.func)
        else:
            continue
        for other, weight in others:
            yield site.splice(
                slot, span, other, RepairTemplate.CALL, "call", f"call:{name}>{other}",
                weight=weight, shown=node, old=name, new=other,
            )  # fmt: skip


def other_functions(site: Site, node: ast.Call, name: str) -> list[tuple[str, float]]:
    """Functions that could be meant instead, best first."""
    scored = dict.fromkeys(_partners(name, _FUNCTIONS), 0.3)
    if name in ("min", "max") and len(node.args) == 2:
        scored = {("max" if name == "min" else "min"): 0.5}
    signatures = site.context.signatures
    known = site.context.identifiers[site.module.path]
    own = {scope.name for scope in site.module.functions if not scope.classes}
    for one in signatures.get(name, ()):
        for other, candidates in signatures.items():
            if other in (name, "main") or not (known[other] or other in own):
                continue
            for candidate in candidates:
                if candidate.owner is None and candidate.required <= len(node.args) <= len(
                    candidate.parameters
                ):
                    alike = len(set(words(other)) & set(words(name)))
                    same = 0.1 if candidate.parameters == one.parameters else 0.0
                    scored[other] = 0.15 + 0.1 * min(alike, 2) + same
    return sorted(scored.items(), key=lambda item: (-item[1], item[0]))[:_OTHERS]


def other_methods(site: Site, node: ast.Call, function: ast.Attribute) -> list[tuple[str, float]]:
    """Methods that could be meant instead, best first."""
    name = function.attr
    scored = dict.fromkeys(_partners(name, _METHODS), 0.35)
    signatures = site.context.signatures
    owners = {one.owner for one in signatures.get(name, ()) if one.owner is not None}
    for other, candidates in signatures.items():
        if other == name or other.startswith("__"):
            continue
        for candidate in candidates:
            if candidate.owner in owners and candidate.required <= len(node.args) <= len(
                candidate.parameters
            ):
                alike = len(set(words(other)) & set(words(name)))
                scored[other] = 0.15 + 0.1 * min(alike, 2)
    return sorted(scored.items(), key=lambda item: (-item[1], item[0]))[:_OTHERS]


def argswap(site: Site) -> Iterator[Proposal]:
    """Two neighbouring arguments exchanged."""
    for slot in site.slots:
        node = slot.node
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        name = getattr(node.func, "id", "")
        if name in ("min", "max") or any(isinstance(part, ast.Starred) for part in node.args):
            continue
        for first, second in zip(node.args, node.args[1:], strict=False):
            left, right = site.module.span(first), site.module.span(second)
            if site.text(first) == site.text(second):
                continue
            if isinstance(first, ast.GeneratorExp) or level(first) < level(second) < ATOM - 12:
                continue
            between = site.module.slice(left[1], right[0])
            yield site.splice(
                slot,
                (left[0], right[1]),
                f"{site.text(second)}{between}{site.text(first)}",
                RepairTemplate.ARGSWAP,
                "argswap",
                f"argswap:{len(node.args)}",
                weight=0.2,
                shown=node,
            )
