"""What an edit looks like in its context, as words and numbers a learner can weigh.

The notes of an edit should let one tell the undoing of a bug from any other change: names nothing
else uses, values on both sides of an operator, code the rest of the project writes otherwise. Numbers
are `name:value` with two decimals, within [-1, 1]. Nothing here comes from running the tests.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from .fitness import fitness_notes
from .name_notes import name_notes
from .nodes import is_guard
from .notation import number
from .site import Proposal, Site
from .templates import RepairTemplate
from .tokens import abstract, grams, shape_grams, tokens, window

_DOCUMENTED = frozenset(
    [
        "inclusive",
        "exclusive",
        "including",
        "excluding",
        "inside",
        "outside",
        "least",
        "most",
        "before",
        "after",
        "first",
        "last",
        "empty",
        "missing",
        "default",
        "sorted",
        "order",
        "reverse",
        "copy",
        "negative",
        "positive",
        "zero",
        "none",
        "ignore",
        "skip",
        "raise",
        "raises",
        "error",
        "unknown",
        "unique",
        "duplicate",
        "duplicates",
        "equal",
        "ties",
        "strict",
        "between",
        "until",
        "from",
        "up",
        "down",
        "round",
        "case",
        "blank",
        "blanks",
        "strip",
        "whitespace",
        "new",
        "same",
        "never",
        "always",
        "only",
        "without",
        "limit",
        "maximum",
        "minimum",
        "every",
        "each",
        "neither",
        "both",
    ]
)
"""Words of a doc-string that say what a limit, a default or an order should be."""


class Notes:
    """Writes the notes of one statement's edits."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._scope = site.scope

    def write(self, proposal: Proposal, rank: int, group: int) -> tuple[str, ...]:
        """The notes of an edit that is the `rank`-th likeliest of its template's `group` on the line."""
        old, new = self._texts(proposal)
        return (
            *self._place,
            *self._slot(proposal),
            number("guess", proposal.weight),
            number("rank", rank / 10),
            number("alone", 1 / group),
            *name_notes(self._site, proposal, Counter(old), Counter(new)),
            *self._tokens(old, new),
            *self._fluency(old, new),
            *fitness_notes(self._site, proposal),
            *self._special(proposal),
        )

    def _texts(self, proposal: Proposal) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tokens of what is there and of what would be."""
        if proposal.structural == "insert":
            return (), tokens(proposal.after)
        if proposal.structural == "delete":
            return tokens(proposal.before), ()
        if proposal.structural is not None:
            return tokens(proposal.before), tokens(proposal.after)
        statement = self._site.statement
        module = self._site.module
        head = module.slice(statement.start, proposal.start)
        tail = module.slice(proposal.end, statement.end)
        return tokens(statement.text), tokens(head + proposal.replacement + tail)

    @cached_property
    def _place(self) -> tuple[str, ...]:
        """About the statement alone."""
        statement, scope = self._site.statement, self._scope
        node = self._site.node
        first, last = scope.node.lineno, scope.node.end_lineno or scope.node.lineno
        found = [
            f"stmt:{type(node).__name__}",
            number("deep", (statement.depth - 1) / 4),
            number("where", (statement.line - first) / max(1, last - first)),
            number("long", (last - first) / 30),
            number("idle", len(self._scope.unused) / 3),
        ]
        if statement.in_loop:
            found.append("in_loop")
        if statement.first_in_function:
            found.append("fn_first")
        if statement.last_in_function:
            found.append("fn_last")
        if statement.index + 1 == len(statement.siblings):
            found.append("block_last")
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            if (
                names
                and all(not scope.loads[name] for name in names)
                and all(isinstance(target, ast.Name) for target in targets)
            ):
                found.append("dead_store")
        found.extend(f"doc:{word}" for word in sorted(_DOCUMENTED & scope.words)[:4])
        return tuple(found)

    def _slot(self, proposal: Proposal) -> Iterator[str]:
        slot = proposal.slot
        if slot is None:
            return
        yield f"node:{type(slot.node).__name__}"
        yield f"parent:{type(slot.parent).__name__}"
        yield f"kind:{self._site.kind(slot.node)}"
        yield number("inner", slot.depth / 5)
        if isinstance(slot.parent, ast.Call) and slot.field != "func":
            function = slot.parent.func
            name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            own = name in self._site.context.signatures
            yield "arg_of:own" if own else f"arg_of:{name}"

    def _tokens(self, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
        """About the tokens that go and come: how usual they are around here."""
        yield number("grow", (len(new) - len(old)) / 10)
        before, after = Counter(old), Counter(new)
        gone, come = list((before - after).elements()), list((after - before).elements())
        if len(gone) == 1 and len(come) == 1:
            function, file = self._function_tokens, self._site.context.tokens[self._site.module.path]
            yield number("tok_old_fn", (function[gone[0]] - 1) / 5)
            yield number("tok_new_fn", function[come[0]] / 5)
            yield number("tok_old_file", math.log1p(file[gone[0]] - 1) / 5)
            yield number("tok_new_file", math.log1p(file[come[0]]) / 5)
            yield f"tok:{abstract((gone[0],))[0]}>{abstract((come[0],))[0]}"
        elif come and not gone:
            file = self._site.context.tokens[self._site.module.path]
            yield number("added_known", sum(file[token] > 0 for token in come) / len(come))
            yield number("added_rare", 1 / (1 + min(file[token] for token in come)))
        shape = self._site.context.shapes
        yield number("twin_old", (shape[abstract(old)] - 1) / 3)
        yield number("twin_new", shape[abstract(new)] / 3)
        if same_sides(new) and not same_sides(old):
            yield "makes_same_sides"
        if same_sides(old) and not same_sides(new):
            yield "was_same_sides"

    @cached_property
    def _function_tokens(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for statement in self._site.module.statements:
            if statement.function is self._scope:
                found.update(tokens(statement.text))
        return found

    def _fluency(self, old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[str]:
        """How often runs of tokens like the new and the old ones are written in the project and elsewhere."""
        own, prior = self._site.context.grams, self._site.context.prior
        part_old, part_new = window(("^", *old, "$"), ("^", *new, "$"))
        shape_old, shape_new = ("~", *abstract(part_old)), ("~", *abstract(part_new))
        for size in (3, 4):
            for mark, was, now in (
                ("n", grams(part_old, size), grams(part_new, size)),
                ("a", shape_grams(shape_old, size), shape_grams(shape_new, size)),
            ):
                # What is there now must not count as an example of itself.
                seen_old = _usual([own.get(gram, 0) - was.count(gram) for gram in was])
                seen_new = _usual([own.get(gram, 0) for gram in now])
                prior_old = _usual([prior.get(gram, 0) for gram in was])
                prior_new = _usual([prior.get(gram, 0) for gram in now])
                yield number(f"own{size}{mark}", seen_new - seen_old)
                yield number(f"usual{size}{mark}", prior_new - prior_old)
                if size == 3:
                    yield number(f"new{size}{mark}", max(seen_new, prior_new))
                    yield number(f"old{size}{mark}", max(seen_old, prior_old))

    def _special(self, proposal: Proposal) -> Iterator[str]:
        if proposal.template is RepairTemplate.GUARD:
            yield number(
                "fn_guards",
                sum(is_guard(node) for node in self._scope.nodes if isinstance(node, ast.stmt)) / 4,
            )
            yield number("file_guards", self._guarded_share)
            if self._idle_errors and "guard:raise" in proposal.tags:
                yield "idle_error"
            action = proposal.after.partition(": ")[2].split("(")[0]
            known = self._site.context.actions
            yield number("action", math.log1p(known[action]) / 4)
        elif proposal.template is RepairTemplate.WRAP and proposal.new is not None:
            known = self._site.context.callees
            yield number("called", math.log1p(known[proposal.new] + known[f".{proposal.new}"]) / 4)

    @cached_property
    def _guarded_share(self) -> float:
        functions = self._site.module.functions
        guarded = sum(any(is_guard(node) for node in scope.node.body) for scope in functions)
        return guarded / max(1, len(functions))

    @cached_property
    def _idle_errors(self) -> bool:
        """Whether the file knows an exception class that it never raises."""
        tree = self._site.module.tree
        known = {
            name for name in self._site.context.identifiers[self._site.module.path] if name.endswith("Error")
        } | {
            alias.asname or alias.name
            for node in tree.body if isinstance(node, ast.ImportFrom)
            for alias in node.names if alias.name.endswith("Error")
        }  # fmt: skip
        raised = " ".join(text for text, _ in self._site.context.jumps.get(self._site.module.path, ()))
        return any(name not in raised for name in known)


_LOGS = [min(1.0, math.log1p(count) / 4) for count in range(64)]


def _usual(counts: list[int]) -> float:
    """The mean of how usual some runs of tokens are, within [0, 1]."""
    if not counts:
        return 0.0
    return sum(_LOGS[min(63, max(0, count))] for count in counts) / len(counts)


_SIDES = frozenset({"==", "!=", "<", ">", "<=", ">=", "-", "/", "//", "and", "or", "in", "is", "%"})


def same_sides(sequence: tuple[str, ...]) -> bool:
    """Whether the same name stands on both sides of an operator."""
    return any(
        operator in _SIDES
        and left == right
        and left.isidentifier()
        and (index == 0 or sequence[index - 1] != ".")
        and sequence[index + 3 : index + 4] not in ((".",), ("[",), ("(",))
        for index, (left, operator, right) in enumerate(
            zip(sequence, sequence[1:], sequence[2:], strict=False)
        )
    )
