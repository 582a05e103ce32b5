"""What the rest of the project tells about one file: names, signatures, ingredients, habits."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .facts import FoundTest, Gram, ModuleFacts, Signature
from .habits import prior_grams
from .kinds import Kind
from .source import Module, parse_module


@dataclass(eq=False)
class ProjectContext:
    """All sources of a project as they are now, with what candidates are built from.

    `prior` counts n-grams of other projects; it must not hold the project itself, or
    the right repair could be looked up.
    """

    files: Mapping[str, str]
    prior: Mapping[Gram, int] = field(default_factory=dict)

    @classmethod
    def build(cls, files: Mapping[str, str]) -> ProjectContext:
        """The context of these files, with the habits of the training projects they do not belong to."""
        return cls(files, prior_grams(frozenset(files)))

    @cached_property
    def modules(self) -> tuple[Module, ...]:
        """Every file, parsed."""
        return tuple(parse_module(path, self.files[path]) for path in sorted(self.files))

    @cached_property
    def _facts(self) -> tuple[ModuleFacts, ...]:
        return tuple(module.facts for module in self.modules)

    @cached_property
    def grams(self) -> Mapping[Gram, int]:
        """Counted n-grams of the project's own statements."""
        total: dict[Gram, int] = {}
        for facts in self._facts:
            for gram, count in facts.grams.items():
                total[gram] = total.get(gram, 0) + count
        return total

    @cached_property
    def shapes(self) -> Counter[Gram]:
        """How often a statement of the same shape (names, texts and numbers left open) is written."""
        return sum((facts.shapes for facts in self._facts), Counter())

    @cached_property
    def tokens(self) -> dict[str, Counter[str]]:
        """How often each token is written, by file."""
        return {facts.module.path: facts.tokens for facts in self._facts}

    @cached_property
    def tests(self) -> tuple[FoundTest, ...]:
        """Every condition of a guard and every clause of another condition in the project."""
        return tuple(test for facts in self._facts for test in facts.tests)

    @cached_property
    def tests_by_text(self) -> dict[str, tuple[FoundTest, ...]]:
        """The same, equal ones together."""
        found: dict[str, tuple[FoundTest, ...]] = {}
        for test in self.tests:
            found[test.text] = (*found.get(test.text, ()), test)
        return found

    @cached_property
    def actions(self) -> Counter[str]:
        """How often each jump follows a guard, without what is in its parentheses."""
        return Counter(test.action.split("(")[0] for test in self.tests if test.action is not None)

    @cached_property
    def jumps(self) -> dict[str, tuple[tuple[str, ast.Raise], ...]]:
        """`raise` statements by file, with their text."""
        return {facts.module.path: facts.jumps for facts in self._facts}

    @cached_property
    def signatures(self) -> dict[str, tuple[Signature, ...]]:
        """Functions and methods by plain name."""
        found: dict[str, tuple[Signature, ...]] = {}
        for facts in self._facts:
            for signature in facts.signatures:
                found[signature.name] = (*found.get(signature.name, ()), signature)
        return found

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """Kinds of attributes (`.name`) and of what functions return (`name()`)."""
        votes = sum((facts.kind_votes for facts in self._facts), Counter[tuple[str, Kind]]())
        best: dict[str, tuple[int, Kind]] = {}
        for (name, kind), count in sorted(votes.items()):
            if kind is not Kind.UNKNOWN and count > best.get(name, (0, kind))[0]:
                best[name] = (count, kind)
        return {name: kind for name, (_, kind) in best.items()}

    @cached_property
    def attributes(self) -> dict[str, tuple[str, ...]]:
        """Attributes that are assigned or declared together in one class: name to its companions."""
        companions: dict[str, set[str]] = {}
        for facts in self._facts:
            for name, others in facts.attributes.items():
                companions.setdefault(name, set()).update(others)
        return {name: tuple(sorted(others)) for name, others in companions.items()}

    @cached_property
    def callees(self) -> Counter[str]:
        """How often each function or method (`.name`) is called on one value and nothing else."""
        return sum((facts.callees for facts in self._facts), Counter())

    @cached_property
    def identifiers(self) -> dict[str, Counter[str]]:
        """How often each name is mentioned, by file."""
        return {facts.module.path: facts.identifiers for facts in self._facts}

    @cached_property
    def optional(self) -> frozenset[str]:
        """Attributes that may be None."""
        return frozenset().union(*(facts.optional for facts in self._facts))

    @cached_property
    def mentions(self) -> Counter[str]:
        """How often each name is read and each attribute taken in the project."""
        return sum((facts.mentions for facts in self._facts), Counter())

    @cached_property
    def owners(self) -> Counter[tuple[str, str]]:
        """How often an attribute is taken from a plain name, as (name, attribute)."""
        return sum((facts.owners for facts in self._facts), Counter())

    @cached_property
    def literals(self) -> dict[str, Counter[str]]:
        """How often each literal occurs, by file, as text."""
        return {facts.module.path: facts.literals for facts in self._facts}

    @cached_property
    def keywords(self) -> dict[str, Counter[str]]:
        """Values given to each keyword argument in the project, as text."""
        found: dict[str, Counter[str]] = {}
        for facts in self._facts:
            for name, values in facts.keywords.items():
                found[name] = found.get(name, Counter()) + values
        return found
