"""Scripts that solve the listed public tasks by their utterances: the reference, and the `oracle`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlaios_core.environments.browser.candidates import CLICK, FILL, SELECT, WAIT, clean, find_payload
from rlaios_core.environments.browser.driver import Control, Look
from rlaios_core.environments.browser.matching import overlap
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.schema import Action

_LIST = re.compile(r"^Select (.+?) (?:from the list )?and click Submit")
_QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True)
class _Scene:
    """What a script looks at."""

    utterance: str
    look: Look
    actions: Sequence[Action]
    memory: Memory

    @property
    def quoted(self) -> list[str]:
        return _QUOTED.findall(self.utterance)

    def controls(self, name: str, roles: Sequence[str] = ()) -> list[Control]:
        return [
            control
            for control in self.look.controls
            if control.name.casefold() == name.casefold() and (not roles or control.role in roles)
        ]

    def press(self, name: str, *roles: str) -> int | None:
        for control in self.controls(name, roles):
            found = self.on(CLICK, control)
            if found is not None:
                return found
        return None

    def on(self, verb: str, control: Control) -> int | None:
        for i, action in enumerate(self.actions):
            if action.verb == verb and find_payload(action).get("token") == control.token:
                return i
        return None

    def pressed(self, name: str) -> bool:
        return any(
            f'"{clean(name)}"' in event and event.startswith("did click") for event in self.memory.events
        )


def solved_by(page: str, utterance: str, look: Look, actions: Sequence[Action], memory: Memory) -> int | None:
    """The script's next action by position; `None` when it has none."""
    script = _SCRIPTS.get(page)
    return script(_Scene(utterance, look, actions, memory)) if script else None


def _quoted(scene: _Scene) -> int | None:
    name = scene.quoted[0]
    return scene.press("Close" if name == "x" else name, "button", "link", "clickable")


def _named(pattern: str) -> Callable[[_Scene], int | None]:
    def script(scene: _Scene) -> int | None:
        found = re.search(pattern, scene.utterance)
        return scene.press(found[1]) if found else None

    return script


def _sequence(scene: _Scene) -> int | None:
    return scene.press("TWO" if scene.pressed("ONE") else "ONE")


def _only_button(scene: _Scene) -> int | None:
    buttons = [control for control in scene.look.controls if control.role == "button"]
    return scene.on(CLICK, buttons[0]) if buttons else None


def _boxes(scene: _Scene) -> int | None:
    found = _LIST.search(scene.utterance)
    wanted = [] if found is None or found[1] == "nothing" else found[1].split(", ")
    for name in wanted:
        for control in scene.controls(name, ("checkbox", "radio")):
            if not control.checked:
                return scene.on(CLICK, control)
    return scene.press("Submit", "button")


def _choose(scene: _Scene) -> int | None:
    found = _LIST.search(scene.utterance)
    for i, action in enumerate(scene.actions):
        if found and action.verb == SELECT and find_payload(action)["option"] == found[1]:
            return i
    return scene.press("Submit", "button")


def _sections(scene: _Scene) -> int | None:
    target = scene.quoted[0] if scene.quoted else "Submit"
    found = scene.press(target, "clickable", "link")
    if found is not None:
        return found
    if scene.memory.last == CLICK:
        # Sections unfold slowly; what is in the last one is not there yet.
        return next((i for i, action in enumerate(scene.actions) if action.verb == WAIT), None)
    for control in scene.look.controls:
        if control.name.startswith("Section") and not scene.pressed(control.name):
            return scene.on(CLICK, control)
    return scene.press(target)


def _fill_in(*submits: str) -> Callable[[_Scene], int | None]:
    def script(scene: _Scene) -> int | None:
        away = scene.press("Cancel")
        if away is not None:
            return away
        best = max(_fillings(scene), default=None)
        if best is not None:
            return -best[1]
        return next((found for name in submits if (found := scene.press(name)) is not None), None)

    return script


def _fillings(scene: _Scene) -> list[tuple[float, int]]:
    """What may be entered into empty fields, as (how well it fits, minus its position)."""
    empty = {
        c.token: c for c in scene.look.controls if c.role == "textbox" and not c.length and not c.covered
    }
    found = []
    for i, action in enumerate(scene.actions):
        data = find_payload(action)
        control = empty.get(data.get("token", -1))
        if action.verb == FILL and control is not None:
            entry = str(data["entry"])
            label = control.name.replace("Released", "Year")
            fresh = 1.0 if entry not in scene.memory.used else 0.0
            found.append((2 * overlap(entry, label) + fresh, -i))
    return found


_SCRIPTS: dict[str, Callable[[_Scene], int | None]] = {
    "choose-list": _choose,
    "click-button": _quoted,
    "click-button-sequence": _sequence,
    "click-checkboxes": _boxes,
    "click-checkboxes-large": _boxes,
    "click-checkboxes-transfer": _boxes,
    "click-collapsible": _sections,
    "click-collapsible-2": _sections,
    "click-dialog": _quoted,
    "click-dialog-2": _quoted,
    "click-link": _quoted,
    "click-option": _boxes,
    "click-tab": _named(r"(Tab #\d)"),
    "click-test": _only_button,
    "click-test-2": _named(r"button (\w+)"),
    "click-test-transfer": _named(r"button (\w+)"),
    "enter-date": _fill_in("Submit"),
    "enter-password": _fill_in("Submit"),
    "enter-text": _fill_in("Submit"),
    "enter-text-dynamic": _fill_in("Submit"),
    "enter-time": _fill_in("Submit"),
    "login-user": _fill_in("Login"),
    "login-user-popup": _fill_in("Login", "OK"),
    "multi-layouts": _fill_in("Search", "Submit", "Go!"),
    "multi-orderings": _fill_in("Search", "Submit", "Go!"),
    "unicode-test": _quoted,
}
