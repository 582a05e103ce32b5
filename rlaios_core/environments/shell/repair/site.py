"""One statement as the repair rules see it: its expressions, what is in scope, and how to propose edits."""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from .context import ProjectContext
from .kinds import Kind, shallow_kind
from .scope import FunctionScope
from .slots import Slot, level, slots_of
from .source import Module, Statement
from .templates import RepairTemplate


@dataclass(frozen=True)
class Proposal:
    """A splice a rule proposes, before it is checked and described."""

    start: int
    end: int
    replacement: str
    template: RepairTemplate
    tags: tuple[str, ...]
    weight: float
    slot: Slot | None = None
    old: str | None = None
    """The name that goes, when the change is about a name."""
    new: str | None = None
    """The name that comes."""
    before: str = ""
    after: str = ""
    structural: str | None = None
    """`insert`, `delete` or `swap` when statements change places; the text inserted stands in `after`."""


class Site:
    """A statement with everything the rules ask about it."""

    def __init__(self, module: Module, statement: Statement, context: ProjectContext):
        self.module = module
        self.statement = statement
        self.context = context
        self.scope: FunctionScope = statement.function

    @property
    def node(self) -> ast.stmt:
        """The statement's node."""
        return self.statement.node

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Every expression of the statement or header, outer ones first."""
        return tuple(slots_of(self.node))

    @cached_property
    def visible(self) -> tuple[str, ...]:
        """Parameters and locals that may be used here."""
        return self.scope.visible(self.statement.line)

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Kinds of names, attributes and calls."""
        return ChainMap(self.scope.kinds, self.context.kinds)

    def kind(self, node: ast.expr) -> Kind:
        """The rough kind of an expression."""
        return shallow_kind(node, self.kinds)

    def text(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg) -> str:
        """Source text of a node."""
        return self.module.text(node)

    def outer_span(self, node: ast.expr, parent: ast.AST) -> tuple[int, int]:
        """The node's span with the parentheses around it that belong to it alone."""
        start, end = self.module.span(node)
        low, high = self.statement.start, self.statement.end
        if isinstance(parent, ast.expr):
            low, high = self.module.span(parent)
        raw = self.module.raw
        while True:
            left, right = start - 1, end
            while left >= low and raw[left : left + 1].isspace():
                left -= 1
            while right < high and raw[right : right + 1].isspace():
                right += 1
            if left < low or right >= high or raw[left : left + 1] != b"(" or raw[right : right + 1] != b")":
                return start, end
            if (
                isinstance(parent, ast.Call)
                and node is not parent.func
                and start != end
                and left == self._call_open(parent)
            ):
                return start, end
            start, end = left, right + 1

    def _call_open(self, call: ast.Call) -> int:
        return self.module.raw.index(b"(", self.module.span(call.func)[1])

    def outer_text(self, node: ast.expr, parent: ast.AST) -> str:
        """The node's text with its own parentheses."""
        return self.module.slice(*self.outer_span(node, parent))

    def operand(self, node: ast.expr, parent: ast.AST, strength: int) -> str:
        """The node's text, in parentheses unless it holds together as strongly as asked."""
        text = self.outer_text(node, parent)
        return text if level(node) >= strength or text != self.text(node) else f"({text})"

    def replace(
        self,
        slot: Slot,
        text: str,
        strength: int,
        template: RepairTemplate,
        *tags: str,
        weight: float = 0.5,
        old: str | None = None,
        new: str | None = None,
    ) -> Proposal:
        """Propose another text for an expression, in parentheses where it needs them."""
        start, end = self.module.span(slot.node)
        if strength < slot.needed and not self._parenthesised(start, end):
            text = f"({text})"
        return Proposal(
            start=start,
            end=end,
            replacement=text,
            template=template,
            tags=(*tags, f"in:{slot.role}"),
            weight=weight,
            slot=slot,
            old=old,
            new=new,
            before=self.module.slice(start, end),
            after=text,
        )

    def splice(
        self,
        slot: Slot | None,
        span: tuple[int, int],
        text: str,
        template: RepairTemplate,
        *tags: str,
        weight: float = 0.5,
        shown: ast.expr | None = None,
        old: str | None = None,
        new: str | None = None,
    ) -> Proposal:
        """Propose another text for any span; `shown` is the expression whose change is described."""
        start, end = span
        before, after = self.module.slice(start, end), text
        if shown is not None:
            low, high = self.module.span(shown)
            before = self.module.slice(low, high)
            after = self.module.slice(low, start) + text + self.module.slice(end, high)
        role = (f"in:{slot.role}",) if slot is not None else ()
        return Proposal(
            start,
            end,
            text,
            template,
            (*tags, *role),
            weight,
            slot,
            old=old,
            new=new,
            before=before,
            after=after,
        )

    def _parenthesised(self, start: int, end: int) -> bool:
        raw = self.module.raw
        left = raw[:start].rstrip()[-1:]
        right = raw[end:].lstrip()[:1]
        # A call's own parentheses hold exactly one argument as well as a pair of one's own would.
        return left == b"(" and right == b")"
