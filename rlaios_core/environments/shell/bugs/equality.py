"""When two functions are the same: exactly, up to what tests cannot see, or up to names."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence

from rlaios_core.environments.shell.syntax import parse


def exact(node: ast.AST) -> str:
    """A text equal for equal syntax trees."""
    return ast.dump(node)


def first_equal(wanted: str, made: Sequence[str]) -> int | None:
    """The place in `made` of the function that is the wanted one; none when there is none.

    All are texts of functions. An equal tree is preferred; else the first one that differs only in details
    a repair cannot know: the order of clauses and of the arguments of `min` and `max`, the wording of errors,
    `return` for `return None`; else also in which error is raised. Whether such a repair is right is decided
    by the tests.
    """
    forms: tuple[Callable[[ast.AST], str], ...] = (
        exact,
        lambda tree: ast.dump(_Loosened(errors=True).visit(tree)),
        lambda tree: ast.dump(_Loosened(errors=False).visit(tree)),
    )
    for form in forms:
        # Parsed anew for each form, which changes the tree: that costs less than copying a tree.
        goal = form(_function(wanted))
        for place, text in enumerate(made):
            if text == wanted or form(_function(text)) == goal:
                return place
    return None


def _function(text: str) -> ast.AST:
    """The tree of a function whose text may be indented."""
    return parse(f"if 1:\n{text}\n" if text[:1].isspace() else text)


def renamed(node: ast.AST) -> str:
    """A text equal for functions that differ in their local names only."""
    names: dict[str, str] = {}
    clone = copy.deepcopy(node)
    bound = {
        part.id for part in ast.walk(clone) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    bound |= {part.arg for part in ast.walk(clone) if isinstance(part, ast.arg)}
    for part in ast.walk(clone):
        if isinstance(part, ast.Name) and part.id in bound:
            part.id = names.setdefault(part.id, f"v{len(names)}")
        elif isinstance(part, ast.arg):
            part.arg = names.setdefault(part.arg, f"v{len(names)}")
    return ast.dump(clone)


class _Loosened(ast.NodeTransformer):
    """Brings what may differ into one form."""

    def __init__(self, errors: bool) -> None:
        self._errors = errors

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Clauses in a fixed order."""
        self.generic_visit(node)
        node.values.sort(key=ast.dump)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Arguments of `min` and `max` in a fixed order."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
            node.args.sort(key=ast.dump)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """Errors without their text, or without anything."""
        self.generic_visit(node)
        if isinstance(node.exc, ast.Call):
            node.exc = node.exc.func
        if not self._errors:
            node.exc = None
        node.cause = None
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Whole floats as integers."""
        if isinstance(node.value, float) and node.value.is_integer():
            return ast.Constant(int(node.value))
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Summands and factors in a fixed order."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Add | ast.Mult):
            node.left, node.right = sorted((node.left, node.right), key=ast.dump)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """One direction for comparisons, `<=` for whole numbers, `not` for tests of nothing."""
        self.generic_visit(node)
        if len(node.ops) != 1:
            return node
        op, left, right = node.ops[0], node.left, node.comparators[0]
        if isinstance(op, ast.Gt | ast.GtE):
            op, left, right = (ast.Lt() if isinstance(op, ast.Gt) else ast.LtE()), right, left
        whole = right.value if isinstance(right, ast.Constant) and type(right.value) is int else None
        if isinstance(op, ast.Lt) and whole is not None:
            op, right, whole = ast.LtE(), ast.Constant(whole - 1), whole - 1
        nothing = isinstance(right, ast.Constant) and right.value in (0, "") and right.value is not False
        if nothing and isinstance(op, ast.LtE | ast.Eq):
            counted = isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "len"
            return ast.UnaryOp(ast.Not(), left.args[0] if counted and isinstance(left, ast.Call) else left)
        if isinstance(op, ast.Eq | ast.NotEq):
            left, right = sorted((left, right), key=ast.dump)
        return ast.Compare(left, [op], [right])

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """`return None` as `return`."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Constant) and node.value.value is None:
            node.value = None
        return node
