"""What is noted about a press: what the control is, where it stands, and how it stands to the task."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rlaios_core.environments.browser.driver import Control
from rlaios_core.environments.browser.matching import content_words, hits, spoken_of, words
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.pairing import Readiness
from rlaios_core.environments.browser.rules import (
    FIELD_ROLES,
    FIELDS,
    PRESSED,
    Rules,
    entries_of,
    is_sensitive,
    sentences_of,
)

_REFUSALS = frozenset({
    "abort", "back", "cancel", "close", "decline", "deny", "discard", "dismiss", "later", "leave", "never",
    "no", "not", "previous", "refuse", "reject", "return", "skip",
})  # fmt: skip
"""Words on a button that turns down what its window offers or asks, or turns back."""
_CHECKS = frozenset({"checkbox", "switch"})
_CHOICES = _CHECKS | {"radio", "option", "menuitemradio"}
BUTTONS = PRESSED | {"link"}
"""Roles whose names say what pressing them does or where it leads."""


@dataclass(frozen=True)
class Scene:
    """What a press is seen against.

    `row_hits`: share of the payload in the text of each row that a press can be about. `best_said`: most of
    a control's name that the instruction has. `due` and `spent`: the entries that are not and those that are
    used. `here`: the section where something is entered that is not sent yet. `asked`: the window on the page
    answers the last press. `pressed`: the signatures of what was pressed in this episode. `forms`: the
    sections that have something to fill in or to choose. `accepted`: the signatures of what was pressed at
    this path and answered without complaint.
    """

    rules: Rules
    row_hits: Mapping[str, float]
    best_said: float
    readiness: Readiness
    due: frozenset[str]
    spent: frozenset[str]
    here: str
    asked: bool
    pressed: frozenset[str]
    forms: frozenset[str]
    accepted: frozenset[str]

    @property
    def sought(self) -> bool:
        """Whether the payload has anything that a row could show."""
        return any(not entry.secret and entry.value for entry in self.rules.payload.values())

    @property
    def best_hit(self) -> float:
        """The largest share of the payload in one row, in [0, 1]."""
        return max(self.row_hits.values(), default=0.0)


def scene_of(
    path: str, controls: Sequence[Control], rules: Rules, memory: Memory, readiness: Readiness
) -> Scene:
    """The scene on a page at this path with these usable controls."""
    said = (_said(control, rules) for control in controls if control.role not in FIELD_ROLES)
    alike = Counter((control.role, control.row) for control in controls)
    rows = {c.row for c in controls if c.row and (c.role in BUTTONS or _picks_its_row(c, alike))}
    return Scene(
        rules=rules,
        row_hits={row: hits(row, rules.payload) for row in rows},
        best_said=max(said, default=0.0),
        readiness=readiness,
        due=frozenset(rules.payload.keys() - memory.used),
        spent=frozenset(rules.payload.keys() & memory.used),
        here=memory.here if memory.unsent else "",
        asked=memory.asked,
        pressed=frozenset(signature for signature, _ in memory.pressed),
        forms=frozenset(control.section for control in controls if control.role in FIELDS),
        accepted=frozenset(signature for place, signature in memory.accepted if place == path),
    )


def _picks_its_row(control: Control, alike: Mapping[tuple[str, str], int]) -> bool:
    """Whether it is a choice of its row: the only one of its kind there, beside other text."""
    alone = control.role in _CHOICES and alike[control.role, control.row] == 1
    return alone and words(control.row) != words(control.name)


def press_notes(control: Control, scene: Scene, again: int) -> str:
    """Numbers, a tag for the kind, one for each mark, and last one for all of them together.

    What was never met together is then known at least by its parts. `again`: how often it was pressed while
    the page looked as it does now.
    """
    said = _said(control, scene.rules)
    refusing = control.role in BUTTONS and _refuses(control.name, scene.rules.request)
    marks = {
        "modal": control.dialog,
        "asked": control.dialog and scene.asked,
        "nav": control.in_navigation,
        _row_mark(control, scene): True,
        "named": bool(entries_of(control.name, scene.rules)),
        _entry_mark(control, scene): True,
        "sensitive": is_sensitive_press(control, scene.rules),
        _readiness_mark(control, scene): True,
        "here": bool(scene.here) and control.section == scene.here,
        "refusing": refusing,
        "settled": control.role == "combobox" and bool(entries_of(control.value, scene.rules)),
        "mostsaid": 0 < said == scene.best_said and not refusing,
        "spoken": control.role in _CHECKS and 0 < said < scene.best_said,
        "again": again > 0,
        "own": control.role in _CHECKS and bool(control.checked) and control.signature in scene.pressed,
        "invalid": bool(control.invalid),
    }
    kind, found = _kind(control, scene), [mark for mark, holds in marks.items() if mark and holds]
    parts = [f"#press_{kind}", *(f"#mark_{mark}" for mark in found)] if found else []
    tags = " ".join([*parts, "_".join([f"#press_{kind}", *found])])
    hit = scene.row_hits.get(control.row, 0.0)
    return f"said:{said:.2f} hit:{hit:.2f} again:{min(1.0, again / 3):.2f} {tags}"


def is_sensitive_press(control: Control, rules: Rules) -> bool:
    """Whether pressing the control is sensitive by its name."""
    return control.role in PRESSED and is_sensitive(control.name, rules)


def _refuses(name: str, request: str) -> bool:
    """Whether the name has a word of refusal that the task does not ask for itself."""
    refusals = _REFUSALS & set(words(name))
    return bool(refusals) and bool(refusals - content_words(request))


def _said(control: Control, rules: Rules) -> float:
    """How much of the control's name the request has, in [0, 1]."""
    return spoken_of(control.name, rules.request)


def _row_mark(control: Control, scene: Scene) -> str:
    """Whether its row has all of the payload, the most on the page, less or nothing of it."""
    if control.row not in scene.row_hits or not scene.sought:
        return ""
    hit = scene.row_hits[control.row]
    if not hit:
        return "nohit"
    return "wholehit" if hit == 1.0 else "besthit" if hit >= scene.best_hit else "lesshit"


def _readiness_mark(control: Control, scene: Scene) -> str:
    """What the fields beside it still want; of a button that sends a form, the kind tells it."""
    beside = control.role in PRESSED and not control.submit and control.section in scene.forms
    return scene.readiness if beside and scene.readiness is not Readiness.READY else ""


def _entry_mark(control: Control, scene: Scene) -> str:
    """Whether its name has all words of an entry's that is not used yet, or of one that is."""
    if any(spoken_of(entry, control.name) == 1.0 for entry in scene.due):
        return "due"
    return "spent" if any(spoken_of(entry, control.name) == 1.0 for entry in scene.spent) else ""


def _kind(control: Control, scene: Scene) -> str:
    if control.role in _CHECKS:
        return f"check_{'on' if control.checked else 'off'}_of{sentences_of(scene.rules.request)}"
    if control.role == "radio":
        return f"radio_{'on' if control.checked else 'off'}"
    if control.role == "tab":
        return f"tab_{'here' if control.selected else 'other'}"
    if control.role == "combobox":
        return f"list_{'open' if control.expanded else 'shut'}"
    if control.role == "button" and control.popup:
        return f"menu_{'open' if control.expanded else 'shut'}"
    if control.submit:
        return f"submit_{scene.readiness}"
    return control.role
