"""From a look to actions and context lines, without a browser."""

from collections.abc import Mapping
from typing import Any

import pytest

from rlaios_core.environments.browser.baselines import HeuristicPolicy, RandomPolicy
from rlaios_core.environments.browser.candidates import offer
from rlaios_core.environments.browser.describe import PageKind, context_lines, page_kind
from rlaios_core.environments.browser.driver import Control, Dialog, Look
from rlaios_core.environments.browser.driver.view import Line, Scroller
from rlaios_core.environments.browser.grading import grade
from rlaios_core.environments.browser.matching import (
    Entry,
    fits,
    hits,
    likeness,
    overlap,
    spoken_of,
    value_kind,
)
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.references import takeover
from rlaios_core.environments.browser.rules import Leave, Rules
from rlaios_core.environments.browser.safety import Withheld
from rlaios_core.environments.browser.worlds import Standing
from rlaios_core.schema import Action, Observation, Outcome, StopReason

ORIGIN = "http://site.example"
PAYLOAD = {
    "email": Entry("mara@post.example"), "phone": Entry("0412 345 678"), "city": Entry("Graz"),
    "password": Entry("open sesame", secret=True),
}  # fmt: skip


def control(name: str, role: str = "button", **more: Any) -> Control:
    return Control(
        token=more.pop("token", len(name)), signature=f"{role} {name}", role=role, name=name, **more
    )


def look(*controls: Control, lines: tuple[Line, ...] = (), **more: Any) -> Look:
    numbered = [Control(**{**vars(c), "token": i}) for i, c in enumerate(controls)]
    return Look(url=f"{ORIGIN}/form", title="Form", controls=tuple(numbered), lines=lines, **more)


def rules(payload: Mapping[str, Entry] = PAYLOAD, **more: Any) -> Rules:
    return Rules("Send the form.", payload, (ORIGIN,), **more)


def actions(page: Look, memory: Memory | None = None, **more: Any) -> list[Action]:
    return offer(page, rules(**more), memory or Memory()).actions


def test_values_are_told_apart_by_how_they_look() -> None:
    kinds = {value: value_kind(value) for value in ("a@b.example", "2026-01-31", "0412 345 678", "7", "Graz")}
    assert list(kinds.values()) == ["email", "date", "tel", "number", "text"]


def test_words_and_parts_of_words_are_compared() -> None:
    assert overlap("first name", "Your first name") == 1.0
    assert overlap("first name", "Surname") == 0.0
    assert likeness("phone", "Telephone") > likeness("phone", "City")
    assert hits("Mara Graz 12", {"city": Entry("Graz"), "town": Entry("Linz")}) == 0.5


def test_words_that_say_nothing_do_not_count_and_forms_of_a_word_agree() -> None:
    assert spoken_of("Archive this", "Put this one entry in the archive.") == 1.0
    assert spoken_of("Delete this", "Put this one entry in the archive.") == 0.0
    assert spoken_of("Remember this device", "The device should be remembered.") == 1.0
    assert spoken_of("Not now", "Not this one.") == 0.0


def test_several_entries_are_offered_for_a_field_and_the_best_comes_first() -> None:
    field = control("Your city", "textbox", type="text")
    assert [fit.entry for fit in fits(field, PAYLOAD)] == ["city", "phone", "email"]
    offered = [a for a in actions(look(field)) if a.verb == "fill"]
    assert offered[0].argument == "city = Graz"
    assert len(offered) == 3


def test_types_exclude_what_does_not_fit() -> None:
    email = control("Contact", "textbox", type="email")
    secret = control("Password", "textbox", type="password", secret=True)
    assert [fit.entry for fit in fits(email, PAYLOAD)] == ["email"]
    assert [fit.entry for fit in fits(secret, PAYLOAD)] == ["password"]


def test_secrets_appear_by_name_only() -> None:
    page = look(control("Password", "textbox", type="password", secret=True))
    assert [a.argument for a in actions(page) if a.verb == "fill"] == ["password = ${password}"]
    assert all("sesame" not in action.text for action in actions(page))


def test_what_a_field_holds_already_is_not_offered_again() -> None:
    page = look(control("City", "textbox", value="Graz", length=4))
    assert "city = Graz" not in [a.argument for a in actions(page)]


def test_covered_disabled_download_and_foreign_controls_are_left_out() -> None:
    page = look(
        control("Under", covered="Offer"), control("Grey", disabled=True),
        control("File", "link", href=f"{ORIGIN}/f", download=True),
        control("Away", "link", href="http://other.example/"),
        control("Trick", "link", href=f"{ORIGIN}.evil.example/"),
        control("Fine", "link", href=f"{ORIGIN}/ok"),
    )  # fmt: skip
    assert [a.target for a in actions(page) if a.verb == "click"] == ['link "Fine"']


def test_sensitive_buttons_need_leave() -> None:
    page = look(control("Delete entry"), control("Save"))
    found = offer(page, rules(leave=Leave.KEPT), Memory())
    assert [a.target for a in found.actions if a.verb == "click"] == ['button "Save"']
    assert [(c.name, why) for c, why in found.withheld] == [("Delete entry", Withheld.LEAVE)]
    given = offer(page, rules(leave=Leave.GIVEN), Memory()).actions
    assert len([a for a in given if a.verb == "click"]) == 2


def test_keys_survive_what_is_noted_about_an_action() -> None:
    first = look(control("City", "textbox"), control("Save", submit=True))
    later = look(
        control("Banner"), control("City", "textbox", value="x", length=1), control("Save", submit=True)
    )
    keys = {a.text.split(" overlap")[0].split(" said")[0]: a.key for a in actions(first)}
    again = {a.text.split(" overlap")[0].split(" said")[0]: a.key for a in actions(later)}
    shared = keys.keys() & again.keys()
    assert {'fill textbox "City" city = Graz', 'click button "Save"'} <= shared
    assert all(keys[text] == again[text] for text in shared)


def test_retry_and_verify_are_offered_only_in_trouble() -> None:
    page = look(control("Send"))
    assert not {"retry", "verify"} & {a.verb for a in actions(page)}
    assert {"retry", "verify"} <= {a.verb for a in actions(page, Memory(http_status=503))}


def test_a_native_dialog_leaves_nothing_else_to_do() -> None:
    page = Look(url=ORIGIN, title="", dialog=Dialog("confirm", "Delete?"))
    assert [a.verb for a in actions(page)] == ["accept", "dismiss", "handoff"]
    assert [a.verb for a in actions(page, leave=Leave.KEPT)] == ["dismiss", "handoff"]


def test_there_is_always_something_to_do() -> None:
    assert actions(look(), stop=False, handoff=False)
    assert actions(look(), Memory(waits=3), stop=False, handoff=False)


def test_scrolling_is_offered_where_there_is_more() -> None:
    page = look(scrollers=(Scroller(1, "list", up=False, down=True),))
    assert [(a.target, a.argument) for a in actions(page) if a.verb == "scroll"] == [("down", "list")]


@pytest.mark.parametrize(
    ("page", "memory", "kind"),
    [
        (look(lines=(Line("text", "Please complete the captcha"),)), Memory(), PageKind.CHALLENGE),
        (look(lines=(Line("text", "Are you over 18?"),)), Memory(), PageKind.CONTENT),
        (look(control("Password", "textbox", secret=True)), Memory(), PageKind.SIGN_IN),
        (look(control("City", "textbox")), Memory(), PageKind.FORM),
        (look(control("City", "textbox")), Memory(http_status=503), PageKind.TROUBLE),
    ],
)
def test_pages_are_told_apart_by_general_signs(page: Look, memory: Memory, kind: PageKind) -> None:
    assert page_kind(page, memory) is kind


def test_the_state_comes_last_and_fits_the_students_window() -> None:
    lines = tuple(Line("text", f"line {i}") for i in range(80))
    page = look(control("City", "textbox"), lines=lines)
    memory = Memory(events=[f"did click {i}" for i in range(40)])
    found = context_lines(page, rules(), memory, offer(page, rules(), memory), 9)
    assert len(found) <= 28
    assert found[-1].startswith("state #form_silent_open")
    assert "did click 39" in found


def state_of(page: Look, allowed: Rules) -> set[str]:
    """The tags of the state line."""
    line = context_lines(page, allowed, Memory(), offer(page, allowed, Memory()), 9)[-1]
    return {word for word in line.split() if word.startswith("#")}


@pytest.mark.parametrize(
    ("more", "tag"),
    [
        ({}, "#leave_unsaid_withheld"),
        ({"leave": Leave.GIVEN}, "#leave_given_free"),
        ({"leave": Leave.KEPT}, "#leave_kept_withheld"),
    ],
)
def test_the_state_tells_how_the_task_stands_to_leave(more: dict[str, Any], tag: str) -> None:
    assert tag in state_of(look(control("Delete entry")), rules(**more))


def test_what_is_withheld_aside_of_the_task_is_not_what_a_person_is_needed_for() -> None:
    kept = rules(leave=Leave.KEPT)
    offer_window = control("Buy premium", dialog=True)
    assert "#leave_kept_free" in state_of(look(offer_window), kept)
    assert "#leave_kept_free" in state_of(look(control("Buy", section="navigation Site")), kept)
    assert "#leave_kept_withheld" in state_of(look(offer_window, control("Buy")), kept)


def test_the_state_tells_that_a_button_is_not_ready_yet() -> None:
    field = control("City", "textbox")
    assert "#disabled_open" in state_of(look(field, control("Send", disabled=True)), rules())
    assert "#disabled_open" not in state_of(look(field, control("Send")), rules())


def test_a_reward_follows_what_is_verified() -> None:
    done, half = Standing(2, 2), Standing(1, 2)
    assert grade(done, StopReason.STOPPED, rightly=False, budget=10, steps=5).outcome is Outcome.SUCCESS
    assert grade(done, StopReason.OUT_OF_STEPS, rightly=False, budget=10, steps=10).outcome is Outcome.SUCCESS
    assert grade(half, StopReason.STOPPED, rightly=False, budget=10, steps=5).outcome is Outcome.PARTIAL
    assert grade(half, StopReason.HANDED_OFF, rightly=True, budget=10, steps=5).outcome is Outcome.BLOCKED
    assert grade(half, StopReason.HANDED_OFF, rightly=False, budget=10, steps=5).reward == 0.0
    bad = grade(Standing(2, 2, ("sent twice",)), StopReason.WORLD_ENDED, rightly=False, budget=10, steps=5)
    assert (bad.outcome, bad.reward) == (Outcome.FAILURE, -1.0)
    assert grade(done, StopReason.STOPPED, rightly=False, budget=10, steps=2).reward > 0.9


def test_a_reference_never_takes_over_after_the_step_that_ended_an_episode() -> None:
    assert takeover(None) == ()


def test_scripted_policies_choose_admissible_actions() -> None:
    page = look(control("City", "textbox"), control("Save", submit=True))
    found = offer(page, rules(), Memory())
    context = context_lines(page, rules(), Memory(), found, 9)
    seen = Observation(instruction="Send.", context=context, actions=tuple(found.actions), steps_left=9)
    chosen = HeuristicPolicy().act([seen], [1])[0].chosen
    assert found.actions[chosen].argument == "city = Graz"
    draws = {RandomPolicy().act([seen], [seed])[0].chosen for seed in range(40)}
    assert len(draws) > 2


@pytest.mark.parametrize(("retries", "verb"), [(0, "retry"), (1, "handoff")])
def test_the_form_filler_retries_once_and_then_hands_over(retries: int, verb: str) -> None:
    page, memory = look(control("Save", submit=True)), Memory(http_status=503, retries=retries)
    found = offer(page, rules(), memory)
    context = context_lines(page, rules(), memory, found, 9)
    seen = Observation(instruction="Send.", context=context, actions=tuple(found.actions), steps_left=9)
    assert found.actions[HeuristicPolicy().act([seen], [1])[0].chosen].verb == verb


def test_the_form_filler_takes_the_row_that_has_everything_and_looks_on_for_it_until_then() -> None:
    payload = {"item": Entry("oak vase"), "colour": Entry("red")}
    rows = (control("Choose", row="oak clock red"), control("Choose", row="oak vase red"))
    more = {"scrollers": (Scroller(1, "list", up=False, down=True),)}
    for shown, wanted in ((rows, "oak vase red"), (rows[:1], "down")):
        found = offer(look(*shown, **more), rules(payload), Memory())
        seen = Observation(
            instruction="Choose.", context=("state #list",), actions=tuple(found.actions), steps_left=9
        )
        assert wanted in found.actions[HeuristicPolicy().act([seen], [1])[0].chosen].target
