"""Rules for missing guards: an `if` that jumps away, or that should stand around a statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rlaios_core.environments.shell.syntax import parse

from ..kinds import Kind, annotation_kind
from ..nodes import free_names
from ..site import Proposal, Site
from ..templates import RepairTemplate
from .predicates import Predicate, missing_predicates, shape, subject_of

_TESTS = 10
_AHEAD = 3
"""Statements from here on that decide what may have to be guarded against."""
_EMPTY = {
    Kind.LIST: "[]",
    Kind.NUMBER: "0",
    Kind.TEXT: "''",
    Kind.BOOL: "False",
    Kind.MAPPING: "{}",
    Kind.SET: "set()",
}


def guard(site: Site) -> Iterator[Proposal]:
    """An `if` with a jump in front of the statement."""
    statement = site.statement
    indent = site.module.indent_of(statement.start)
    if indent is None or isinstance(site.node, ast.FunctionDef | ast.AsyncFunctionDef) or _is_elif(site):
        return
    ahead = statement.siblings[statement.index : statement.index + _AHEAD]
    present = _present(site)
    tests = [test for test in missing_predicates(site, ahead) if test.text not in present][:_TESTS]
    actions = list(guard_actions(site))
    for test in tests:
        for action, share in _paired(actions, test, site):
            yield Proposal(
                start=statement.start,
                end=statement.start,
                replacement=f"if {test.text}:\n{indent}    {action}\n{indent}",
                template=RepairTemplate.GUARD,
                tags=(
                    "guard",
                    f"guard:{action.split()[0]}",
                    f"clause:{shape(test.text)}",
                    f"from:{test.source}",
                ),
                weight=test.weight * share,
                new=subject_of(test.text),
                after=f"if {test.text}: {action}",
                structural="insert",
            )


def enclose(site: Site) -> Iterator[Proposal]:
    """An `if` around a one-line statement."""
    statement = site.statement
    indent = site.module.indent_of(statement.start)
    if indent is None or statement.is_header or "\n" in statement.text:
        return
    if not isinstance(site.node, ast.Expr | ast.Assign | ast.AugAssign):
        return
    used = free_names(site.node)
    offers: dict[str, float] = {}
    for test in missing_predicates(site, (site.node,)):
        if any(name in used for name in free_names(parse(test.text))):
            # What a guard tests for is what the statement must not meet.
            weight = test.weight * (1.6 if test.source in ("store", "member", "unused") else 1.0)
            offers.setdefault(test.text, weight * 0.7)
            offers.setdefault(opposite(test.text), weight)
    for text, weight in sorted(offers.items(), key=lambda item: -item[1])[:6]:
        yield Proposal(
            start=statement.start,
            end=statement.end,
            replacement=f"if {text}:\n{indent}    {statement.text}",
            template=RepairTemplate.GUARD,
            tags=("guard", "guard:enclose", f"clause:{shape(text)}"),
            weight=min(1.0, 0.6 * weight),
            new=subject_of(text),
            before=statement.text,
            after=f"if {text}: {statement.text}",
            structural="enclose",
        )


def opposite(text: str) -> str:
    """The condition that holds when this one does not."""
    for one, other in (
        (" not in ", " in "),
        (" is not None", " is None"),
        (" == ", " != "),
        (" <= ", " > "),
        (" < ", " >= "),
    ):
        if one in text:
            return text.replace(one, other, 1)
        if other in text:
            return text.replace(other, one, 1)
    return text.removeprefix("not ") if text.startswith("not ") else f"not {text}"


def _present(site: Site) -> set[str]:
    return {
        ast.unparse(node.test)
        for node in site.scope.nodes
        if isinstance(node, ast.If | ast.While | ast.IfExp)
    }


def _is_elif(site: Site) -> bool:
    return isinstance(site.node, ast.If) and not site.statement.text.startswith("if")


def guard_actions(site: Site) -> Iterator[tuple[str, float]]:
    """Jumps that fit here, with weight."""
    scope = site.scope
    if site.statement.in_loop:
        yield "continue", 1.0
        yield "break", 0.5
    early = site.statement.depth == 1
    yield from _returns(site, 0.95 if early else 0.6)
    known = {*site.visible, *(set(site.context.identifiers[site.module.path]) - set(scope.locals))}
    classes: dict[str, float] = {}
    for path, jumps in site.context.jumps.items():
        for jump, node in jumps:
            own = path == site.module.path
            if own and free_names(node) <= known and not isinstance(node.exc, ast.Call):
                yield jump, 0.5
            if isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
                name = node.exc.func.id
                if own or name in known:
                    classes[name] = classes.get(name, 0.0) + (1.0 if own else 0.3)
    classes.setdefault("ValueError", 0.3)
    raises = 0.85 if early else 0.5
    for place, (name, _) in enumerate(sorted(classes.items(), key=lambda item: -item[1])[:2]):
        yield f"raise {name}('invalid value')", raises - 0.25 * place


def _returns(site: Site, weight: float) -> Iterator[tuple[str, float]]:
    scope = site.scope
    values = [node.value for node in scope.nodes if isinstance(node, ast.Return)]
    if all(value is None for value in values):
        if not any(isinstance(node, ast.Yield) for node in scope.nodes) or not site.statement.in_loop:
            yield "return", weight
        return
    texts: dict[str, float] = {}
    for value in values:
        if value is None:
            continue
        if isinstance(value, ast.Constant | ast.Name) and free_names(value) <= set(site.visible):
            texts[f"return {ast.unparse(value)}"] = weight
        kind = site.kind(value)
        if kind in _EMPTY:
            texts.setdefault(f"return {_EMPTY[kind]}", weight * 0.9)
        if kind is Kind.BOOL:
            texts.setdefault("return True", weight * 0.8)
    declared = scope.node.returns
    kind = annotation_kind(declared) if declared is not None else Kind.UNKNOWN
    if kind in _EMPTY:
        texts.setdefault(f"return {_EMPTY[kind]}", weight * 0.9)
    texts.setdefault("return None", weight * 0.6)
    for name in scope.parameters:
        if name != scope.receiver:
            texts.setdefault(f"return {name}", weight * 0.4)
    yield from texts.items()


def _paired(actions: list[tuple[str, float]], test: Predicate, site: Site) -> list[tuple[str, float]]:
    """The actions for a test, best first, each clearly less likely than the one before."""
    wanted = test.action.split()[0] if test.action else None
    subject = subject_of(test.text)
    checked = subject in site.scope.parameters and shape(test.text) in (
        "less",
        "equal",
        "none",
        "falsy",
        "not_in",
        "more",
    )
    scored = []
    for action, share in actions:
        word = action.split()[0]
        if wanted is not None:
            share *= 1.3 if word == wanted else 0.8
        if word == "raise" and not checked:
            share *= 0.6
        if action == "return None" and test.text.endswith(" is None"):
            # Nothing in, nothing out.
            share *= 1.7
        scored.append((action, share))
    scored.sort(key=lambda item: -item[1])
    return [(action, min(1.0, share) * 0.8**place) for place, (action, share) in enumerate(scored)]
