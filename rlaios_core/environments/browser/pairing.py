"""Which payload entry belongs in which field of a page, as far as types, words and what is left over tell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

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

    def judge(self, control: Control, fit: Fit, memory: Memory) -> Pairing:
        """What speaks for this entry in this field."""
        partner = self.partners.get(control.signature)
        if partner == fit.entry:
            return Pairing.MEANT if _strength(fit) else Pairing.ALIKE
        if partner is None and fit.entry not in self._strengths and fit.entry not in memory.used:
            return Pairing.LEFT
        return Pairing.TAKEN

    def settle(self, control: Control, fit: Fit, *, held: bool) -> None:
        """Make them partners."""
        self.partners[control.signature] = fit.entry
        self._strengths.setdefault(fit.entry, _strength(fit))
        if held:
            self.held.add(control.signature)

    def free(self, control: Control, fit: Fit) -> bool:
        """Whether both may still be paired: an entry serves several fields if it fits them all as well."""
        strength = _strength(fit)
        taken = fit.entry in self._strengths and (not strength or strength < self._strengths[fit.entry])
        return control.signature not in self.partners and not taken


def pair(fields: Sequence[Control], payload: Mapping[str, Entry], memory: Memory) -> Pairings:
    """Pair fields and entries: first those that are together already, then the best that is left."""
    found = Pairings({control.signature: fits(control, payload) for control in fields})
    for control, fit in _all(fields, found):
        entry = payload[fit.entry]
        if control.signature not in found.partners and memory.holds(
            control, fit.entry, entry.value, entry.secret
        ):
            found.settle(control, fit, held=True)
    for control, fit in sorted(_all(fields, found), key=lambda pair: -pair[1].score):
        if (_strength(fit) or fit.likeness >= _ALIKE) and found.free(control, fit):
            found.settle(control, fit, held=False)
    return found


def _all(fields: Sequence[Control], found: Pairings) -> Iterator[tuple[Control, Fit]]:
    for control in fields:
        for fit in found.candidates[control.signature]:
            yield control, fit


def _strength(fit: Fit) -> float:
    return fit.typed + 2 * fit.overlap
