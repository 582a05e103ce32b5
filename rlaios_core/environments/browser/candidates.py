"""From what is on the page to what may be done: every admissible action, with what is known about it.

Page text never becomes an action by itself: actions come from controls, the payload and a fixed list.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlaios_core.environments.browser.driver import Control, Look
from rlaios_core.environments.browser.matching import (
    Entry,
    Fit,
    fits,
    hits,
    likeness,
    overlap,
    same_text,
    words,
)
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.schema import HANDOFF, RETRY, STOP, VERIFY, Action

FILL, SELECT, CLICK, PRESS, SCROLL, WAIT, BACK = "fill", "select", "click", "press", "scroll", "wait", "back"
CLEAR, ACCEPT, DISMISS, ANSWER = "clear", "accept", "dismiss", "answer"
FIELD_ROLES = frozenset({"textbox", "searchbox", "spinbutton"})
_PER_FIELD = 4
_PER_LIST = 12
_MOST = 60
_MOST_WAITS = 3
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
    best = {c.signature: fits(c, rules.payload) for c in ready if c.role in FIELD_ROLES}
    _count_fields(ready, best, rules, memory, found)
    rows = {c.row: hits(c.row, rules.payload) for c in ready if c.row}
    found.best_hit = max(rows.values(), default=0.0)
    for control in ready:
        if control.role in FIELD_ROLES:
            found.actions += _fills(control, best, rules, memory)
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


def _count_fields(
    ready: Sequence[Control], best: Mapping[str, list[Fit]], rules: Rules, memory: Memory, found: Offer
) -> None:
    """How many fields still lack the entry that is meant for them, as far as words and types tell."""
    for control in ready:
        candidates = best.get(control.signature, [])
        if not candidates or not _meant(candidates[0], control, best):
            continue
        entry = rules.payload[candidates[0].entry]
        if memory.holds(control, candidates[0].entry, entry.value, entry.secret):
            found.filled_fields += 1
        else:
            found.open_fields += 1


def _meant(fit: Fit, control: Control, best: Mapping[str, list[Fit]]) -> bool:
    """The entry fits this field better than any other field, and somewhat at all."""
    if fit.typed + fit.overlap == 0.0:
        return False
    mine = next(f for f in best[control.signature] if f.entry == fit.entry).score
    others = (
        f.score for key, fs in best.items() if key != control.signature for f in fs if f.entry == fit.entry
    )
    return all(mine >= other for other in others)


def _fills(control: Control, best: Mapping[str, list[Fit]], rules: Rules, memory: Memory) -> list[Action]:
    actions = []
    state = "invalid" if control.invalid else "full" if control.length else "empty"
    for rank, fit in enumerate(best[control.signature][:_PER_FIELD]):
        entry = rules.payload[fit.entry]
        if memory.holds(control, fit.entry, entry.value, entry.secret):
            continue
        quality = "meant" if _meant(fit, control, best) else "match" if fit.typed + fit.overlap else "guess"
        used = "used" if fit.entry in memory.used else "unused"
        shown = f"${{{fit.entry}}}" if entry.secret else clean(entry.value)
        actions.append(
            Action(
                verb=FILL,
                target=target_of(control),
                argument=f"{fit.entry} = {shown}",
                notes=(
                    f"overlap:{fit.overlap:.2f} likeness:{fit.likeness:.2f} typed:{fit.typed:.0f} "
                    f"rank:{rank / 4:.2f} required:{int(control.required)} "
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
    if control.length and (control.invalid or not best[control.signature]):
        actions.append(
            Action(
                verb=CLEAR, target=target_of(control), notes=f"#clear_{state}",
                payload={"token": control.token, "id": control.id},
            )
        )  # fmt: skip
    return actions


def _selects(control: Control, rules: Rules) -> list[Action]:
    actions = []
    shown = {name: entry.value for name, entry in rules.payload.items() if not entry.secret}
    wanted = [o for o in control.options if any(same_text(o, value) for value in shown.values())]
    rest = [o for o in control.options if o not in wanted]
    settled = any(same_text(control.value, value) for value in shown.values())
    for option in [*wanted, *rest][:_PER_LIST]:
        if option == control.value:
            continue
        names = [name for name, value in shown.items() if same_text(option, value)]
        label = max((likeness(name, control.name) for name in names), default=0.0)
        kind = "hit" if names else "miss"
        actions.append(
            Action(
                verb=SELECT,
                target=target_of(control),
                argument=clean(option),
                notes=f"likeness:{label:.2f} #select_{kind}_{'settled' if settled else 'open'}",
                payload={"token": control.token, "id": control.id, "option": option},
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
    own_hit = any(
        same_text(control.name, entry.value) for entry in rules.payload.values() if not entry.secret
    )
    row_hit = rows.get(control.row, 0.0)
    names = words(control.name)
    said = sum(word in words(rules.instruction) for word in names) / len(names) if names else 0.0
    again = memory.presses(control, look)
    return Action(
        verb=CLICK,
        target=target_of(control),
        notes=(
            f"said:{said:.2f} hit:{row_hit:.2f} again:{min(1.0, again / 3):.2f} "
            f"#press_{_kind(control, found)}{_place(control, row_hit, own_hit, found)}"
            f"{'_again' if again else ''}"
        ),
        payload={"token": control.token, "id": control.id, "signature": control.signature},
    )


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
