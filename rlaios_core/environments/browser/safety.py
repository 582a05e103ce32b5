"""What is kept from the student whatever it would choose: a person's acts, and acts on the wrong thing."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from rlaios_core.environments.browser.driver import Control
from rlaios_core.environments.browser.human_checks import asks_for_a_person
from rlaios_core.environments.browser.matching import type_fits
from rlaios_core.environments.browser.rules import FIELD_ROLES, Rules, is_sensitive

_ACTS = frozenset({"button", "menuitem", "clickable"})
_ANSWERS = _ACTS | FIELD_ROLES | {"checkbox", "switch", "radio", "combobox", "listbox"}


class Withheld(StrEnum):
    """Why a control is not offered; the text ends a line of the context."""

    LEAVE = "needs leave"
    """Its name is sensitive, and the task gives no leave."""
    PERSON = "is for a person"
    """It belongs to a check for humans or to a second factor."""
    ROW = "another row fits better"
    """It is sensitive, and stands in a row that has less of the payload than another."""


def withheld(controls: Sequence[Control], rules: Rules, row_hits: Mapping[str, float]) -> dict[int, Withheld]:
    """The controls that must not be used, by token. `row_hits`: share of the payload in each row's text."""
    best = max(row_hits.values(), default=0.0)
    checks = _check_sections(controls, rules)
    found = {}
    for control in controls:
        sensitive = control.role in _ACTS and is_sensitive(control.name, rules)
        if control.role in _ANSWERS and _is_check(control, rules, checks):
            found[control.token] = Withheld.PERSON
        elif sensitive and not rules.leave:
            found[control.token] = Withheld.LEAVE
        elif sensitive and control.row and row_hits.get(control.row, 0.0) < best:
            found[control.token] = Withheld.ROW
    return found


def _is_check(control: Control, rules: Rules, sections: frozenset[str]) -> bool:
    if _asked_for(rules):
        return False
    own = control.autocomplete == "one-time-code" or asks_for_a_person(control.name)
    return own or control.section in sections


def _check_sections(controls: Sequence[Control], rules: Rules) -> frozenset[str]:
    """Sections headed by such a check; one that asks for a password which the payload has is a sign-in."""
    doors = set(_doors(controls, rules))
    return frozenset(c.section for c in controls if asks_for_a_person(c.section) and c.section not in doors)


def _doors(controls: Sequence[Control], rules: Rules) -> Iterator[str]:
    for control in controls:
        known = any(type_fits(name, entry, control) for name, entry in rules.payload.items())
        if control.secret and known:
            yield control.section


def _asked_for(rules: Rules) -> bool:
    """Whether the task itself speaks of such a check: to turn a second factor on, to enter a given code."""
    return asks_for_a_person(rules.instruction) or any(map(asks_for_a_person, rules.payload))
