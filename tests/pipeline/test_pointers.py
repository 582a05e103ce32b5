"""The pointers' pages: complete, nothing twice, with the evidence behind each move."""

import dagster as dg
import pytest

from rlaios_core.schema import Pointer
from rlaios_pipeline.pointers import pointer_key
from tests.pipeline.conftest import Deck


def events(deck: Deck, pointer: Pointer) -> list[str]:
    records = deck.instance.fetch_materializations(pointer_key(pointer), limit=50, ascending=True).records
    shown = [record.asset_materialization for record in records]
    return [str(event.metadata["event_id"].value) for event in shown if event is not None]


def moves(deck: Deck, pointer: Pointer) -> list[str]:
    return [move.event_id for move in deck.controller.lineage_history("alpha") if move.pointer is pointer]


def test_what_was_moved_without_dagster_is_shown_with_the_next_run(deck: Deck) -> None:
    deck.controller.run_epoch("alpha")
    assert events(deck, Pointer.ACTIVE) == moves(deck, Pointer.ACTIVE)[:1]
    key = deck.controller.next_epoch("alpha").key
    deck.instance.add_dynamic_partitions("epoch", [key])
    deck.run("training_epoch", partition=key)
    for pointer in Pointer:
        assert events(deck, pointer) == moves(deck, pointer)


def test_a_repeated_run_shows_nothing_twice(deck: Deck) -> None:
    deck.run("training_epoch", partition="alpha.t00001")
    before = {pointer: events(deck, pointer) for pointer in Pointer}
    deck.run("training_epoch", partition="alpha.t00001")
    assert {pointer: events(deck, pointer) for pointer in Pointer} == before


def test_a_move_carries_its_verdict_and_the_history_up_to_then(deck: Deck) -> None:
    for _ in range(2):
        key = deck.controller.next_epoch("alpha").key
        deck.instance.add_dynamic_partitions("epoch", [key])
        deck.run("training_epoch", partition=key)
    if deck.controller.candidate_reports("alpha")[-1].checkpoint_id is None:
        pytest.skip("the second update was refused: there is no second move to look at")
    shown = deck.shown("policy", "active")
    (verdict,) = deck.controller.comparisons("alpha")
    assert shown["mean_difference"] == verdict.mean_difference
    assert "| outcome |" in shown["verdicts"]
    assert "data:image/png;base64," in shown["plot"]
    assert "data:image/png;base64," in shown["timeline"]
    rows = shown["history"].splitlines()[2:]
    assert len(rows) == 3
    assert deck.controller.state("alpha").lineage.active in rows[0]
    assert "| now |" in rows[0]
    assert "campaign opened" in rows[-1]
    latest = deck.instance.fetch_materializations(
        dg.AssetRecordsFilter(pointer_key(Pointer.ACTIVE), asset_partitions=["alpha"]), limit=2
    ).records[1]
    assert latest.asset_materialization is not None
    earlier = str(latest.asset_materialization.metadata["history"].value).splitlines()[2:]
    assert len(earlier) == 2
    assert "| now |" in earlier[0]
