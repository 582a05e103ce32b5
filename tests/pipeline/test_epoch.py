"""Whole epochs in this process, on the real controller and a very small world."""

from collections.abc import Iterator

import dagster as dg
import pytest

from rlaios_core.schema import EpochStatus
from rlaios_pipeline.defs.episodes import build_episodes
from rlaios_pipeline.resources import Control
from tests.pipeline.conftest import Deck, opened, tiny_settings
from tests.pipeline.test_definitions import EPISODES


@pytest.fixture(scope="module")
def first(
    definitions: dg.Definitions, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Deck, dg.ExecuteInProcessResult]]:
    """A campaign after its first epoch; the tests on it only look."""
    with opened(definitions, tmp_path_factory.mktemp("first")) as deck:
        yield deck, deck.run("training_epoch", partition="alpha.t00001")


def test_opening_shows_the_pointers_and_opens_the_first_partition(deck: Deck) -> None:
    active = deck.controller.state("alpha").lineage.active
    assert deck.shown("policy", "active")["checkpoint_id"] == active
    assert deck.instance.get_dynamic_partitions("campaign") == ["alpha"]
    assert deck.instance.get_dynamic_partitions("epoch") == ["alpha.t00001"]


def test_opening_again_changes_nothing(deck: Deck) -> None:
    before = deck.controller.state("alpha")
    deck.open(tiny_settings())
    assert deck.controller.state("alpha") == before
    records = deck.instance.fetch_materializations(dg.AssetKey(["policy", "active"]), limit=10).records
    assert len(records) == 1


def test_the_steps_run_in_order(first: tuple[Deck, dg.ExecuteInProcessResult]) -> None:
    events = first[1].get_asset_materialization_events()
    order = [event.asset_key.to_user_string() for event in events if event.asset_key]
    wanted = ["benchmark", *sorted(EPISODES), "comparison", "replay_lanes", "candidate", "promotion"]
    assert [name for name in order if not name.startswith("policy/")] == wanted


def test_an_epoch_promotes_its_candidate(first: tuple[Deck, dg.ExecuteInProcessResult]) -> None:
    deck = first[0]
    lineage = deck.controller.state("alpha").lineage
    assert deck.controller.epochs("alpha")[0].status is EpochStatus.CLOSED
    assert lineage.active == deck.shown("candidate")["checkpoint_id"]

    event = deck.instance.get_latest_materialization_event(dg.AssetKey(["policy", "active"]))
    assert event is not None
    assert event.asset_materialization is not None
    assert (event.asset_materialization.tags or {})["dagster/data_version"] == lineage.active
    assert event.asset_materialization.partition == "alpha"
    shown = deck.shown("policy", "active")
    assert (shown["checkpoint_id"], shown["parent"]) == (lineage.active, lineage.pre_update_ref)
    assert shown["epoch"] == 1
    assert shown["event_id"].startswith("ev-")
    assert shown["reason"]


def test_the_metadata_say_what_happened(first: tuple[Deck, dg.ExecuteInProcessResult]) -> None:
    deck = first[0]
    episodes = deck.shown("episodes_shell")
    assert episodes["episodes"] == 6
    assert {"success_active", "success_low", "success_high", "faults", "seconds"} <= episodes.keys()
    candidate = deck.shown("candidate")
    assert candidate["status"] == "trained"
    assert {"approx_kl", "entropy", "policy_loss", "value_loss"} <= candidate.keys()
    lanes = deck.shown("replay_lanes")
    assert sum(lanes[lane] for lane in ("positive", "neutral", "negative", "diagnostic_only")) >= 6
    assert "data:image/png;base64," in lanes["plot"]
    assert "| gate |" in deck.shown("promotion")["gates"]


def test_epochs_follow_each_other(deck: Deck) -> None:
    deck.run("training_epoch", partition="alpha.t00001")
    moves = deck.controller.lineage_history("alpha")
    deck.run("training_epoch", partition="alpha.t00001")
    assert deck.controller.lineage_history("alpha") == moves, "a closed epoch is only shown again"
    following = deck.instance.get_dynamic_partitions("epoch")[-1]
    assert following != "alpha.t00001"
    deck.run("training_epoch", partition=following)
    assert deck.shown("comparison")["pairs"] == 6


def test_an_epoch_out_of_order_is_refused_in_one_line(deck: Deck) -> None:
    deck.instance.add_dynamic_partitions("epoch", ["alpha.t00005"])
    with pytest.raises(dg.Failure, match=r"run partition alpha\.t00001 instead"):
        deck.run("training_epoch", partition="alpha.t00005")


def test_held_out_scores_are_shown(deck: Deck) -> None:
    deck.run("measure", config={"measure_held_out": {"campaign": "alpha", "arm": "untrained", "episodes": 4}})
    deck.run("training_epoch", partition="alpha.t00001")
    deck.run("measure", config={"measure_held_out": {"campaign": "alpha", "arm": "baselines", "episodes": 4}})
    shown = deck.shown("held_out", "shell")
    assert shown["oracle_success"] == 1.0
    assert "untrained" in shown["all_arms"]


def test_an_environment_that_takes_no_part_reports_no_episodes(deck: Deck) -> None:
    with dg.build_asset_context(partition_key="alpha.t00001") as context:
        result = build_episodes("browser")(context, control=Control(lambda: deck.controller))
    assert isinstance(result, dg.MaterializeResult)
    assert result.metadata == {"episodes": 0}
