"""The reference's next move: from what the scenario wants on a page to one of the admissible actions."""

from collections.abc import Sequence

from rlaios_core.environments.browser.candidates import (
    ACCEPT,
    CLICK,
    DISMISS,
    FILL,
    SCROLL,
    SELECT,
    WAIT,
    find_payload,
)
from rlaios_core.environments.browser.driver import Control, Look
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.site import Scenario
from rlaios_core.environments.browser.site.blocks import Intent, Op
from rlaios_core.schema import HANDOFF, RETRY, STOP, VERIFY, Action

_UNCERTAIN = frozenset({408, 409, 504})
"""After these the request may have arrived, or the page is out of date: look before retrying."""


def guided(scenario: Scenario, look: Look, actions: Sequence[Action], memory: Memory) -> int | None:
    """Position of the reference's action. Falls back to scrolling, waiting and handing over."""
    verbs = {action.verb: i for i, action in enumerate(actions)}
    if scenario.handoff_due() and HANDOFF in verbs:
        return verbs[HANDOFF]
    if look.dialog is not None:
        return verbs.get(ACCEPT if scenario.confirm_dialog() else DISMISS, verbs.get(HANDOFF))
    if memory.trouble and memory.http_status in _UNCERTAIN and VERIFY in verbs:
        # The server knows whether it arrived; who looks at the page has to ask.
        return verbs[VERIFY]
    if scenario.achieved() and STOP in verbs and not look.popup:
        return verbs[STOP]
    if memory.trouble and RETRY in verbs:
        return verbs[RETRY]
    controls = {control.id: control for control in look.controls}
    for intent in scenario.intents(look.path):
        chosen = _carried_out_by(intent, scenario, controls, actions, memory)
        if chosen is not None:
            return chosen
    for verb in (WAIT, SCROLL, HANDOFF):
        if verb in verbs:
            return verbs[verb]
    return None


def _carried_out_by(
    intent: Intent,
    scenario: Scenario,
    controls: dict[str, Control],
    actions: Sequence[Action],
    memory: Memory,
) -> int | None:
    if intent.op is Op.SCROLL:
        return next((i for i, a in enumerate(actions) if a.verb == SCROLL and a.target == "down"), None)
    ident = scenario.render.ident(intent.key)
    control = controls.get(ident)
    if control is None or (intent.unless and scenario.render.ident(intent.unless) in controls):
        return None
    if intent.op is Op.FILL:
        entry = scenario.payload[intent.value]
        if memory.holds(control, intent.value, entry.value, entry.secret):
            return None
        return _find(actions, FILL, ident, entry=intent.value)
    if intent.op is Op.SELECT:
        return None if control.value == intent.value else _find(actions, SELECT, ident, option=intent.value)
    if intent.op is Op.CHECK:
        return None if control.checked == (intent.value == "yes") else _find(actions, CLICK, ident)
    if intent.value and control.role == "combobox" and control.value == intent.value:
        return None
    return _find(actions, CLICK, ident)


def _find(actions: Sequence[Action], verb: str, ident: str, **wanted: str) -> int | None:
    for i, action in enumerate(actions):
        data = find_payload(action)
        if (
            action.verb == verb
            and data.get("id") == ident
            and all(data.get(k) == v for k, v in wanted.items())
        ):
            return i
    return None
