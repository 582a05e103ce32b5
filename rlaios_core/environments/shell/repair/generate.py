"""Every repair candidate for one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from .check import Key, code_key, statement_key
from .context import ProjectContext
from .edit import Edit, one_line
from .localise import Place
from .notes import Notes
from .prior import prior
from .rules import RULES
from .selection import select
from .site import Proposal, Site
from .source import Module, Statement, parse_module
from .templates import RepairTemplate

_MOST = 12
MOST: Mapping[RepairTemplate, int] = {
    RepairTemplate.GUARD: 14,
    RepairTemplate.WRAP: 10,
    RepairTemplate.VARIABLE: 14,
    RepairTemplate.CONDITION: 14,
    RepairTemplate.EXPRESSION: 12,
    RepairTemplate.CONSTANT: 10,
    RepairTemplate.RETURN: 8,
    RepairTemplate.LITERAL_FILL: 6,
    RepairTemplate.ARGSWAP: 4,
    RepairTemplate.INDEXSWAP: 4,
}
"""How many candidates of a template one line has at most; the least likely ones are left out."""


def candidates(
    path: str,
    source: str,
    lines: Collection[int] | None = None,
    *,
    context: ProjectContext,
    notes: bool = True,
) -> list[Edit]:
    """The candidates on those lines (all lines of functions if None), in the order of the text.

    Each result compiles and differs from the source and from every other result. A line
    stands for the statement that begins on it.
    """
    drafts = _drafts(parse_module(path, source), lines, context)
    return [draft.edit if not notes else draft.noted() for draft in drafts]


class Offers:
    """The selected candidates on suspicious lines, while one file after another is looked at.

    The same as `candidates` of those files and then `select`, but each file is worked through once, and
    notes are written once, for what is selected. Not thread-safe.
    """

    def __init__(
        self,
        files: Mapping[str, str],
        suspicion: Mapping[Place, float],
        limit: int = 256,
        *,
        context: ProjectContext,
    ) -> None:
        self._files, self._suspicion, self._limit, self._context = files, suspicion, limit, context
        self._drafts: dict[str, dict[str, _Draft]] = {}
        self._noted: dict[str, Edit] = {}

    def within(self, paths: Collection[str]) -> list[Edit]:
        """The selection among the candidates in these files, with notes."""
        chosen = self.selected(paths)
        for edit in chosen:
            if edit.key not in self._noted:
                self._noted[edit.key] = self._drafts[edit.path][edit.key].noted()
        return [self._noted[edit.key] for edit in chosen]

    def selected(self, paths: Collection[str]) -> list[Edit]:
        """The same selection without notes, which cost as much as the rest."""
        drafts = [draft.edit for path in sorted(paths) for draft in self._of_file(path).values()]
        return select(drafts, self._suspicion, self._limit)

    def _of_file(self, path: str) -> Mapping[str, _Draft]:
        if path not in self._drafts:
            lines = {line for at, line in self._suspicion if at == path}
            found = _drafts(parse_module(path, self._files[path]), lines, self._context) if lines else ()
            self._drafts[path] = {draft.edit.key: draft for draft in found}
        return self._drafts[path]


@dataclass(frozen=True)
class _Draft:
    """An edit whose notes are still to be written."""

    edit: Edit
    proposal: Proposal
    writer: Notes
    rank: int
    group: int

    def noted(self) -> Edit:
        return replace(self.edit, notes=self.writer.write(self.proposal, self.rank, self.group))


def _drafts(module: Module, lines: Collection[int] | None, context: ProjectContext) -> Iterator[_Draft]:
    for statement in module.statements:
        if lines is None or statement.line in lines:
            yield from _of_statement(module, statement, context)


def _of_statement(module: Module, statement: Statement, context: ProjectContext) -> Iterator[_Draft]:
    site = Site(module, statement, context)
    original = statement_key(statement)
    seen: set[Key] = set() if original is None else {original}
    made: list[tuple[Edit, Proposal]] = []
    for proposal in proposals(site):
        key = _key(module, statement, proposal)
        if key is None or key in seen:
            continue
        seen.add(key)
        edit = Edit(
            path=module.path,
            start=proposal.start,
            end=proposal.end,
            replacement=proposal.replacement,
            line=statement.line,
            template=proposal.template,
            before=one_line(proposal.before),
            after=one_line(proposal.after),
            prior=prior(proposal),
            tags=proposal.tags,
        )
        made.append((edit, proposal))
    writer = Notes(site)
    groups = Counter(edit.template for edit, _ in made)
    ranks: Counter[RepairTemplate] = Counter()
    places: dict[str, int] = {}
    for edit, _ in sorted(made, key=lambda item: -item[0].prior):
        places[edit.key] = ranks[edit.template]
        ranks[edit.template] += 1
    for edit, proposal in made:
        yield _Draft(edit, proposal, writer, places[edit.key], groups[edit.template])


def proposals(site: Site) -> list[Proposal]:
    """What the rules propose for a statement, the likeliest few of each template, in the rules' order."""
    made: dict[tuple[int, int, str], Proposal] = {}
    for rule in RULES:
        for proposal in rule(site):
            made.setdefault((proposal.start, proposal.end, proposal.replacement), proposal)
    kept: set[int] = set()
    counts: Counter[RepairTemplate] = Counter()
    for proposal in sorted(made.values(), key=lambda proposal: -proposal.weight):
        counts[proposal.template] += 1
        if counts[proposal.template] <= MOST.get(proposal.template, _MOST):
            kept.add(id(proposal))
    return [proposal for proposal in made.values() if id(proposal) in kept]


def changed_text(module: Module, statement: Statement, proposal: Proposal) -> str:
    """The statement's text with the proposal in it."""
    head = module.slice(statement.start, proposal.start)
    return head + proposal.replacement + module.slice(proposal.end, statement.end)


def _key(module: Module, statement: Statement, proposal: Proposal) -> Key | None:
    if proposal.structural is None:
        return statement_key(statement, changed_text(module, statement, proposal))
    if proposal.structural == "insert":
        inserted = code_key(proposal.after, False, statement.in_loop)
        before = statement.siblings[max(0, statement.index - 1) : statement.index + 1]
        if inserted is None or any(one_line(module.text(node)) == proposal.after for node in before):
            return None
        return ("insert", *inserted)
    if proposal.structural == "enclose":
        enclosed = code_key(proposal.after, False, statement.in_loop)
        return None if enclosed is None else ("enclose", *enclosed)
    if proposal.structural == "delete":
        # Of equal neighbours only the first one is deleted: the result is the same.
        text = module.text(statement.node)
        if statement.index and module.text(statement.siblings[statement.index - 1]) == text:
            return None
        return ("delete",)
    return (proposal.structural,)
