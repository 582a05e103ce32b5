"""The page as context lines: what stands there, what was done, and one line of state that ends them."""

from enum import StrEnum

from rlaios_core.environments.browser.candidates import Offer, clean, target_of
from rlaios_core.environments.browser.driver import ActStatus, Control, Look
from rlaios_core.environments.browser.human_checks import challenged
from rlaios_core.environments.browser.matching import fits
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.pairing import Readiness
from rlaios_core.environments.browser.rules import Rules, is_sensitive, sentences_of
from rlaios_core.environments.browser.safety import Withheld

_LINES = 12
_EVENTS = 6
_BUTTONS = ("button", "menuitem")


class PageKind(StrEnum):
    """What kind of page is in front of the student, as far as general signs tell."""

    DIALOG = "dialog"
    """A native dialog waits."""
    TROUBLE = "trouble"
    """The server or the network failed."""
    CHALLENGE = "challenge"
    """Signs of a check for humans."""
    SIGN_IN = "sign_in"
    """A password is asked for."""
    FORM = "form"
    """Fields to fill in."""
    LIST = "list"
    """Rows of like things."""
    CONTENT = "content"
    """Anything else."""


def page_kind(look: Look, memory: Memory) -> PageKind:
    """The kind of page."""
    if look.dialog is not None:
        return PageKind.DIALOG
    if memory.trouble or look.url.startswith("chrome-error:"):
        return PageKind.TROUBLE
    if challenged(look):
        return PageKind.CHALLENGE
    if any(control.secret for control in look.controls):
        return PageKind.SIGN_IN
    if any(
        control.role in ("textbox", "searchbox", "combobox", "checkbox", "radio") for control in look.controls
    ):
        return PageKind.FORM
    if sum(line.kind == "row" for line in look.lines) > 2:
        return PageKind.LIST
    return PageKind.CONTENT


def walled(look: Look, rules: Rules) -> bool:
    """Whether a password is asked for that the payload does not have."""
    asked = [control for control in look.controls if control.secret]
    return bool(asked) and not any(fits(control, rules.payload) for control in asked)


def context_lines(look: Look, rules: Rules, memory: Memory, offer: Offer, steps_left: int) -> tuple[str, ...]:
    """The context, newest last; the last line is the state."""
    lines = [f"page {clean(look.path)} {clean(look.title)}"]
    if look.dialog is not None:
        lines.append(f"dialog {look.dialog.kind} {clean(look.dialog.message)}")
    shown = [f"{line.kind} {clean(line.text)}" for line in look.lines]
    lines += shown[:_LINES]
    if look.cut_controls or look.cut_lines or len(shown) > _LINES:
        lines.append(f"cut controls {look.cut_controls} lines {look.cut_lines + max(0, len(shown) - _LINES)}")
    lines += [f"unusable {target_of(c)} {_why(c)}" for c in look.controls if c.disabled or c.covered][:2]
    lines += [f"withheld {target_of(c)} {why}" for c, why in offer.withheld[:2]]
    lines += memory.events[-_EVENTS:]
    lines.append(_state(look, rules, memory, offer, steps_left))
    return tuple(lines)


def _why(control: Control) -> str:
    return f"covered by {clean(control.covered)}" if control.covered else "disabled"


def _state(look: Look, rules: Rules, memory: Memory, offer: Offer, steps_left: int) -> str:
    kind = page_kind(look, memory)
    form = "open" if offer.open_fields else "ready" if offer.filled_fields else "none"
    said = "alert" if any(line.kind == "alert" for line in look.lines) else ""
    said = said or ("status" if any(line.kind == "status" for line in look.lines) else "silent")
    after = f"after_{memory.last}_{'changed' if memory.changed else 'same'}"
    tags = [f"#{kind}_{said}_{form}", f"#{after}"]
    if kind is PageKind.TROUBLE:
        tags.append(f"#trouble_{memory.http_status}_{min(memory.retries, 2)}")
    if kind is PageKind.SIGN_IN:
        tags.append("#wall" if walled(look, rules) else "#door")
    left_out = any(why is Withheld.LEAVE and not _aside(c, memory) for c, why in offer.withheld)
    tags.append(f"#leave_{rules.leave}_{'withheld' if left_out else 'free'}")
    if any(c.disabled and c.role in _BUTTONS for c in look.controls):
        tags.append(f"#disabled_{form}")
    if offer.readiness is Readiness.LEFT:
        tags.append("#left_over")
    if offer.best_hit is not None:
        tags.append(f"#hit_{_how_much(offer.best_hit)}")
    tags.append(f"#{kind}_sentences_{sentences_of(rules.request)}")
    if memory.unsent:
        tags.append("#unsent")
    if memory.submitted:
        tags.append("#submitted")
    if memory.asked and look.modal:
        tags.append("#asked")
    if memory.http_status >= 400:
        tags.append(f"#answered_{memory.http_status}")
    unused = len(rules.payload.keys() - memory.used)
    tags.append(f"#unused_{min(unused, 3)}")
    used = 1 - unused / max(1, len(rules.payload))
    return (
        f"state {' '.join(tags)} used:{used:.2f} open:{min(1.0, offer.open_fields / 5):.1f} "
        f"steps_left:{steps_left / 30:.2f} troubles:{min(1.0, memory.troubles / 3):.2f}"
    )


def _aside(control: Control, memory: Memory) -> bool:
    """Whether it stands in a window that came by itself or in a navigation: the task is not about it."""
    return (control.dialog and not memory.asked) or control.in_navigation


def _how_much(share: float) -> str:
    return "whole" if share == 1 else "most" if share >= 0.5 else "some" if share else "none"


def result_word(status: ActStatus, http_status: int, changed: bool) -> str:
    """What came of an action, in a word or two."""
    if status is not ActStatus.OK:
        return status.value.replace("_", " ")
    if http_status >= 400:
        return f"answered {http_status}"
    return "ok" if changed else "ok nothing changed"


def sensitive_page(look: Look, rules: Rules) -> bool:
    """Whether something on the page is sensitive by its name."""
    return any(c.role in _BUTTONS and is_sensitive(c.name, rules) for c in look.controls)
