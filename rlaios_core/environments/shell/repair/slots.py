"""The expressions of a statement with their roles, and how strongly their texts must hold together."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What an expression is for in the statement."""

    TEST = "test"
    """A condition."""
    ITER = "iter"
    """What a loop or comprehension runs over."""
    INDEX = "index"
    """A subscript."""
    BOUND = "bound"
    """A bound of a slice."""
    ARGUMENT = "argument"
    """An argument of a call."""
    VALUE = "value"
    """What is assigned."""
    RETURN = "return"
    """What is returned or yielded."""
    OPERAND = "operand"
    """A side of an arithmetic or boolean operator."""
    COMPARED = "compared"
    """A side of a comparison."""
    ELEMENT = "element"
    """A member of a display, the element of a comprehension."""
    OWNER = "owner"
    """What an attribute or item is taken from."""
    CALLEE = "callee"
    """What is called."""
    TARGET = "target"
    """What is assigned to."""
    DEFAULT = "default"
    """The default of a parameter."""
    OTHER = "other"
    """Anything else."""


ATOM, POWER, UNARY, TERM, SUM, COMPARE, NOT, AND, OR, TERNARY, ANY = range(14, 3, -1)
"""Binding strength of expression texts, from an atom down to anything at all."""

_BINARY: dict[type[ast.operator], int] = {
    ast.Add: SUM,
    ast.Sub: SUM,
    ast.Mult: TERM,
    ast.Div: TERM,
    ast.FloorDiv: TERM,
    ast.Mod: TERM,
    ast.Pow: POWER,
}


def level(node: ast.expr) -> int:
    """How strongly the text of an expression holds together."""
    match node:
        case ast.BoolOp(op=op):
            return AND if isinstance(op, ast.And) else OR
        case ast.UnaryOp(op=ast.Not()):
            return NOT
        case ast.UnaryOp():
            return UNARY
        case ast.BinOp(op=op):
            return _BINARY.get(type(op), COMPARE)
        case ast.Compare():
            return COMPARE
        case ast.IfExp() | ast.Lambda():
            return TERNARY
        case (
            ast.NamedExpr() | ast.Yield() | ast.YieldFrom() | ast.Await() | ast.Starred() | ast.GeneratorExp()
        ):
            return ANY
    return ATOM


def _needed(parent: ast.AST, field: str) -> int:
    match parent:
        case ast.BoolOp(op=op):
            return NOT if isinstance(op, ast.And) else AND
        case ast.UnaryOp(op=ast.Not()):
            return NOT
        case ast.UnaryOp():
            return UNARY
        case ast.BinOp(op=ast.Pow()):
            return ATOM
        case ast.BinOp(op=op):
            own = _BINARY.get(type(op), ATOM)
            return own if field == "left" else min(own + 1, ATOM)
        case ast.Compare():
            return SUM
        case ast.Attribute() | ast.Call() if field in ("value", "func"):
            return ATOM
        case ast.Subscript() if field == "value":
            return ATOM
        case ast.IfExp():
            return OR
        case ast.comprehension() | ast.Starred():
            return OR
    return TERNARY


@dataclass(frozen=True, eq=False)
class Slot:
    """An expression at its place in the statement."""

    node: ast.expr
    parent: ast.AST
    field: str
    role: Role
    bound: tuple[str, ...]
    """Names that only comprehensions or lambdas around it bind."""
    depth: int

    @property
    def needed(self) -> int:
        """How strongly a text must hold together to stand here without parentheses."""
        return _needed(self.parent, self.field)


def slots_of(node: ast.stmt) -> Iterator[Slot]:
    """Every expression of a simple statement or of a compound one's header, outer ones first."""
    match node:
        case ast.If(test=test) | ast.While(test=test):
            yield from _expand(test, node, "test", Role.TEST, (), 0)
        case ast.For(target=target, iter=iterable) | ast.AsyncFor(target=target, iter=iterable):
            yield from _expand(target, node, "target", Role.TARGET, (), 0)
            yield from _expand(iterable, node, "iter", Role.ITER, (), 0)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                yield from _expand(item.context_expr, item, "context_expr", Role.OTHER, (), 0)
        case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            for default in (*args.defaults, *args.kw_defaults):
                if default is not None:
                    yield from _expand(default, args, "defaults", Role.DEFAULT, (), 0)
        case ast.Return(value=ast.expr() as value):
            yield from _expand(value, node, "value", Role.RETURN, (), 0)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _expand(target, node, "targets", Role.TARGET, (), 0)
            yield from _expand(value, node, "value", Role.VALUE, (), 0)
        case ast.AnnAssign(target=target, value=initial):
            yield from _expand(target, node, "target", Role.TARGET, (), 0)
            if initial is not None:
                yield from _expand(initial, node, "value", Role.VALUE, (), 0)
        case ast.AugAssign(target=target, value=value):
            yield from _expand(target, node, "target", Role.TARGET, (), 0)
            yield from _expand(value, node, "value", Role.VALUE, (), 0)
        case ast.Assert(test=test):
            yield from _expand(test, node, "test", Role.TEST, (), 0)
        case ast.Raise(exc=ast.expr() as value):
            yield from _expand(value, node, "exc", Role.OTHER, (), 0)
        case ast.Expr(value=value):
            yield from _expand(value, node, "value", Role.OTHER, (), 0)
        case ast.Delete(targets=targets):
            for target in targets:
                yield from _expand(target, node, "targets", Role.OTHER, (), 0)


def _expand(
    node: ast.expr, parent: ast.AST, field: str, role: Role, bound: tuple[str, ...], depth: int
) -> Iterator[Slot]:
    yield Slot(node, parent, field, role, bound, depth)
    deeper = depth + 1
    match node:
        case ast.JoinedStr():
            # Before Python 3.12 positions inside an f-string are not to be relied on.
            return
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            names = bound
            for generator in node.generators:
                yield from _expand(generator.iter, generator, "iter", Role.ITER, names, deeper)
                names += tuple(part.id for part in ast.walk(generator.target) if isinstance(part, ast.Name))
                for test in generator.ifs:
                    yield from _expand(test, generator, "ifs", Role.TEST, names, deeper)
            parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
            for part in parts:
                yield from _expand(part, node, "elt", Role.ELEMENT, names, deeper)
            return
        case ast.Lambda(args=args, body=body):
            names = bound + tuple(arg.arg for arg in args.args)
            yield from _expand(body, node, "body", Role.RETURN, names, deeper)
            return
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.keyword):
                yield from _expand(child.value, child, "value", Role.ARGUMENT, bound, deeper)
            elif isinstance(child, ast.Slice):
                for side, limit in (("lower", child.lower), ("upper", child.upper), ("step", child.step)):
                    if limit is not None:
                        yield from _expand(limit, child, side, Role.BOUND, bound, deeper)
            elif isinstance(child, ast.expr):
                yield from _expand(child, node, name, _role(node, name, role), bound, deeper)


def _role(parent: ast.expr, field: str, outer: Role) -> Role:
    match parent:
        case ast.Call():
            return Role.CALLEE if field == "func" else Role.ARGUMENT
        case ast.Attribute():
            return Role.OWNER
        case ast.Subscript():
            return Role.OWNER if field == "value" else Role.INDEX
        case ast.Compare():
            return Role.COMPARED
        case ast.BoolOp():
            return Role.TEST if outer is Role.TEST else Role.OPERAND
        case ast.UnaryOp(op=ast.Not()):
            return Role.TEST
        case ast.IfExp():
            return Role.TEST if field == "test" else outer
        case ast.BinOp() | ast.UnaryOp():
            return Role.OPERAND
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            return Role.TARGET if outer is Role.TARGET else Role.ELEMENT
        case ast.Starred():
            return outer
    return Role.OTHER
