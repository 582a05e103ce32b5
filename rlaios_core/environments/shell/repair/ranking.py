"""The orders the baselines try candidates in: pure functions of edits and suspicion."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .edit import Edit
from .localise import Place
from .templates import RepairTemplate


def random_order(edits: Sequence[Edit], rng: random.Random) -> list[Edit]:
    """Any order."""
    shuffled = list(edits)
    rng.shuffle(shuffled)
    return shuffled


def ochiai_then_prior(edits: Sequence[Edit], suspicion: Mapping[Place, float]) -> list[Edit]:
    """The most suspicious line first, on it the most usual edit first."""
    return sorted(
        edits, key=lambda edit: (-suspicion.get((edit.path, edit.line), 0.0), -edit.prior, edit.key)
    )


@dataclass(frozen=True)
class TemplateRates:
    """How often a candidate of a template was the right one on training tasks, smoothed."""

    candidates: Mapping[RepairTemplate, int] = field(default_factory=dict)
    fixes: Mapping[RepairTemplate, int] = field(default_factory=dict)
    added_fixes: float = 0.5
    added_candidates: float = 50.0

    @classmethod
    def learn(cls, cases: Iterable[tuple[Sequence[Edit], Iterable[Edit]]]) -> TemplateRates:
        """Rates from (candidates shown, edits that were right) of training tasks."""
        shown: Counter[RepairTemplate] = Counter()
        right: Counter[RepairTemplate] = Counter()
        for edits, references in cases:
            keys = {edit.key for edit in references}
            shown.update(edit.template for edit in edits)
            right.update(edit.template for edit in edits if edit.key in keys)
        return cls(candidates=dict(shown), fixes=dict(right))

    def rate(self, template: RepairTemplate) -> float:
        """The smoothed probability that one candidate of the template is right."""
        return (self.fixes.get(template, 0) + self.added_fixes) / (
            self.candidates.get(template, 0) + self.added_candidates
        )


def template_rate_order(
    edits: Sequence[Edit], suspicion: Mapping[Place, float], rates: TemplateRates
) -> list[Edit]:
    """By the learned rate of the template times Ochiai squared; the prior breaks ties."""

    def score(edit: Edit) -> float:
        return rates.rate(edit.template) * suspicion.get((edit.path, edit.line), 0.0) ** 2

    return sorted(edits, key=lambda edit: (-score(edit), -edit.prior, edit.key))


def oracle_order(edits: Sequence[Edit], path: str, line: int, template: RepairTemplate) -> list[Edit]:
    """Only the candidates of the right line and template, by prior: the ceiling of a factored policy."""
    group = [edit for edit in edits if (edit.path, edit.line, edit.template) == (path, line, template)]
    return sorted(group, key=lambda edit: (-edit.prior, edit.key))
