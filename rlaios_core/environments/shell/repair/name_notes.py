"""Notes about the names an edit takes away and brings in: unused ones, repeated ones, hinted ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from .kinds import Kind
from .notation import number
from .scope import words
from .site import Proposal, Site


def name_notes(site: Site, proposal: Proposal, before: Counter[str], after: Counter[str]) -> Iterator[str]:
    """About the names among the tokens that are there before and after the edit."""
    scope = site.scope
    gone = [token for token in before if before[token] > after[token] and token[0].isidentifier()]
    come = [token for token in after if after[token] > before[token] and token[0].isidentifier()]
    if any(token in scope.unused for token in come):
        yield "uses_idle"
    if any(
        0 < scope.loads[token] <= before[token] - after[token] for token in gone if token not in scope.stores
    ):
        yield "makes_idle"
    if any(0 < scope.loads[token] <= before[token] - after[token] for token in gone if token in scope.stores):
        yield "makes_dead"
    mentions = site.context.mentions
    known = site.context.signatures.keys() | site.module.facts.imported
    if any(token in known and not mentions[token] for token in come):
        yield "uses_unmentioned"
    if any(token in known and 0 < mentions[token] <= before[token] - after[token] for token in gone):
        yield "makes_unmentioned"
    hints = scope.words
    yield number("doc_new", sum(bool(set(words(token)) & hints) for token in come) / max(1, len(come)))
    yield number("doc_old", sum(bool(set(words(token)) & hints) for token in gone) / max(1, len(gone)))
    yield from _old_and_new(site, proposal, before, after)


def _old_and_new(site: Site, proposal: Proposal, before: Counter[str], after: Counter[str]) -> Iterator[str]:
    scope = site.scope
    file = site.context.identifiers[site.module.path]
    if proposal.old is not None:
        yield f"old:{standing(site, proposal.old)}"
        yield number("old_fn", (scope.loads[proposal.old] - 1) / 6)
        yield number("old_file", file[proposal.old] / 20)
        yield number("old_here", (before[proposal.old] - 1) / 2)
    if proposal.new is not None:
        yield f"new:{standing(site, proposal.new)}"
        yield number("new_fn", scope.loads[proposal.new] / 6)
        yield number("new_file", file[proposal.new] / 20)
        yield number("new_here", (after[proposal.new] - 1) / 2)
        stores = scope.stores.get(proposal.new)
        if stores:
            away = min(abs(node.lineno - site.statement.line) for node in stores)
            yield number("new_near", 1 / (1 + away))
    if proposal.old is not None and proposal.new is not None:
        first, second = (site.kinds.get(name, Kind.UNKNOWN) for name in (proposal.old, proposal.new))
        if Kind.UNKNOWN not in (first, second):
            yield "kinds_equal" if first is second else "kinds_differ"
        share = set(words(proposal.old)) & set(words(proposal.new))
        yield number("alike", len(share) / max(1, len(words(proposal.new))))
        together = sum(
            1 for other in site.module.statements
            if other.function is scope and re.search(rf"\b{re.escape(proposal.new)}\b", other.text)
        )  # fmt: skip
        yield number("new_lines", together / 6)


def standing(site: Site, name: str) -> str:
    """What a name is in the function."""
    scope = site.scope
    if name in scope.parameters:
        return "receiver" if name == scope.receiver else "param"
    if name in scope.loop_variables:
        return "loop"
    if name in scope.locals:
        return "local"
    if name in scope.comprehension_variables:
        return "comprehension"
    if name in site.context.signatures:
        return "function"
    return "attribute" if name in site.context.attributes else "other"
