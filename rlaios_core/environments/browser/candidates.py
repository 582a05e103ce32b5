"""From what is on the page to what may be done: every admissible action, with what is known about it.

Page text never becomes an action by itself: actions come from controls, the payload and a fixed list.
"""

from dataclasses import dataclass, field
from typing import Any

from rlaios_core.environments.browser.driver import Control, Look
from rlaios_core.environments.browser.matching import Fit, likeness, overlap, spoken_of, words
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.pairing import Pairing, Pairings, Readiness, pair
from rlaios_core.environments.browser.pressing import Scene, press_notes, scene_of
from rlaios_core.environments.browser.rules import FIELD_ROLES, Leave, Rules, entries_of
from rlaios_core.environments.browser.safety import Withheld, withheld
from rlaios_core.schema import HANDOFF, RETRY, STOP, VERIFY, Action

FILL, SELECT, CLICK, PRESS, SCROLL, WAIT, BACK = "fill", "select", "click", "press", "scroll", "wait", "back"
CLEAR, ACCEPT, DISMISS, ANSWER = "clear", "accept", "dismiss", "answer"
CHOICES = frozenset({"radio", "checkbox", "option", "menuitemradio"})
_PER_FIELD = 4
_PER_LIST = 12
_MOST = 60
_MOST_WAITS = 3
_MOST_PRESSES = 3
"""Of one control on a page that looks the same each time: further ones would change nothing either."""
_KEY_WORDS, _LABEL_WORDS = 2, 4


@dataclass
class Offer:
    """The admissible actions, what was left out for safety, and how the page stands to the payload."""

    actions: list[Action] = field(default_factory=list)
    withheld: list[tuple[Control, Withheld]] = field(default_factory=list)
    readiness: Readiness = Readiness.READY
    open_fields: int = 0
    filled_fields: int = 0
    best_hit: float | None = None


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
    found.readiness = pairings.readiness(memory)
    scene = scene_of(look.path, ready, rules, memory, found.readiness)
    found.best_hit = scene.best_hit if scene.row_hits else None
    kept = withheld(ready, scene)
    found.withheld = [(c, kept[c.token]) for c in ready if c.token in kept]
    for control in ready:
        if control.token in kept:
            continue
        if control.role in FIELD_ROLES:
            found.actions += _fills(control, pairings, rules, memory)
        elif control.role in ("combobox", "listbox") and control.options:
            found.actions += _selects(control, rules)
        elif _may_press(control, rules) and memory.presses(control, look) < _MOST_PRESSES:
            found.actions.append(_click(control, look, rules, memory, scene))
    found.actions = _fewer(found.actions) + _general(look, rules, memory)
    if not found.actions:
        found.actions.append(Action(verb=WAIT, notes="#wait_only"))
    return found


def _fewer(actions: list[Action]) -> list[Action]:
    """At most so many: second choices for fields go first, then what stands last in the document."""
    if len(actions) > _MOST:
        actions = [action for action in actions if action.verb != FILL or "#fill_first_" in action.notes]
    return actions[:_MOST]


def _general(look: Look, rules: Rules, memory: Memory) -> list[Action]:
    actions = []
    if look.modal:
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
    if rules.leave is not Leave.KEPT:
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
    candidates = pairings.ranked(control, memory)
    for rank, (quality, fit) in enumerate(candidates[:_PER_FIELD]):
        entry = rules.payload[fit.entry]
        if memory.holds(control, fit.entry, entry.value, entry.secret):
            continue
        state = _state_of(control, memory, fit.entry)
        used = "used" if fit.entry in memory.used else "unused"
        place = "first" if rank == 0 else "later"
        shown = f"${{{fit.entry}}}" if entry.secret else clean(entry.value)
        actions.append(
            Action(
                verb=FILL,
                target=target_of(control),
                argument=f"{fit.entry} = {shown}",
                notes=(
                    f"overlap:{fit.overlap:.2f} likeness:{fit.likeness:.2f} typed:{fit.typed:.1f} "
                    f"rank:{rank / 4:.2f} required:{int(control.required)} {_names(fit, control, quality)}"
                    f"#fill_{quality}_{used} #fill_{place}_{state} #fill_{quality}_{place}_{state}_{used}"
                ),
                payload={
                    "token": control.token,
                    "id": control.id,
                    "entry": fit.entry,
                    "signature": control.signature,
                    "section": control.section,
                    "form": control.form,
                },
            )
        )
    if control.length and (control.invalid or not candidates):
        actions.append(
            Action(
                verb=CLEAR, target=target_of(control), notes=f"#clear_{_state_of(control, memory)}",
                payload={"token": control.token, "id": control.id},
            )
        )  # fmt: skip
    return actions


def _state_of(control: Control, memory: Memory, entry: str = "") -> str:
    """Whether a field is invalid, empty, full from the start, or has what was entered in this episode.

    It is `lost` when it is empty and had the entry before.
    """
    had = memory.filled.get(control.signature)
    if control.invalid:
        return "invalid"
    if not control.length:
        return "lost" if had is not None and had == entry else "empty"
    return "full" if had is None else "own"


def _names(fit: Fit, control: Control, quality: Pairing) -> str:
    """Pairs of the entry's and the field's words: what is called otherwise can be learned by heart."""
    if quality is Pairing.MEANT:
        return ""
    label = words(" ".join((control.name, control.placeholder)))[:_LABEL_WORDS]
    return "".join(f"named:{key}~{word} " for key in words(fit.entry)[:_KEY_WORDS] for word in label)


def _selects(control: Control, rules: Rules) -> list[Action]:
    actions = []
    wanted = [option for option in control.options if entries_of(option, rules)]
    rest = [option for option in control.options if option not in wanted]
    settled = bool(entries_of(control.value, rules))
    for option in [*wanted, *rest][:_PER_LIST]:
        if option == control.value:
            continue
        names = entries_of(option, rules)
        label = max((likeness(name, control.name) for name in names), default=0.0)
        said = spoken_of(option, rules.request) == 1.0
        kind = "hit" if names else "said" if said else "miss"
        actions.append(
            Action(
                verb=SELECT,
                target=target_of(control),
                argument=clean(option),
                notes=f"likeness:{label:.2f} #select_{kind}_{'settled' if settled else 'open'}",
                payload={
                    "token": control.token,
                    "id": control.id,
                    "section": control.section,
                    "form": control.form,
                    "option": option,
                    "entries": names,
                },
            )
        )
    return actions


def _may_press(control: Control, rules: Rules) -> bool:
    if control.role == "link" and control.href and not control.href.startswith(("javascript:", "about:")):
        return any(
            control.href == origin or control.href.startswith(origin + "/") for origin in rules.origins
        )
    return control.role not in FIELD_ROLES and control.role != "slider"


def _click(control: Control, look: Look, rules: Rules, memory: Memory, scene: Scene) -> Action:
    return Action(
        verb=CLICK,
        target=target_of(control),
        notes=press_notes(control, scene, memory.presses(control, look)),
        payload={
            "token": control.token,
            "id": control.id,
            "signature": control.signature,
            "section": control.section,
            "form": control.form,
            "entries": entries_of(control.name, rules) if control.role in CHOICES else [],
        },
    )


def find_payload(action: Action) -> dict[str, Any]:
    """The action's private data."""
    return action.payload or {}
