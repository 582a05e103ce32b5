"""Rollbacks through the job."""

import dagster as dg
import pytest

from rlaios_core.control import Mode
from rlaios_core.schema import RollbackReason
from tests.pipeline.conftest import Deck

REQUESTED = {"restore_weights": {"campaign": "alpha", "requested": True, "reason": "it forgot how to stop"}}


def test_a_rollback_is_shown_on_the_pointer(deck: Deck) -> None:
    before = deck.controller.state("alpha").lineage.active
    deck.run("training_epoch", partition="alpha.t00001")
    assert deck.controller.state("alpha").lineage.active != before
    deck.run("rollback", config=REQUESTED)
    state = deck.controller.state("alpha")
    assert (state.mode, state.lineage.active) == (Mode.RUNNING, before)
    assert deck.controller.rollbacks("alpha")[-1].reason is RollbackReason.REQUESTED
    shown = deck.shown("policy", "active")
    assert shown["checkpoint_id"] == before
    assert "rolled back" in shown["reason"]
    assert shown["called_for"] == "requested: it forgot how to stop"
    assert "rolled back" in shown["history"].splitlines()[2], "newest first"


def test_a_rollback_nobody_asked_for_is_refused(deck: Deck) -> None:
    from rlaios_core.control import CampaignError

    with pytest.raises(CampaignError):
        deck.run("rollback", config={"restore_weights": {"campaign": "alpha"}})


def test_a_rollback_that_cannot_be_verified_freezes_and_fails_the_run(deck: Deck) -> None:
    lineage = deck.controller.state("alpha").lineage
    deck.run("training_epoch", partition="alpha.t00001")
    deck.controller.checkpoint_file(lineage.active).write_bytes(b"damaged")
    with pytest.raises(dg.Failure, match="frozen until a person lifts it"):
        deck.run("rollback", config=REQUESTED)
    state = deck.controller.state("alpha")
    assert state.mode is Mode.FROZEN_FAILURE
    assert state.lineage.active != lineage.active, "the pointers are where they were"
