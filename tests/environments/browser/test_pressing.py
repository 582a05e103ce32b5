"""What is noted about a press or a choice: how the control stands to the task, the page and what was done."""

from __future__ import annotations

from typing import Any

from rlaios_core.environments.browser.candidates import offer
from rlaios_core.environments.browser.driver import Control, Look
from rlaios_core.environments.browser.matching import Entry
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.rules import Leave, Rules

ORIGIN = "http://site.example"
PAYLOAD = {"item": Entry("oak vase"), "colour": Entry("yellow"), "language": Entry("Deutsch")}


def control(name: str, role: str = "button", **more: Any) -> Control:
    return Control(token=len(name), signature=f"{role} {name}", role=role, name=name, **more)


def presses(
    *controls: Control, memory: Memory | None = None, instruction: str = "Set the language, then save."
) -> dict[str, str]:
    """The whole tag of every control that can be pressed, by name."""
    page = Look(url=ORIGIN, title="", controls=controls)
    rules = Rules(instruction, PAYLOAD, (ORIGIN,), leave=Leave.GIVEN)
    actions = offer(page, rules, memory or Memory()).actions
    return {a.target.split('"')[1]: a.notes.split("#press_")[-1] for a in actions if a.verb == "click"}


def test_rows_tell_whether_they_have_all_that_is_wanted() -> None:
    payload = {name: PAYLOAD[name] for name in ("item", "colour")}
    rows = ("oak vase yellow Home", "oak vase red Home", "tall chair red Home")
    page = Look(url=ORIGIN, title="", controls=tuple(control("Choose", row=row) for row in rows))
    actions = offer(page, Rules("Choose.", payload, (ORIGIN,)), Memory()).actions
    tags = [action.notes for action in actions if action.verb == "click"]
    marks = [next(mark for mark in ("whole", "best", "less", "no") if f"{mark}hit" in tag) for tag in tags]
    assert marks == ["whole", "less", "no"]
    page = Look(url=ORIGIN, title="", controls=tuple(control("Choose", row=row) for row in rows[1:]))
    actions = offer(page, Rules("Choose.", payload, (ORIGIN,)), Memory()).actions
    assert ["besthit" in a.notes for a in actions if a.verb == "click"] == [True, False]


def test_a_press_is_noted_by_its_parts_and_as_a_whole() -> None:
    page = Look(url=ORIGIN, title="", controls=(control("Delete it", dialog=True), control("More")))
    actions = offer(page, Rules("Go.", {}, (ORIGIN,), leave=Leave.GIVEN), Memory()).actions
    tags = [[p for p in a.notes.split() if p.startswith("#")] for a in actions if a.verb == "click"]
    assert tags[0] == ["#press_button", "#mark_modal", "#mark_sensitive", "#press_button_modal_sensitive"]
    assert tags[1] == ["#press_button"]


def test_a_row_of_several_choices_or_of_a_choice_alone_says_nothing_about_them() -> None:
    colours = [control(name, "radio", row="Colour yellow red") for name in ("yellow", "red")]
    option = control("Deutsch", "option", row="Deutsch")
    box = control("Mark", "checkbox", row="Mark oak vase yellow Deutsch")
    tags = presses(*colours, option, box)
    assert [name for name, tag in tags.items() if "hit" in tag] == ["Mark"]
    assert "wholehit" in tags["Mark"]


def test_a_box_ticked_in_the_episode_is_told_from_one_that_was_ticked_before() -> None:
    box = control("Summary emails", "checkbox", checked=True)
    assert "_own" not in presses(box)["Summary emails"]
    assert "_own" in presses(box, memory=Memory(pressed={(box.signature, 7): 1}))["Summary emails"]


def test_a_box_that_the_page_complains_of_is_marked() -> None:
    boxes = [control("Terms", "checkbox", checked=False, invalid="required"), control("News", "checkbox")]
    assert ["_invalid" in tag for tag in presses(*boxes).values()] == [True, False]


def test_tabs_of_entries_to_come_are_told_from_those_of_entries_that_are_used() -> None:
    tabs = [control(name, "tab") for name in ("Site language", "Colour theme", "Summary emails")]
    tags = presses(*tabs, memory=Memory(used={"colour"}))
    assert "_due" in tags["Site language"]
    assert "_spent" in tags["Colour theme"]
    assert not {"due", "spent"} & set(tags["Summary emails"].split("_"))


def test_buttons_of_the_section_where_something_waits_to_be_sent_are_marked() -> None:
    buttons = (control("Store", section="Site language"), control("Advanced options", section="Page"))
    waiting = Memory(unsent=True, here="Site language")
    assert "_here" in presses(*buttons, memory=waiting)["Store"]
    assert "_here" not in presses(*buttons, memory=waiting)["Advanced options"]
    assert "_here" not in presses(*buttons, memory=Memory(here="Site language"))["Store"]


def test_a_button_that_sends_says_what_its_fields_still_want() -> None:
    go = control("Go", submit=True)
    where = control("Place of work", "textbox")
    assert presses(go, control("Colour", "textbox"))["Go"].startswith("submit_open")
    assert presses(go, where, memory=Memory(used={"item", "colour"}))["Go"].startswith("submit_left")
    assert presses(go, where, memory=Memory(used=set(PAYLOAD)))["Go"].startswith("submit_ready")


def test_a_plain_button_beside_fields_says_what_they_still_want() -> None:
    save, where = control("Store", section="Me"), control("Colour", "textbox", section="Me")
    assert "_open" in presses(save, control("Help", section="Page"), where)["Store"]
    assert "_open" not in presses(save, control("Help", section="Page"), where)["Help"]
    assert "_left" in presses(save, control("Place of work", "textbox", section="Me"))["Store"]


def test_a_window_that_answers_a_press_is_told_from_one_that_came_by_itself() -> None:
    buttons = (control("Yes", dialog=True), control("No, keep it", dialog=True))
    assert "_asked" in presses(*buttons, memory=Memory(asked=True))["Yes"]
    assert "_asked" not in presses(*buttons)["Yes"]


def test_only_buttons_refuse_or_turn_back() -> None:
    tags = presses(
        control("No thanks"), control("Continue"), control("never", "radio"), control("Back", "link")
    )
    assert ["refusing" in tag for tag in tags.values()] == [True, False, False, True]


def test_what_the_task_asks_for_is_no_refusal() -> None:
    buttons = (control("Cancel my order"), control("No thanks"))
    tags = presses(*buttons, instruction="Cancel the order; it is not wanted, no.")
    assert ["refusing" in tag for tag in tags.values()] == [False, True]
    assert "_refusing" in presses(*buttons)["Cancel my order"]


def test_a_press_of_a_sensitive_act_is_marked_where_there_is_leave() -> None:
    tags = presses(control("Delete it"), control("Archive it"), control("Delete nothing", "link"))
    assert ["_sensitive" in tag for tag in tags.values()] == [True, False, False]


def test_words_that_say_nothing_or_speak_of_leave_do_not_commend_a_press() -> None:
    instruction = "Order it. You may take every step. note = We are open;"
    rules = Rules(instruction, {}, (ORIGIN,), about_leave="You may take every step.")
    page = Look(url=ORIGIN, title="", controls=(control("One step on"), control("Who we are", "link")))
    actions = offer(page, rules, Memory()).actions
    assert ["mostsaid" in a.notes for a in actions if a.verb == "click"] == [False, False]
    assert "mostsaid" in presses(control("One step on"), instruction=instruction)["One step on"]


def test_a_press_that_left_the_page_as_it_was_three_times_is_not_offered_again() -> None:
    page = Look(url=ORIGIN, title="", controls=(control("On"),))
    memory = Memory()
    offered = []
    for times in range(4):
        memory.pressed[("button On", page.digest)] = times
        offered.append(
            any(a.verb == "click" for a in offer(page, Rules("Go.", {}, (ORIGIN,)), memory).actions)
        )
    assert offered == [True, True, True, False]


def test_a_box_that_the_instruction_speaks_of_is_marked_even_when_a_button_says_more() -> None:
    tags = presses(
        control("I have read the terms", "checkbox"),
        control("Make account"),
        control("News please", "checkbox"),
        instruction="Make an account; the terms are accepted.",
    )
    assert "_mostsaid" in tags["Make account"]
    assert ["_spoken" in tag for tag in tags.values()] == [True, False, False]


def test_a_field_that_lost_its_entry_is_told_from_an_empty_one() -> None:
    page = Look(url=ORIGIN, title="", controls=(control("Search", "searchbox"),))
    memory = Memory(filled={"searchbox Search": "item"}, used={"item"})
    actions = offer(page, Rules("Find it.", PAYLOAD, (ORIGIN,)), memory).actions
    states = {a.argument.split(" = ")[0]: "_lost_" in a.notes for a in actions if a.verb == "fill"}
    assert states == {"item": True, "colour": False, "language": False}


def test_an_option_that_only_the_instruction_names_is_told_from_the_others() -> None:
    listed = control("Name", "combobox", options=("Ada", "Bo", "Cleo"), value="Ada")
    page = Look(url=ORIGIN, title="", controls=(listed,))
    actions = offer(page, Rules("Select Cleo from the list.", {}, (ORIGIN,)), Memory()).actions
    kinds = {a.argument: "#select_said_" in a.notes for a in actions if a.verb == "select"}
    assert kinds == {"Bo": False, "Cleo": True}
