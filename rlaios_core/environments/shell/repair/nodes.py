"""Small questions about syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def condition_atoms(node: ast.stmt) -> Iterator[ast.expr]:
    """The clauses of the conditions a statement tests, not those of the statements in it."""
    pending: list[ast.expr] = []
    if isinstance(node, ast.If | ast.While | ast.Assert):
        pending.append(node.test)
    elif hasattr(node, "body"):
        return
    else:
        for part in ast.walk(node):
            if isinstance(part, ast.IfExp):
                pending.append(part.test)
            elif isinstance(part, ast.comprehension):
                pending.extend(part.ifs)
        if isinstance(node, ast.Return) and isinstance(node.value, ast.BoolOp | ast.Compare):
            pending.append(node.value)
    while pending:
        test = pending.pop()
        if isinstance(test, ast.BoolOp):
            pending.extend(test.values)
        else:
            yield test


def free_names(node: ast.AST) -> frozenset[str]:
    """Every name an expression or statement mentions."""
    return frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))


def is_guard(node: ast.stmt) -> bool:
    """Whether the statement is an `if` that only jumps away."""
    return (
        isinstance(node, ast.If)
        and not node.orelse
        and len(node.body) == 1
        and isinstance(node.body[0], ast.Return | ast.Continue | ast.Break | ast.Raise)
    )


def may_be_none(annotation: ast.expr | None, value: ast.expr | None) -> bool:
    """Whether a declaration allows None."""
    if isinstance(value, ast.Constant) and value.value is None:
        return True
    if annotation is None:
        return False
    text = ast.unparse(annotation)
    return "None" in text or "Optional" in text


def truth_values(node: ast.expr) -> bool:
    """Whether an expression gives True or False, as far as one can see."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=values):
            return all(truth_values(value) for value in values)
        case ast.Call(func=ast.Name(id="any" | "all" | "isinstance" | "callable" | "bool")):
            return True
        case ast.Call(func=ast.Attribute(attr=attr)):
            return attr.startswith("is") or attr in ("startswith", "endswith")
    return False
