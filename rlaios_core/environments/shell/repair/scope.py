"""What a function knows by name: parameters, locals, their uses and rough kinds."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from .kinds import Kind, annotation_kind, shallow_kind, usage_kinds

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def words(identifier: str) -> tuple[str, ...]:
    """The lower-case words of an identifier or a text."""
    return tuple(word.lower() for word in _WORD.findall(identifier))


class FunctionScope:
    """One function or method (functions nested in it are part of it)."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef, classes: tuple[str, ...]):
        self.node = node
        self.classes = classes

    @property
    def name(self) -> str:
        """The plain name."""
        return self.node.name

    @property
    def qualname(self) -> str:
        """The name with its classes, `Ledger.post`."""
        return ".".join((*self.classes, self.node.name))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the function."""
        return tuple(ast.walk(self.node))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Parameter names in order, `self` and `cls` of a method included."""
        args = self.node.args
        plain = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        extra = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
        return tuple(arg.arg for arg in (*plain, *extra))

    @cached_property
    def optional(self) -> frozenset[str]:
        """Parameters that may be None: None is their default or in their annotation."""
        args = self.node.args
        plain = [*args.posonlyargs, *args.args]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
        pairs = [*zip(plain, defaults, strict=True), *zip(args.kwonlyargs, args.kw_defaults, strict=True)]
        return frozenset(
            arg.arg
            for arg, value in pairs
            if (isinstance(value, ast.Constant) and value.value is None)
            or (arg.annotation is not None and "None" in ast.unparse(arg.annotation))
        )

    @property
    def receiver(self) -> str | None:
        """The name of `self` or `cls` in a method."""
        if self.classes and self.parameters and self.parameters[0] in ("self", "cls"):
            return self.parameters[0]
        return None

    @cached_property
    def stores(self) -> dict[str, list[ast.Name]]:
        """Where each name is bound, in the order of the text."""
        found: dict[str, list[ast.Name]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.setdefault(node.id, []).append(node)
        return found

    @cached_property
    def loads(self) -> Counter[str]:
        """How often each name is read."""
        return Counter(
            node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        )

    @cached_property
    def attributes(self) -> Counter[tuple[str, str]]:
        """How often each attribute of a plain name is mentioned, as (name, attribute)."""
        return Counter(
            (node.value.id, node.attr)
            for node in self.nodes
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        )

    @cached_property
    def loop_variables(self) -> frozenset[str]:
        """Names bound by a `for` statement."""
        targets = [node.target for node in self.nodes if isinstance(node, ast.For | ast.AsyncFor)]
        return frozenset(
            name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
        )

    @cached_property
    def comprehension_variables(self) -> frozenset[str]:
        """Names bound only inside comprehensions or lambdas."""
        bound: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.comprehension):
                bound.update(name.id for name in ast.walk(node.target) if isinstance(name, ast.Name))
            elif isinstance(node, ast.Lambda):
                bound.update(arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg))
        return frozenset(bound)

    @cached_property
    def bindings(self) -> dict[str, int]:
        """The line of the first statement that binds each local, in the order of the text."""
        first: dict[str, tuple[int, int]] = {}
        for node in _own_statements(self.node):
            for name in _bound(node):
                first.setdefault(name.id, (name.lineno, name.col_offset))
        return {name: first[name][0] for name in sorted(first, key=lambda name: first[name])}

    @cached_property
    def locals(self) -> tuple[str, ...]:
        """Names bound by statements of the function, in the order of their first binding."""
        return tuple(self.bindings)

    @cached_property
    def unused(self) -> tuple[str, ...]:
        """Parameters and locals that nothing reads, though their names do not say that this is meant."""
        return tuple(
            name
            for name in dict.fromkeys((*self.parameters, *self.locals))
            if not self.loads[name] and name != self.receiver and not name.startswith("_")
        )

    def visible(self, line: int) -> tuple[str, ...]:
        """Parameters and locals bound before the line (the text order stands for the control flow)."""
        found = [*self.parameters, *(name for name, first in self.bindings.items() if first < line)]
        return tuple(name for name in dict.fromkeys(found) if name != "_")

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """A rough kind for each parameter and local, from annotations, values and uses."""
        found: dict[str, Kind] = {}
        for arg in ast.walk(self.node.args):
            if isinstance(arg, ast.arg) and arg.annotation is not None:
                kind = annotation_kind(arg.annotation)
                if kind is not Kind.UNKNOWN:
                    found[arg.arg] = kind
        evidence = usage_kinds(self.nodes, found)
        for name, counts in evidence.items():
            if name not in found and counts:
                found[name] = max(sorted(counts), key=lambda kind: counts[kind])
        return found

    def kind(self, node: ast.expr) -> Kind:
        """A rough kind for an expression of this function."""
        return shallow_kind(node, self.kinds)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the name and the doc-string."""
        return frozenset((*words(self.name), *words(ast.get_docstring(self.node) or "")))


def _own_statements(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(child, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            # Only a walrus in a comprehension binds outside it.
            yield from (part for part in ast.walk(child) if isinstance(part, ast.NamedExpr))
            continue
        yield child
        yield from _own_statements(child)


def _bound(node: ast.AST) -> Iterator[ast.Name]:
    if isinstance(node, ast.NamedExpr):
        yield node.target
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node
