"""From what is on the page to what may be done: every admissible action, with what is known about it.

Page text never becomes an action by itself: actions come from controls, the payload and a fixed list.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rlaios_core.environments.browser.driver import Control, Look
from rlaios_core.environments.browser.matching import (
    Entry,
    Fit,
    hits,
    likeness,
    overlap,
    same_text,
    spoken_of,
    words,
)
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.pairing import Pairing, Pairings, pair
from rlaios_core.schema import HANDOFF, RETRY, STOP, VERIFY, Action

FILL, SELECT, CLICK, PRESS, SCROLL, WAIT, BACK = "fill", "select", "click", "press", "scroll", "wait", "back"
CLEAR, ACCEPT, DISMISS, ANSWER = "clear", "accept", "dismiss", "answer"
FIELD_ROLES = frozenset({"textbox", "searchbox", "spinbutton"})
CHOICES = frozenset({"radio", "checkbox", "option", "menuitemradio"})
_PER_FIELD = 4
_PER_LIST = 12
_MOST = 60
_MOST_WAITS = 3
_KEY_WORDS, _LABEL_WORDS = 2, 4
SENSITIVE = frozenset(
    [
        "pay",
        "payment",
        "buy",
        "purchase",
        "order",
        "delete",
        "remove",
        "erase",
        "publish",
        "public",
        "transfer",
        "withdraw",
        "donate",
    ]
)
"""Words on a button that make it sensitive: it then needs leave."""


@dataclass(frozen=True)
class Rules:
    """What the task allows. `origins` may be opened; `sensitive` words need `leave`."""

    instruction: str
    payload: Mapping[str, Entry]
    origins: tuple[str, ...]
    leave: bool = True
    sensitive: frozenset[str] = SENSITIVE
    handoff: bool = True
    stop: bool = True


@dataclass
class Offer:
    """The admissible actions, what was left out for want of leave, and how the page stands to the payload."""

    actions: list[Action] = field(default_factory=list)
    withheld: list[Control] = field(default_factory=list)
    open_fields: int = 0
    filled_fields: int = 0
    best_hit: float = 0.0
    best_said: float = 0.0


def clean(text: str) -> str:
    """Page text without the signs that mean something in action and context texts."""
    return text.replace("#", " ").replace(":", " ").replace('"', "'")


def target_of(control: Control) -> str:
    """The control in words that survive re-rendering: role, name, place, and which of several twins."""
    place = f' in row "{clean(control.row)}"' if control.row else f' in "{clean(control.section)}"'
    twin = f" ({control.nth})" if control.nth > 1 else ""
    where = place if control.row or control.section else ""
    return f'{control.role} "{clean(control.name)}"{where}{twin}'


def offer(look: Look, rules: Rules, memory: Memory) -> Offer:
    """Everything that may be done now; never empty."""
    found = Offer()
    if look.dialog is not None:
        found.actions = _dialog_actions(look, rules)
        return found
    ready = [c for c in look.controls if not c.disabled and not c.covered]
    pairings = pair([c for c in ready if c.role in FIELD_ROLES], rules.payload, memory)
    found.open_fields, found.filled_fields = pairings.open_fields, len(pairings.held)
    rows = {c.row: hits(c.row, rules.payload) for c in ready if c.row}
    found.best_hit = max(rows.values(), default=0.0)
    found.best_said = max((_said(c, rules) for c in ready if c.role not in FIELD_ROLES), default=0.0)
    for control in ready:
        if control.role in FIELD_ROLES:
            found.actions += _fills(control, pairings, rules, memory)
        elif control.role in ("combobox", "listbox") and control.options:
            found.actions += _selects(control, rules)
        elif _may_press(control, rules):
            if not rules.leave and _sensitive(control, rules):
                found.withheld.append(control)
            else:
                found.actions.append(_click(control, look, rules, memory, found, rows))
    found.actions = _fewer(found.actions) + _general(look, rules, memory)
    if not found.actions:
        found.actions.append(Action(verb=WAIT, notes="#wait_only"))
    return found


def _fewer(actions: list[Action]) -> list[Action]:
    """At most so many: second choices for fields go first, then what stands last in the document."""
    if len(actions) > _MOST:
        actions = [action for action in actions if action.verb != FILL or "_first_" in action.notes]
    return actions[:_MOST]


def _general(look: Look, rules: Rules, memory: Memory) -> list[Action]:
    actions = []
    if any(control.dialog for control in look.controls):
        actions.append(Action(verb=PRESS, target="Escape", notes="#escape"))
    for scroller in look.scrollers:
        for name, there in (("down", scroller.down), ("up", scroller.up)):
            if there:
                kind = "page" if scroller.token == 0 else "list"
                actions.append(
                    Action(
                        verb=SCROLL, target=name, argument=clean(scroller.name),
                        notes=f"#scroll_{name}_{kind}", payload={"token": scroller.token},
                    )
                )  # fmt: skip
    if memory.waits < _MOST_WAITS:
        actions.append(Action(verb=WAIT, notes=f"#wait_{memory.waits}"))
    if look.can_go_back:
        actions.append(Action(verb=BACK))
    if memory.trouble:
        tries = f"retries:{min(1.0, memory.retries / 3):.2f} #tried_{min(memory.retries, 2)}"
        status = f"#http_{memory.http_status}"
        actions.append(Action(verb=RETRY, notes=f"{tries} {status}"))
        actions.append(Action(verb=VERIFY, notes=f"{tries} {status}"))
    if rules.stop:
        actions.append(Action(verb=STOP))
    if rules.handoff:
        actions.append(Action(verb=HANDOFF))
    return actions


def _dialog_actions(look: Look, rules: Rules) -> list[Action]:
    """A native dialog leaves nothing else to do; without leave it cannot be agreed to."""
    assert look.dialog is not None
    message = clean(look.dialog.message)
    actions = [Action(verb=DISMISS, target=f'dialog "{message}"')]
    if rules.leave:
        actions.insert(0, Action(verb=ACCEPT, target=f'dialog "{message}"'))
        if look.dialog.kind == "prompt":
            actions += [
                Action(
                    verb=ANSWER, target=f'dialog "{message}"', argument=f"{name} = {clean(entry.value)}",
                    notes=f"overlap:{overlap(name, message):.2f}", payload={"entry": name},
                )
                for name, entry in rules.payload.items()
                if not entry.secret
            ][:_PER_FIELD]  # fmt: skip
    if rules.handoff:
        actions.append(Action(verb=HANDOFF))
    return actions


def _fills(control: Control, pairings: Pairings, rules: Rules, memory: Memory) -> list[Action]:
    actions = []
    state = _state_of(control, memory)
    candidates = pairings.candidates[control.signature]
    for rank, fit in enumerate(candidates[:_PER_FIELD]):
        entry = rules.payload[fit.entry]
        if memory.holds(control, fit.entry, entry.value, entry.secret):
            continue
        quality = pairings.judge(control, fit, memory)
        used = "used" if fit.entry in memory.used else "unused"
        shown = f"${{{fit.entry}}}" if entry.secret else clean(entry.value)
        actions.append(
            Action(
                verb=FILL,
                target=target_of(control),
                argument=f"{fit.entry} = {shown}",
                notes=(
                    f"overlap:{fit.overlap:.2f} likeness:{fit.likeness:.2f} typed:{fit.typed:.0f} "
                    f"rank:{rank / 4:.2f} required:{int(control.required)} {_names(fit, control, quality)}"
                    f"#fill_{quality}_{'first' if rank == 0 else 'later'}_{state}_{used}"
                ),
                payload={
                    "token": control.token,
                    "id": control.id,
                    "entry": fit.entry,
                    "signature": control.signature,
                },
            )
        )
    if control.length and (control.invalid or not candidates):
        actions.append(
            Action(
                verb=CLEAR, target=target_of(control), notes=f"#clear_{state}",
                payload={"token": control.token, "id": control.id},
            )
        )  # fmt: skip
    return actions


def _state_of(control: Control, memory: Memory) -> str:
    """Whether a field is invalid, empty, full from the start, or has what was entered in this episode."""
    if control.invalid:
        return "invalid"
    if not control.length:
        return "empty"
    return "own" if control.signature in memory.filled else "full"


def _names(fit: Fit, control: Control, quality: Pairing) -> str:
    """Pairs of the entry's and the field's words: what is called otherwise can be learned by heart."""
    if quality is Pairing.MEANT:
        return ""
    label = words(" ".join((control.name, control.placeholder)))[:_LABEL_WORDS]
    return "".join(f"named:{key}~{word} " for key in words(fit.entry)[:_KEY_WORDS] for word in label)


def _entries_of(text: str, rules: Rules) -> list[str]:
    """The payload entries whose value the text is; secrets are none of them."""
    return [
        name for name, entry in rules.payload.items() if not entry.secret and same_text(text, entry.value)
    ]


def _selects(control: Control, rules: Rules) -> list[Action]:
    actions = []
    wanted = [option for option in control.options if _entries_of(option, rules)]
    rest = [option for option in control.options if option not in wanted]
    settled = bool(_entries_of(control.value, rules))
    for option in [*wanted, *rest][:_PER_LIST]:
        if option == control.value:
            continue
        names = _entries_of(option, rules)
        label = max((likeness(name, control.name) for name in names), default=0.0)
        kind = "hit" if names else "miss"
        actions.append(
            Action(
                verb=SELECT,
                target=target_of(control),
                argument=clean(option),
                notes=f"likeness:{label:.2f} #select_{kind}_{'settled' if settled else 'open'}",
                payload={"token": control.token, "id": control.id, "option": option, "entries": names},
            )
        )
    return actions


def _may_press(control: Control, rules: Rules) -> bool:
    if control.download:
        return False
    if control.role == "link" and control.href and not control.href.startswith(("javascript:", "about:")):
        return any(
            control.href == origin or control.href.startswith(origin + "/") for origin in rules.origins
        )
    return control.role not in FIELD_ROLES and control.role != "slider"


def _sensitive(control: Control, rules: Rules) -> bool:
    return control.role in ("button", "menuitem", "clickable") and bool(
        rules.sensitive & set(words(control.name))
    )


def is_sensitive(name: str, rules: Rules) -> bool:
    """Whether a control's name has a sensitive word."""
    return bool(rules.sensitive & set(words(name)))


def _click(
    control: Control, look: Look, rules: Rules, memory: Memory, found: Offer, rows: Mapping[str, float]
) -> Action:
    named = _entries_of(control.name, rules)
    settled = control.role == "combobox" and bool(_entries_of(control.value, rules))
    row_hit = rows.get(control.row, 0.0)
    said = _said(control, rules)
    again = memory.presses(control, look)
    return Action(
        verb=CLICK,
        target=target_of(control),
        notes=(
            f"said:{said:.2f} hit:{row_hit:.2f} again:{min(1.0, again / 3):.2f} "
            f"#press_{_kind(control, found)}{_place(control, row_hit, bool(named), found)}"
            f"{'_settled' if settled else ''}{'_mostsaid' if 0 < said == found.best_said else ''}"
            f"{'_again' if again else ''}"
        ),
        payload={
            "token": control.token,
            "id": control.id,
            "signature": control.signature,
            "entries": named if control.role in CHOICES else [],
        },
    )


def _said(control: Control, rules: Rules) -> float:
    """How much of the control's name the instruction has, in [0, 1]."""
    return spoken_of(control.name, rules.instruction)


def _kind(control: Control, found: Offer) -> str:
    if control.role in ("checkbox", "switch"):
        return f"check_{'on' if control.checked else 'off'}"
    if control.role == "radio":
        return f"radio_{'on' if control.checked else 'off'}"
    if control.role == "tab":
        return f"tab_{'here' if control.selected else 'other'}"
    if control.role == "combobox":
        return f"list_{'open' if control.expanded else 'shut'}"
    if control.role == "button" and control.popup:
        return f"menu_{'open' if control.expanded else 'shut'}"
    if control.submit:
        return f"submit_{'open' if found.open_fields else 'ready'}"
    return control.role


def _place(control: Control, row_hit: float, own_hit: bool, found: Offer) -> str:
    place = "_modal" if control.dialog else ""
    if control.section.startswith("navigation"):
        place += "_nav"
    if control.row and found.best_hit:
        place += "_besthit" if row_hit >= found.best_hit else "_lesshit"
    return place + ("_named" if own_hit else "")


def find_payload(action: Action) -> dict[str, Any]:
    """The action's private data."""
    return action.payload or {}
