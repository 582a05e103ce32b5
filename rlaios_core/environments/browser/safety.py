"""What is kept from the student whatever it would choose: a person's acts, and acts on the wrong thing."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from rlaios_core.environments.browser.driver import Control
from rlaios_core.environments.browser.human_checks import asks_for_a_person, is_check
from rlaios_core.environments.browser.matching import fits, words
from rlaios_core.environments.browser.pressing import BUTTONS, Scene, is_sensitive_press
from rlaios_core.environments.browser.rules import FIELDS, PRESSED, Leave, Rules

_DOWNLOADS = frozenset({"download", "downloads"})
_FILES = frozenset({
    ".apk", ".bz2", ".deb", ".dmg", ".exe", ".gz", ".iso", ".msi", ".pkg", ".rar", ".rpm", ".tgz", ".xz",
    ".zip",
})  # fmt: skip
"""Endings of addresses that a browser saves and never shows."""
_ANSWERS = PRESSED | FIELDS


class Withheld(StrEnum):
    """Why a control is not offered; the text ends a line of the context."""

    LEAVE = "needs leave"
    """Its name is sensitive, and the task gives no leave and does not ask for it either."""
    PERSON = "is for a person"
    """It belongs to a check for humans or to a second factor."""
    FILE = "is a download"
    """It announces a download, which the task does not ask for and the browser would refuse."""
    ROW = "another row fits better"
    """It is sensitive, and stands in a row that has less of the payload than another."""
    DONE = "was done already"
    """It is sensitive, and was pressed here before and answered without complaint."""


def withheld(controls: Sequence[Control], scene: Scene) -> dict[int, Withheld]:
    """The controls that must not be used, by token."""
    rules = scene.rules
    checks = frozenset() if _asked_for(rules) else _checks(controls, rules)
    found = {}
    for control in controls:
        sensitive = is_sensitive_press(control, rules)
        if _announces_a_file(control, rules):
            found[control.token] = Withheld.FILE
        elif control.token in checks:
            found[control.token] = Withheld.PERSON
        elif sensitive and not _has_leave(control, rules):
            found[control.token] = Withheld.LEAVE
        elif sensitive and control.row and scene.row_hits[control.row] < scene.best_hit:
            found[control.token] = Withheld.ROW
        elif sensitive and control.signature in scene.accepted:
            found[control.token] = Withheld.DONE
    return found


def _has_leave(control: Control, rules: Rules) -> bool:
    """Where nothing is said of leave, for what the task itself names alone."""
    if rules.leave is not Leave.UNSAID:
        return rules.leave is Leave.GIVEN
    return bool(rules.sensitive & set(words(control.name)) & set(words(rules.request)))


def _announces_a_file(control: Control, rules: Rules) -> bool:
    """By its mark, its address's ending or, unless the task speaks of downloads, its name or address."""
    path = urlsplit(control.href).path
    if control.download or PurePosixPath(path).suffix.lower() in _FILES:
        return True
    named = control.role in BUTTONS and bool(_DOWNLOADS & {*words(control.name), *words(path)})
    return named and not _DOWNLOADS & set(words(rules.request))


def _checks(controls: Sequence[Control], rules: Rules) -> frozenset[int]:
    """What answers a check: by its own name, or in a section headed by one.

    A section that asks for a password which the payload has is a sign-in.
    """
    doors = {c.section for c in controls if c.secret and fits(c, rules.payload)}
    sections = {s for s in {c.section for c in controls} - doors if asks_for_a_person(s)}
    answers = (c for c in controls if c.role in _ANSWERS)
    return frozenset(c.token for c in answers if c.section in sections or is_check(c))


def _asked_for(rules: Rules) -> bool:
    """Whether the task itself speaks of such a check: to turn a second factor on, to enter a given code."""
    return asks_for_a_person(rules.instruction) or any(map(asks_for_a_person, rules.payload))
