"""One task of the bundled site as data: everything about it follows from this record."""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from rlaios_core.environments.browser.site.words import rng_of
from rlaios_core.schema import Model, Split, derive_seed


class Mechanic(StrEnum):
    """What makes a page more than a plain form."""

    COOKIE = "cookie"
    """A cookie notice, sometimes over the whole page."""
    PROMO = "promo"
    """A promotion that covers the page until it is closed."""
    SLOW = "slow"
    """Answers take up to 400 ms."""
    HYDRATE = "hydrate"
    """The first input into a form is lost, as before hydration."""
    RERENDER = "rerender"
    """Every change replaces the fields by copies."""
    LATE = "late"
    """The submit button is enabled a moment after the form is complete."""
    SPA = "spa"
    """Links and forms are handled by a script, without a new document."""
    TRANSIENT = "transient"
    """The first submission meets a 503 that one retry cures."""


_RATES = {
    Mechanic.COOKIE: 0.22,
    Mechanic.PROMO: 0.12,
    Mechanic.SLOW: 0.2,
    Mechanic.HYDRATE: 0.12,
    Mechanic.RERENDER: 0.12,
    Mechanic.LATE: 0.14,
    Mechanic.SPA: 0.16,
    Mechanic.TRANSIENT: 0.1,
}
UNSEEN_PAIRS = (
    (Mechanic.COOKIE, Mechanic.TRANSIENT),
    (Mechanic.PROMO, Mechanic.HYDRATE),
    (Mechanic.SPA, Mechanic.LATE),
    (Mechanic.RERENDER, Mechanic.SLOW),
)
"""Combinations that training never shows."""
_UNSEEN_SHARE = 0.3
_LAYOUTS = {
    Split.TRAIN: (0, 1, 2, 3),
    Split.HELD_OUT_VARIANT: (4, 5),
    Split.HELD_OUT: (4, 5),
    Split.FINAL: (6, 7),
    Split.HELD_OUT_OPERATOR: (6, 7),
}
"""Layout templates by split."""


class SiteSpec(Model):
    """A task of the bundled site. `handoff` says that it rightly ends with a person."""

    family: str
    split: Split
    seed: int = Field(ge=0)
    layout: int = Field(ge=0, le=7)
    mechanics: tuple[Mechanic, ...] = ()
    handoff: bool = False


def draw_spec(families: Sequence[tuple[str, float]], split: Split, index: int, seed: int) -> SiteSpec:
    """The spec at a position. `families` are names with their share of hand-offs; each run of
    `len(families)` positions has every family once.
    """
    place, turn = index % len(families), index // len(families)
    order = list(families)
    rng_of(derive_seed(split.value, seed, turn), "families").shuffle(order)
    family, share = order[place]
    own = derive_seed("site", split.value, index, seed)
    rng = rng_of(own, "spec")
    handoff = rng.random() < share
    drawn = {mechanic for mechanic, rate in _RATES.items() if rng.random() < rate}
    forced = rng.choice(UNSEEN_PAIRS)
    unseen = split is Split.HELD_OUT_OPERATOR or (split is not Split.TRAIN and rng.random() < _UNSEEN_SHARE)
    if unseen:
        drawn.update(forced)
    elif split is Split.TRAIN:
        for first, second in UNSEEN_PAIRS:
            if first in drawn and second in drawn:
                drawn.discard(rng.choice((first, second)))
    return SiteSpec(
        family=family,
        split=split,
        seed=own,
        layout=rng.choice(_LAYOUTS[split]),
        mechanics=tuple(mechanic for mechanic in Mechanic if mechanic in drawn),
        handoff=handoff,
    )
