"""Which payload entry belongs in which field of a page, as far as types, words and what is left over tell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from scipy.optimize import linear_sum_assignment

from rlaios_core.environments.browser.driver import Control
from rlaios_core.environments.browser.matching import Entry, Fit, fits
from rlaios_core.environments.browser.memory import Memory

_ALIKE = 0.2
"""Likeness of two names from which it speaks for a pair."""


class Pairing(StrEnum):
    """What speaks for putting an entry into a field."""

    MEANT = "meant"
    """Type or words fit, and neither has a better partner on the page."""
    ALIKE = "alike"
    """The two names look alike, and neither has a better partner."""
    LEFT = "left"
    """Nothing speaks for it, but both are left without a partner."""
    TAKEN = "taken"
    """The field or the entry has a better partner."""


class Readiness(StrEnum):
    """What the fields of a page still want."""

    OPEN = "open"
    """A field lacks the entry that belongs in it."""
    LEFT = "left"
    """An entry that is not used and a field are left without a partner: they may belong together."""
    READY = "ready"
    """Nothing, as far as is known."""


_ORDER = tuple(Pairing)


@dataclass
class Pairings:
    """The fields of a page: what may go into each, best first, and who belongs together.

    `partners` is by field signature; `held` has the fields that hold their partner already.
    """

    candidates: dict[str, list[Fit]] = field(default_factory=dict)
    partners: dict[str, str] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    _strengths: dict[str, float] = field(default_factory=dict)

    @property
    def open_fields(self) -> int:
        """Fields that lack the entry that belongs in them."""
        return len(self.partners) - len(self.held)

    def readiness(self, memory: Memory) -> Readiness:
        """What is still to be filled in."""
        if self.open_fields:
            return Readiness.OPEN
        free = self.candidates.keys() - self.partners.keys()
        left = any(self._left(fit, memory) for signature in free for fit in self.candidates[signature])
        return Readiness.LEFT if left else Readiness.READY

    def judge(self, control: Control, fit: Fit, memory: Memory) -> Pairing:
        """What speaks for this entry in this field."""
        partner = self.partners.get(control.signature)
        if partner == fit.entry:
            return Pairing.MEANT if fit.strength else Pairing.ALIKE
        return Pairing.LEFT if partner is None and self._left(fit, memory) else Pairing.TAKEN

    def _left(self, fit: Fit, memory: Memory) -> bool:
        return fit.entry not in self._strengths and fit.entry not in memory.used

    def ranked(self, control: Control, memory: Memory) -> list[tuple[Pairing, Fit]]:
        """What may go into a field, the likeliest first: what has another place comes last."""
        judged = [(self.judge(control, fit, memory), fit) for fit in self.candidates[control.signature]]
        return sorted(judged, key=lambda pair: _ORDER.index(pair[0]))

    def settle(self, control: Control, fit: Fit, *, held: bool) -> None:
        """Make them partners."""
        self.partners[control.signature] = fit.entry
        self._strengths.setdefault(fit.entry, fit.strength)
        if held:
            self.held.add(control.signature)

    def serves_too(self, control: Control, fit: Fit) -> bool:
        """Whether an entry that has a field fits this one, which has none, as well: a repeated password."""
        free = control.signature not in self.partners
        return free and fit.entry in self._strengths and 0 < self._strengths[fit.entry] <= fit.strength


def pair(fields: Sequence[Control], payload: Mapping[str, Entry], memory: Memory) -> Pairings:
    """Pair fields and entries: first those that are together already, then so that all fit best together."""
    found = Pairings({control.signature: fits(control, payload) for control in fields})
    for control, fit in _all(fields, found):
        entry = payload[fit.entry]
        if control.signature not in found.partners and memory.holds(
            control, fit.entry, entry.value, entry.secret
        ):
            found.settle(control, fit, held=True)
    for control, fit in _best_together(fields, found):
        found.settle(control, fit, held=False)
    for control, fit in _all(fields, found):
        if found.serves_too(control, fit):
            found.settle(control, fit, held=False)
    return found


def _best_together(fields: Sequence[Control], found: Pairings) -> list[tuple[Control, Fit]]:
    """The one-to-one pairs, of what has no partner yet, whose scores add up to the most."""
    taken = set(found.partners.values())
    loose = [control for control in fields if control.signature not in found.partners]
    promising = [
        (row, fit)
        for row, control in enumerate(loose)
        for fit in found.candidates[control.signature]
        if fit.entry not in taken and (fit.strength or fit.likeness >= _ALIKE)
    ]
    entries = sorted({fit.entry for _, fit in promising})
    scores = np.zeros((len(loose), len(entries)))
    fitting = {(row, entries.index(fit.entry)): fit for row, fit in promising}
    for place, fit in fitting.items():
        scores[place] = fit.score
    rows, columns = linear_sum_assignment(scores, maximize=True)
    places = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(loose[row], fitting[row, column]) for row, column in places if (row, column) in fitting]


def _all(fields: Sequence[Control], found: Pairings) -> Iterator[tuple[Control, Fit]]:
    for control in fields:
        for fit in found.candidates[control.signature]:
            yield control, fit
