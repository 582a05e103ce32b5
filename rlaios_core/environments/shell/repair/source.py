"""A parsed source file: its statements as units of repair, with their byte spans."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from rlaios_core.environments.shell.syntax import parse

from .scope import FunctionScope

if TYPE_CHECKING:
    from .facts import ModuleFacts

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)

_HEADER_TAIL = re.compile(rb"(?:[\s(),\\*/]|#[^\n]*\n)*:")
"""What may stand between the last expression of a compound header and its colon."""

_COMPOUND = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, *_FUNCTION)
_BODIES = ("body", "orelse", "finalbody")


@dataclass(frozen=True, eq=False)
class Statement:
    """A simple statement, or the header of a compound one."""

    node: ast.stmt
    function: FunctionScope
    block: int
    index: int
    siblings: tuple[ast.stmt, ...]
    depth: int
    in_loop: bool
    start: int
    end: int
    """End of the statement, or of the header including its colon."""
    text: str
    first_in_function: bool
    last_in_function: bool

    @property
    def line(self) -> int:
        """The line that stands for the statement."""
        return self.node.lineno

    @property
    def is_header(self) -> bool:
        """Whether only a header is meant, its body being statements of their own."""
        return isinstance(self.node, _COMPOUND)


@dataclass(eq=False)
class Module:
    """One source file, parsed once."""

    path: str
    source: str
    raw: bytes = field(init=False)
    tree: ast.Module = field(init=False)

    def __post_init__(self) -> None:
        self.raw = self.source.encode("utf-8")
        self.tree = parse(self.source)

    @cached_property
    def line_starts(self) -> list[int]:
        """Byte offset of each line, in the order of ast's line numbers (which split on newline only)."""
        starts = [0]
        for match in re.finditer(rb"\r\n|\r|\n", self.raw):
            starts.append(match.end())
        return starts

    def offset(self, line: int, column: int) -> int:
        """Byte offset of an ast position."""
        return self.line_starts[line - 1] + column

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg) -> tuple[int, int]:
        """Byte span of a node."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def text(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg) -> str:
        """Source text of a node."""
        start, end = self.span(node)
        return self.slice(start, end)

    def slice(self, start: int, end: int) -> str:
        """Source text of a byte span."""
        return self.raw[start:end].decode("utf-8")

    def indent_of(self, offset: int) -> str | None:
        """The white space before the offset on its line, or None when there is more than that."""
        begin = max(self.raw.rfind(b"\n", 0, offset), self.raw.rfind(b"\r", 0, offset)) + 1
        lead = self.raw[begin:offset]
        return lead.decode("utf-8") if not lead.strip() else None

    @cached_property
    def facts(self) -> ModuleFacts:
        """What the file contributes to the picture of its project."""
        from .facts import ModuleFacts  # facts are about modules, so the import cannot stand above

        return ModuleFacts(self)

    @cached_property
    def functions(self) -> tuple[FunctionScope, ...]:
        """Every function and method, in the order of the text; nested ones belong to their outer one."""
        return tuple(_functions(self.tree.body, ()))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement inside a function, in the order of the text, without doc-strings."""
        found: list[Statement] = []
        for scope in self.functions:
            header = self._statement(scope, scope.node, -scope.node.lineno, 0, (scope.node,), 0, False)
            found.append(header)
            found.extend(self._walk(scope, scope.node.body, 1, False))
        return tuple(sorted(found, key=lambda statement: statement.start))

    @cached_property
    def anchors(self) -> dict[int, int]:
        """Each physical line of a function, mapped to the line of the statement it belongs to."""
        lines: dict[int, int] = {}
        for statement in self.statements:
            for line in range(statement.line, statement.line + statement.text.count("\n") + 1):
                lines.setdefault(line, statement.line)
        return lines

    def function_at(self, offset: int) -> FunctionScope | None:
        """The function that contains a byte offset."""
        for scope in self.functions:
            start, end = self.span(scope.node)
            if start <= offset <= end:
                return scope
        return None

    def _statement(
        self,
        scope: FunctionScope,
        node: ast.stmt,
        block: int,
        index: int,
        siblings: tuple[ast.stmt, ...],
        depth: int,
        in_loop: bool,
    ) -> Statement:
        start, end = self.span(node)
        if isinstance(node, _COMPOUND):
            end = self._header_end(node, start)
        body = scope.node.body
        return Statement(
            node=node,
            function=scope,
            block=block,
            index=index,
            siblings=siblings,
            depth=depth,
            in_loop=in_loop,
            start=start,
            end=end,
            text=self.slice(start, end),
            first_in_function=node in body[: 1 + (ast.get_docstring(scope.node, clean=False) is not None)],
            last_in_function=node is body[-1],
        )

    def _header_end(self, node: ast.stmt, start: int) -> int:
        last: ast.expr | ast.arg | None = None
        if isinstance(node, ast.If | ast.While):
            last = node.test
        elif isinstance(node, ast.For | ast.AsyncFor):
            last = node.iter
        elif isinstance(node, ast.With | ast.AsyncWith):
            last = node.items[-1].optional_vars or node.items[-1].context_expr
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            parts = [*ast.walk(node.args), *([node.returns] if node.returns else [])]
            spans = [part for part in parts if isinstance(part, ast.expr | ast.arg)]
            last = max(spans, key=lambda part: self.span(part)[1], default=None)
        after = self.raw.index(b"(", start) if last is None else self.span(last)[1]
        match = _HEADER_TAIL.match(self.raw, after)
        assert match is not None, f"no colon after the header in {self.path}:{node.lineno}"
        return match.end()

    def _walk(
        self, scope: FunctionScope, body: list[ast.stmt], depth: int, in_loop: bool
    ) -> Iterator[Statement]:
        block = self.span(body[0])[0]
        for index, node in enumerate(body):
            docstring = (
                body is scope.node.body
                and index == 0
                and isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            )
            if docstring:
                continue
            if not isinstance(node, ast.Try | ast.ClassDef | ast.Match):
                yield self._statement(scope, node, block, index, tuple(body), depth, in_loop)
            inner = in_loop or isinstance(node, ast.For | ast.AsyncFor | ast.While)
            for name in _BODIES:
                part = getattr(node, name, None)
                if part:
                    loops = inner if name == "body" else in_loop
                    if isinstance(node, _FUNCTION):
                        loops = False
                    yield from self._walk(scope, part, depth + 1, loops)
            for branch in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from self._walk(scope, branch.body, depth + 1, in_loop)


def _functions(body: list[ast.stmt], classes: tuple[str, ...]) -> Iterator[FunctionScope]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield FunctionScope(node, classes)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, (*classes, node.name))
        elif isinstance(node, ast.If | ast.Try):
            for name in _BODIES:
                yield from _functions(getattr(node, name, []), classes)


@lru_cache(maxsize=160)
def parse_module(path: str, source: str) -> Module:
    """The parsed file; the same object for the same text, because callers ask often."""
    return Module(path, source)
