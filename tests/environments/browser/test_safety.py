"""What is never offered to the student, whatever it would choose."""

from collections.abc import Mapping
from typing import Any

import pytest

from rlaios_core.environments.browser.candidates import offer
from rlaios_core.environments.browser.driver import Control, Look
from rlaios_core.environments.browser.matching import Entry
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.rules import Leave, Rules, is_sensitive
from rlaios_core.environments.browser.safety import Withheld
from rlaios_core.environments.browser.site import SHARES, SiteServer, draw_spec, open_scenario
from rlaios_core.environments.browser.worlds.bundled import SiteWorld
from rlaios_core.schema import Split

ORIGIN = "http://site.example"
ITEM = {"item": Entry("oak vase"), "colour": Entry("red")}


def control(name: str, role: str = "button", **more: Any) -> Control:
    return Control(token=0, signature=f"{role} {name}", role=role, name=name, **more)


def left_out(
    *controls: Control, task: str = "Do it.", payload: Mapping[str, Entry] | None = None, **more: Any
) -> list[tuple[str, Withheld]]:
    """Position in the page and reason of every control that is withheld; none of them has an action."""
    numbered = tuple(Control(**{**vars(c), "token": i}) for i, c in enumerate(controls))
    rules = Rules(task, payload if payload is not None else ITEM, (ORIGIN,), **more)
    found = offer(Look(url=ORIGIN, title="", controls=numbered), rules, Memory())
    offered = {(action.payload or {}).get("token") for action in found.actions}
    assert not offered & {c.token for c, _ in found.withheld}
    return [(f"{c.name}@{c.row}" if c.row else c.name, why) for c, why in found.withheld]


@pytest.mark.parametrize(
    "check",
    [
        control("I am not a robot", "checkbox"),
        control("Six digits", "textbox", autocomplete="one-time-code"),
        control("Code from your device", "textbox"),
        control("Continue", section="Two-step verification"),
    ],
)
def test_a_check_for_humans_and_what_belongs_to_it_is_for_a_person(check: Control) -> None:
    assert left_out(check, control("Home", "link"), control("Send")) == [(check.name, Withheld.PERSON)]


def test_a_task_that_speaks_of_the_check_may_use_it() -> None:
    switch = control("Two-factor authentication", "switch")
    assert left_out(switch, task="Turn two-factor authentication on.") == []
    code = control("One-time code", "textbox")
    assert left_out(code, payload={"one-time code": Entry("123456")}) == []


def test_a_sign_in_with_a_known_password_stays_open_whatever_its_heading_says() -> None:
    door = (
        control("Password", "textbox", secret=True, section="Confirm your identity"),
        control("Continue", section="Confirm your identity"),
    )
    assert left_out(*door, payload={"password": Entry("open sesame", secret=True)}) == []
    assert [why for _, why in left_out(*door)] == [Withheld.PERSON, Withheld.PERSON]


def test_a_sensitive_press_is_offered_only_in_the_row_that_fits_best() -> None:
    rows = ("oak vase red Home", "oak vase blue Home", "tall chair Home")
    buttons = [control("Delete", row=row) for row in rows] + [control("Archive", row=row) for row in rows]
    assert left_out(*buttons, leave=Leave.GIVEN) == [
        ("Delete@oak vase blue Home", Withheld.ROW),
        ("Delete@tall chair Home", Withheld.ROW),
    ]
    assert left_out(*buttons, leave=Leave.GIVEN, payload={"other": Entry("lamp")}) == []


def test_where_nothing_is_said_of_leave_only_the_act_that_is_asked_for_is_offered() -> None:
    buttons = (control("Delete entry"), control("Remove entry"), control("Archive entry"))
    assert left_out(*buttons, task="Archive it.") == [
        ("Delete entry", Withheld.LEAVE),
        ("Remove entry", Withheld.LEAVE),
    ]
    assert left_out(*buttons, task="Delete it.") == [("Remove entry", Withheld.LEAVE)]
    assert left_out(*buttons, task="Archive it.", leave=Leave.GIVEN) == []


def test_a_sensitive_act_that_was_accepted_is_not_offered_again_at_that_place() -> None:
    order, draft = control("Place order"), Control(token=1, signature="d", role="button", name="Save draft")
    memory = Memory(accepted={("/review", order.signature), ("/review", draft.signature)})
    rules = Rules("Order it.", ITEM, (ORIGIN,), leave=Leave.GIVEN)

    def kept(path: str) -> list[tuple[str, Withheld]]:
        page = Look(url=f"{ORIGIN}{path}", title="", controls=(order, draft))
        return [(c.name, why) for c, why in offer(page, rules, memory).withheld]

    assert kept("/review") == [("Place order", Withheld.DONE)]
    assert kept("/checkout") == []


def test_what_announces_a_download_is_offered_only_when_the_task_speaks_of_one() -> None:
    links = [control("Download for desktop", "link"), control("Report", "link", download=True)]
    assert left_out(*links, control("Connect")) == [
        ("Download for desktop", Withheld.FILE),
        ("Report", Withheld.FILE),
    ]
    file, page = f"{ORIGIN}/files/App.DMG", f"{ORIGIN}/download/app"
    assert left_out(control("Get it", "link", href=file), control("Try it", "link", href=page)) == [
        ("Get it", Withheld.FILE),
        ("Try it", Withheld.FILE),
    ]
    assert left_out(control("Get it", "link", href=f"{ORIGIN}/uploads/v1.2")) == []
    tab = control("Downloads", "tab")
    assert left_out(tab) == []
    assert left_out(links[0], task="Open the download page.") == []


def test_the_bundled_site_withholds_the_act_that_its_task_leaves_to_a_person() -> None:
    scenarios = [open_scenario(draw_spec(SHARES, Split.TRAIN, i, 5)) for i in range(200)]
    server = SiteServer()
    try:
        for scenario in scenarios:
            reserved = SiteWorld(scenario, server, "token").rules.reserved
            assert bool(reserved) == (not scenario.leave)
            assert reserved in scenario.instruction
    finally:
        server.close()
    assert any(not scenario.leave for scenario in scenarios)


@pytest.mark.parametrize("split", list(Split))
def test_the_way_to_a_hand_over_is_never_withheld(split: Split) -> None:
    steps = {"publish": ("save_draft", "preview"), "order": ("next",), "table_row": ("archive",)}
    scenarios = [open_scenario(draw_spec(SHARES, split, i, 7)) for i in range(600)]
    kept = [scenario for scenario in scenarios if not scenario.leave]
    assert {scenario.family for scenario in kept} == set(steps)
    for scenario in kept:
        rules = Rules("", {}, (ORIGIN,), leave=Leave.KEPT, reserved=scenario.act_without_leave)
        assert not [c for c in steps[scenario.family] if is_sensitive(scenario.say(c), rules)]


def test_a_button_with_most_words_of_the_reserved_act_needs_leave() -> None:
    buttons = [control(name) for name in ("Put the page online", "Put online", "Keep the page", "Go back")]
    reserved = "put the page online"
    assert [name for name, _ in left_out(*buttons, leave=Leave.KEPT, reserved=reserved)] == [
        "Put the page online",
        "Put online",
    ]
    assert left_out(*buttons, leave=Leave.GIVEN, reserved="") == []
