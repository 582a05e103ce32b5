"""Which entry belongs in which field: types, words, likeness, and what is left over."""

from typing import Any

import pytest

from rlaios_core.environments.browser.candidates import offer
from rlaios_core.environments.browser.driver import Control, Look
from rlaios_core.environments.browser.matching import Entry
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.pairing import Pairing, Readiness, pair
from rlaios_core.environments.browser.rules import Rules

PAYLOAD = {"website": Entry("https://graz.example"), "company": Entry("Heron"), "city": Entry("Graz")}


def field(name: str, **more: Any) -> Control:
    return Control(token=len(name), signature=name, role="textbox", name=name, **more)


def judged(
    *fields: Control, payload: dict[str, Entry] = PAYLOAD, memory: Memory | None = None
) -> dict[tuple[str, str], Pairing]:
    memory = memory or Memory()
    pairings = pair(fields, payload, memory)
    return {
        (control.name, fit.entry): pairings.judge(control, fit, memory)
        for control in fields
        for fit in pairings.candidates[control.signature]
    }


def test_words_come_before_likeness_and_likeness_before_what_is_left() -> None:
    found = judged(field("Your city"), field("Web address"), field("Employer"))
    assert found["Your city", "city"] is Pairing.MEANT
    assert found["Web address", "website"] is Pairing.ALIKE
    assert found["Employer", "company"] is Pairing.LEFT
    assert found["Employer", "city"] is Pairing.TAKEN
    assert found["Web address", "company"] is Pairing.TAKEN


def test_an_entry_that_was_used_is_not_left_over() -> None:
    found = judged(field("Employer"), memory=Memory(used={"city"}))
    assert found["Employer", "city"] is Pairing.TAKEN
    assert found["Employer", "company"] is Pairing.LEFT


def test_a_field_that_has_its_entry_wants_no_other() -> None:
    payload = {"quantity": Entry("3"), "postcode": Entry("48155")}
    pieces = field("Pieces", type="number", value="3", length=1)
    found = judged(pieces, field("Code", type="number"), payload=payload)
    assert found["Pieces", "postcode"] is Pairing.TAKEN
    assert found["Code", "postcode"] is Pairing.MEANT


def test_pairs_are_chosen_so_that_all_fit_best_together() -> None:
    payload = {"postcode": Entry("48155"), "quantity": Entry("3")}
    found = judged(field("Amount", type="number"), field("Postal code"), payload=payload)
    assert found["Postal code", "postcode"] is Pairing.ALIKE
    assert found["Amount", "quantity"] is Pairing.MEANT


def test_a_field_of_several_lines_suits_a_sentence() -> None:
    payload = {"title": Entry("A week by train"), "body": Entry("It was slow, and fine.")}
    found = judged(field("Content", tag="textarea"), field("Headline"), payload=payload)
    assert found["Content", "body"] is Pairing.MEANT
    assert found["Headline", "title"] is Pairing.LEFT


def test_what_stands_in_a_field_tells_what_it_takes() -> None:
    payload = {"quantity": Entry("3"), "delivery": Entry("express"), "website": Entry("https://a.example")}
    pieces = field("Pieces", value="1", length=1)
    page = field("Page", value="https://b.example", length=17)
    found = judged(pieces, page, payload=payload)
    assert [e for (name, e), why in found.items() if why is Pairing.MEANT and name == "Pieces"] == [
        "quantity"
    ]
    assert [e for (name, e), why in found.items() if why is Pairing.MEANT and name == "Page"] == ["website"]


def test_a_number_belongs_where_one_of_its_length_stands() -> None:
    payload = {"postcode": Entry("57101"), "quantity": Entry("8")}
    found = judged(field("Pieces", type="number", value="1", length=1), payload=payload)
    assert (found["Pieces", "quantity"], found["Pieces", "postcode"]) == (Pairing.MEANT, Pairing.TAKEN)


def test_a_web_address_is_the_last_guess_for_a_field_that_asks_for_none() -> None:
    payload = {"email": Entry("ada@a.example"), "subject": Entry("Missing invoice")}
    (first, second) = pair([field("Topic")], payload, Memory()).ranked(field("Topic"), Memory())
    assert [fit.entry for _, fit in (first, second)] == ["subject", "email"]


def test_a_secret_belongs_in_every_field_that_fits_it_as_well() -> None:
    payload = {"password": Entry("sesame", secret=True)}
    fields = [field(name, type="password", secret=True) for name in ("Password", "Password again")]
    pairings = pair(fields, payload, Memory())
    assert pairings.open_fields == 2


def test_open_fields_are_those_that_lack_their_partner() -> None:
    pairings = pair([field("City", value="Graz", length=4), field("Company")], PAYLOAD, Memory())
    assert (pairings.open_fields, len(pairings.held)) == (1, 1)


@pytest.mark.parametrize(
    ("fields", "used", "expected"),
    [
        ([field("City"), field("Employer")], set(), Readiness.OPEN),
        ([field("City", value="Graz", length=4), field("Employer")], {"city"}, Readiness.LEFT),
        ([field("Employer", value="Elm", length=3)], {"city", "website"}, Readiness.LEFT),
        ([field("City", value="Graz", length=4)], {"city"}, Readiness.READY),
        ([field("Employer")], set(PAYLOAD), Readiness.READY),
    ],
)
def test_a_form_is_ready_when_no_entry_and_field_may_still_belong_together(
    fields: list[Control], used: set[str], expected: Readiness
) -> None:
    memory = Memory(used=used)
    assert pair(fields, PAYLOAD, memory).readiness(memory) is expected


def test_what_is_left_over_is_offered_before_what_has_its_place() -> None:
    payload = {name: Entry(f"value of {name}") for name in ("beta", "city", "delta", "gamma", "street")}
    fields = [field(name.title()) for name in ("beta", "city", "delta", "gamma")]
    page = Look(url="http://site.example", title="", controls=(*fields, field("Address line")))
    found = offer(page, Rules("Fill it in.", payload, ("http://site.example",)), Memory())
    offered = [a.argument for a in found.actions if a.verb == "fill" and "Address line" in a.target]
    assert offered[0] == "street = value of street"


def notes(action_verb: str, *controls: Control, instruction: str, memory: Memory | None = None) -> list[str]:
    page = Look(url="http://site.example/", title="", controls=controls)
    rules = Rules(instruction, PAYLOAD, ("http://site.example",))
    return [a.notes for a in offer(page, rules, memory or Memory()).actions if a.verb == action_verb]


def test_names_that_do_not_match_are_noted_in_pairs() -> None:
    (_, company, _) = notes("fill", field("Firm name"), instruction="Save.")
    assert "named:company~firm named:company~name" in company


def test_what_was_entered_in_the_episode_is_told_from_what_was_there() -> None:
    firm = field("Firm", value="Elm", length=3)
    assert all("_full_" in note for note in notes("fill", firm, instruction="Save."))
    own = Memory(filled={"Firm": "company"})
    assert all("_own_" in note for note in notes("fill", firm, instruction="Save.", memory=own))


def test_the_button_the_instruction_speaks_of_most_is_marked() -> None:
    buttons = [
        Control(token=i, signature=name, role="button", name=name)
        for i, name in enumerate(("Move it", "Archive it"))
    ]
    marked = notes("click", *buttons, instruction="Archive this.")
    assert ["_mostsaid" in note for note in marked] == [False, True]


def test_a_list_that_shows_what_is_wanted_is_settled() -> None:
    listed = Control(token=1, signature="c", role="combobox", name="Town", value="Graz")
    assert "_settled" in notes("click", listed, instruction="Save.")[0]
