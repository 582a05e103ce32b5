"""Rules for keyword arguments, optional arguments and defaults: one more, one less, another value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rlaios_core.environments.shell.syntax import parse_expression

from ..site import Proposal, Site
from ..slots import ATOM, Role, Slot
from ..templates import RepairTemplate


def keyword(site: Site) -> Iterator[Proposal]:
    """A keyword or optional argument more, less or with another value; another default."""
    if isinstance(site.node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from _defaults(site)
        return
    for slot in site.slots:
        node = slot.node
        if isinstance(node, ast.Call):
            yield from _dropped(site, slot, node)
            yield from _changed(site, slot, node)
            yield from _added(site, slot, node)


def _defaults(site: Site) -> Iterator[Proposal]:
    for slot in site.slots:
        if slot.role is not Role.DEFAULT or slot.depth:
            continue
        text = site.text(slot.node)
        for other, weight in other_values(slot.node):
            if other != text:
                yield site.replace(
                    slot, other, ATOM, RepairTemplate.KEYWORD, "keyword", "keyword:default", weight=weight
                )


def other_values(node: ast.expr) -> list[tuple[str, float]]:
    """Values an optional argument could have instead."""
    if isinstance(node, ast.Constant):
        match node.value:
            case bool():
                return [(str(not node.value), 0.6)]
            case None:
                return [("0", 0.2), ("1", 0.15), ("''", 0.2), ("False", 0.15), ("[]", 0.1)]
            case int():
                near = [str(node.value + 1), str(node.value - 1), "0", "1", "None"]
                return [(text, 0.3 - 0.04 * position) for position, text in enumerate(near)]
            case str():
                return [(repr(text), 0.2) for text in ("", " ", ",", "\n", "-", ".")] + [("None", 0.15)]
    return []


def _call_text(site: Site, node: ast.Call, skip: ast.AST | None = None) -> list[str]:
    parts: tuple[ast.expr | ast.keyword, ...] = (*node.args, *node.keywords)
    return [site.text(part) for part in parts if part is not skip]


def _dropped(site: Site, slot: Slot, node: ast.Call) -> Iterator[Proposal]:
    function = site.text(node.func)
    for one in node.keywords:
        if one.arg is None:
            continue
        inside = ", ".join(_call_text(site, node, one))
        yield site.replace(
            slot, f"{function}({inside})", ATOM, RepairTemplate.KEYWORD, "keyword", f"keyword:drop_{one.arg}",
            weight=0.2, old=one.arg,
        )  # fmt: skip
    if optional_last(site, node):
        inside = ", ".join(_call_text(site, node, node.args[-1]))
        yield site.replace(
            slot,
            f"{function}({inside})",
            ATOM,
            RepairTemplate.KEYWORD,
            "keyword",
            "keyword:drop_last",
            weight=0.15,
        )


def optional_last(site: Site, node: ast.Call) -> bool:
    """Whether the last positional argument may be left out."""
    if node.keywords or not node.args or isinstance(node.args[-1], ast.Starred):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in (
        "get",
        "pop",
        "split",
        "rsplit",
        "getattr",
        "round",
        "setdefault",
        "next",
        "sum",
        "strip",
        "rstrip",
        "lstrip",
    ):
        least = {
            "get": 2,
            "pop": 2,
            "split": 2,
            "rsplit": 2,
            "getattr": 3,
            "round": 2,
            "setdefault": 2,
            "next": 2,
            "sum": 2,
        }
        return len(node.args) >= least.get(name, 1)
    return any(
        one.required < len(node.args) <= len(one.parameters) for one in site.context.signatures.get(name, ())
    )


def _changed(site: Site, slot: Slot, node: ast.Call) -> Iterator[Proposal]:
    for one in node.keywords:
        if one.arg is None:
            continue
        text = site.text(one.value)
        offers = dict(other_values(one.value)[:3])
        for value, count in site.context.keywords.get(one.arg, {}).items():
            if value != ast.unparse(one.value) and _in_scope(site, slot, value):
                offers[value] = 0.2 + 0.03 * min(count, 4)
        if one.arg in site.scope.parameters and text != one.arg:
            offers[one.arg] = 0.6
        for value, weight in sorted(offers.items(), key=lambda item: -item[1])[:4]:
            yield site.splice(
                slot,
                site.module.span(one.value),
                value,
                RepairTemplate.KEYWORD,
                "keyword",
                f"keyword:change_{one.arg}",
                weight=weight,
                shown=node,
                new=value if value.isidentifier() else None,
            )
    if optional_last(site, node):
        for value, weight in other_values(node.args[-1])[:3]:
            yield site.splice(
                slot, site.module.span(node.args[-1]), value, RepairTemplate.KEYWORD, "keyword",
                "keyword:change_last", weight=weight, shown=node,
            )  # fmt: skip


def _in_scope(site: Site, slot: Slot, text: str) -> bool:
    names = {part.id for part in ast.walk(parse_expression(text)) if isinstance(part, ast.Name)}
    known = {
        *site.visible,
        *slot.bound,
        *(set(site.context.identifiers[site.module.path]) - set(site.scope.locals)),
    }
    return names <= known or text.startswith("lambda")


def _added(site: Site, slot: Slot, node: ast.Call) -> Iterator[Proposal]:
    function = site.text(node.func)
    present = {one.arg for one in node.keywords}
    if any(isinstance(part, ast.Starred) for part in node.args) or None in present:
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    parts = _call_text(site, node)
    offers: dict[str, tuple[float, str]] = {}
    for signature in site.context.signatures.get(name, ()):
        for index, parameter in enumerate(signature.parameters):
            if parameter in present or index < len(node.args):
                continue
            if parameter in signature.defaults:
                if parameter in (*site.visible, *slot.bound):
                    weight = 0.75 if not site.scope.loads[parameter] else 0.35
                    offers[f"{parameter}={parameter}"] = (weight, parameter)
                    if index == len(node.args) and not node.keywords:
                        offers[parameter] = (weight - 0.1, parameter)
                for value, count in site.context.keywords.get(parameter, {}).items():
                    if _in_scope(site, slot, value):
                        offers.setdefault(f"{parameter}={value}", (0.2 + 0.04 * min(count, 4), parameter))
    optional: dict[str, tuple[str, ...]] = {
        "sorted": ("reverse=True",),
        "sort": ("reverse=True",),
        "max": ("default=0", "default=None"),
        "min": ("default=0", "default=None"),
        "split": ("1",),
        "rsplit": ("1",),
        "splitlines": ("keepends=True",),
        "pop": ("None",),
        "next": ("None",),
        "round": ("2",),
        "strip": ("' '",),
    }
    room = {"pop": 1, "split": 1, "rsplit": 1, "round": 1, "next": 1, "strip": 0}
    for extra in optional.get(name, ()):
        if "=" in extra:
            if extra.split("=")[0] not in present and not (
                extra.startswith("default") and len(node.args) > 1
            ):
                offers.setdefault(extra, (0.25, extra.split("=")[0]))
        elif len(node.args) == room[name] and not node.keywords:
            offers.setdefault(extra, (0.25, extra))
    if name in ("sorted", "sort", "min", "max"):
        for value in site.context.keywords.get("key", {}):
            if (
                "key" not in present
                and _in_scope(site, slot, value)
                and not (name in ("min", "max") and len(node.args) > 1)
            ):
                offers.setdefault(f"key={value}", (0.25, "key"))
    if name in ("get", "setdefault") and len(node.args) == 1 and not node.keywords:
        for extra, weight in _fallbacks(slot):
            offers[extra] = (weight, extra)
    ranked = sorted(offers.items(), key=lambda item: (-item[1][0], item[0]))[:5]
    for text, (weight, new) in ranked:
        yield site.replace(
            slot, f"{function}({', '.join((*parts, text))})", ATOM, RepairTemplate.KEYWORD,
            "keyword", f"keyword:add_{text.split('=')[0] if '=' in text else 'last'}", weight=weight,
            new=new if new.isidentifier() else None,
        )  # fmt: skip


def _fallbacks(slot: Slot) -> list[tuple[str, float]]:
    """Values for a missing key, by what is done with the result."""
    parent = slot.parent
    if isinstance(parent, ast.Attribute):
        if parent.attr in ("append", "extend", "insert"):
            return [("[]", 0.6)]
        if parent.attr in ("add", "update", "discard"):
            return [("set()", 0.5), ("{}", 0.3)]
        return [("{}", 0.6), ("''", 0.3), ("[]", 0.2)]
    if isinstance(parent, ast.BinOp | ast.UnaryOp) or slot.role is Role.COMPARED:
        return [("0", 0.6), ("1", 0.2), ("''", 0.15), ("[]", 0.15)]
    if slot.role in (Role.ITER, Role.OWNER) or isinstance(parent, ast.Call):
        return [("[]", 0.35), ("{}", 0.35), ("()", 0.3), ("0", 0.2), ("''", 0.2)]
    return [("0", 0.3), ("{}", 0.25), ("[]", 0.25), ("''", 0.2), ("False", 0.15)]
