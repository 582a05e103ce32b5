"""Rollbacks through the job, and what the sensors ask for."""

import dagster as dg
import pytest

from rlaios_core.control import Mode
from rlaios_core.schema import RollbackReason
from rlaios_pipeline.defs.automation import advance, degradation
from rlaios_pipeline.resources import Control
from tests.pipeline.conftest import Deck


def test_advance_asks_for_the_next_epoch_once(deck: Deck) -> None:
    with dg.build_sensor_context(
        instance=deck.instance, resources={"control": Control(lambda: deck.controller)}
    ) as context:
        for _ in range(2):
            requests = advance(context)
            assert isinstance(requests, list)
            assert [(r.run_key, r.partition_key, r.job_name) for r in requests] == [
                ("alpha.t00001", "alpha.t00001", "training_epoch")
            ]


def test_degradation_is_quiet_while_all_is_well(deck: Deck) -> None:
    with dg.build_sensor_context(
        instance=deck.instance, resources={"control": Control(lambda: deck.controller)}
    ) as context:
        assert isinstance(degradation(context), dg.SkipReason)


def test_a_rollback_is_shown_on_the_pointer(deck: Deck) -> None:
    before = deck.controller.state("alpha").lineage.active
    deck.run("training_epoch", partition="alpha.t00001")
    assert deck.controller.state("alpha").lineage.active != before
    deck.run("rollback", config={"restore_weights": {"campaign": "alpha", "requested": True}})
    state = deck.controller.state("alpha")
    assert (state.mode, state.lineage.active) == (Mode.RUNNING, before)
    assert deck.controller.rollbacks("alpha")[-1].reason is RollbackReason.REQUESTED
    shown = deck.shown("policy", "active")
    assert shown["checkpoint_id"] == before
    assert "rolled back" in shown["reason"]


def test_a_rollback_nobody_asked_for_is_refused(deck: Deck) -> None:
    from rlaios_core.control import CampaignError

    with pytest.raises(CampaignError):
        deck.run("rollback", config={"restore_weights": {"campaign": "alpha"}})
