"""Rules for whole statements and for pairs: delete, exchange neighbours, exchange indices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..nodes import free_names, is_guard
from ..site import Proposal, Site
from ..slots import ATOM, Role
from ..templates import RepairTemplate


def delete(site: Site) -> Iterator[Proposal]:
    """The statement left out."""
    node, statement = site.node, site.statement
    guard = is_guard(node)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Pass) or (
        statement.is_header and not guard
    ):
        return
    if isinstance(node, ast.Return) and statement.last_in_function:
        return
    span = whole_lines(site)
    if span is None:
        return
    alone = len(statement.siblings) == 1
    twin = sum(ast.dump(other) == ast.dump(node) for other in statement.siblings) > 1
    kind = type(node).__name__.lower()
    begin, end = site.module.span(node)
    yield Proposal(
        start=begin if alone else span[0],
        end=end if alone else span[1],
        replacement="pass" if alone else "",
        template=RepairTemplate.STATEMENT,
        tags=("statement", "statement:delete", f"statement:delete_{'guard' if guard else kind}"),
        weight=0.8 if twin else 0.15,
        before=site.text(node),
        after="pass" if alone else "",
        structural="delete",
    )


def whole_lines(site: Site) -> tuple[int, int] | None:
    """The span of the lines the statement has for itself, None when it shares one."""
    begin, end = site.module.span(site.node)
    raw = site.module.raw
    indent = site.module.indent_of(begin)
    stop = raw.find(b"\n", end)
    stop = len(raw) if stop < 0 else stop + 1
    tail = raw[end:stop].strip()
    if indent is None or (tail and not tail.startswith(b"#")):
        return None
    if isinstance(site.node, ast.If) and not site.statement.text.startswith("if"):
        return None
    return begin - len(indent.encode("utf-8")), stop


def swap(site: Site) -> Iterator[Proposal]:
    """The statement exchanged with the next one."""
    statement = site.statement
    following = statement.siblings[statement.index + 1 :][:1]
    if not following or not movable(site.node) or not movable(following[0]):
        return
    second = following[0]
    left, right = site.module.span(site.node), site.module.span(second)
    if site.module.indent_of(left[0]) is None or site.module.indent_of(right[0]) is None:
        return
    first_text, second_text = site.module.slice(*left), site.module.slice(*right)
    if first_text == second_text or first_text.startswith("elif"):
        return
    between = site.module.slice(left[1], right[0])
    yield Proposal(
        start=left[0],
        end=right[1],
        replacement=f"{second_text}{between}{first_text}",
        template=RepairTemplate.STATEMENT,
        tags=("statement", "statement:swap"),
        weight=0.25 if depends(site.node, second) else 0.05,
        before=f"{first_text}; {second_text}",
        after=f"{second_text}; {first_text}",
        structural="swap",
    )


def movable(node: ast.stmt) -> bool:
    """Whether a statement may change places with a neighbour."""
    return isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.AnnAssign) or (
        isinstance(node, ast.If) and not node.orelse and len(node.body) == 1
    )


def depends(first: ast.stmt, second: ast.stmt) -> bool:
    """Whether one statement touches what the other one writes."""
    return bool(written(first) & free_names(second)) or bool(written(second) & free_names(first))


def written(node: ast.stmt) -> frozenset[str]:
    """Names a statement binds, or whose object it may change."""
    found: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            found.add(part.id)
        elif isinstance(part, ast.Attribute | ast.Subscript) and isinstance(part.ctx, ast.Store):
            found |= free_names(part.value)
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            found |= free_names(part.func.value)
    return frozenset(found)


def indexswap(site: Site) -> Iterator[Proposal]:
    """Two indices exchanged, or the members of a pair."""
    for slot in site.slots:
        node = slot.node
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Subscript):
            outer, inner = node.slice, node.value.slice
            if not isinstance(outer, ast.Slice) and not isinstance(inner, ast.Slice):
                first, second = site.text(inner), site.text(outer)
                if first != second:
                    yield site.replace(
                        slot,
                        f"{site.text(node.value.value)}[{second}][{first}]",
                        ATOM,
                        RepairTemplate.INDEXSWAP,
                        "indexswap",
                        "indexswap:items",
                        weight=0.25,
                    )
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and slot.role is not Role.OTHER:
            first, second = (site.text(part) for part in node.elts)
            if first == second or any(isinstance(part, ast.Starred) for part in node.elts):
                continue
            left, right = (site.module.span(part) for part in node.elts)
            between = site.module.slice(left[1], right[0])
            if "(" in between or ")" in between:
                continue
            yield site.splice(
                slot, (left[0], right[1]), f"{second}{between}{first}", RepairTemplate.INDEXSWAP,
                "indexswap", "indexswap:target" if slot.role is Role.TARGET else "indexswap:pair",
                weight=0.15, shown=node,
            )  # fmt: skip
