from pathlib import Path

import dagster as dg
import pytest

from rlaios_core.environments import registry
from rlaios_core.schema import EpochKind
from rlaios_pipeline.partitions import parse, tags_of

REPOSITORY = Path(__file__).parents[2]
EPISODES = {f"episodes_{name}" for name in registry.names()}
STEPS = ["benchmark", "episodes", "comparison", "replay_lanes", "candidate", "promotion"]


def test_the_assets_of_an_epoch_stand_in_the_order_of_the_design(definitions: dg.Definitions) -> None:
    graph = definitions.resolve_asset_graph()

    def parents(name: str) -> set[str]:
        return {key.to_user_string() for key in graph.get(dg.AssetKey(name)).parent_keys}

    assert parents("benchmark") == set()
    assert all(parents(name) == {"benchmark"} for name in EPISODES)
    assert parents("comparison") == EPISODES
    assert parents("replay_lanes") == {"comparison"}
    assert parents("candidate") == {"replay_lanes"}
    assert parents("promotion") == {"candidate"}


def test_the_pointers_are_external_leaves_behind_promotion(definitions: dg.Definitions) -> None:
    graph = definitions.resolve_asset_graph()
    for pointer in ("active", "pre_update_ref", "last_stable"):
        node = graph.get(dg.AssetKey(["policy", pointer]))
        assert not node.is_materializable
        assert node.parent_keys == {dg.AssetKey("promotion")}
        assert node.child_keys == set()


def test_every_job_stays_in_its_process(definitions: dg.Definitions) -> None:
    names = {"open_campaign", "training_epoch", "monitoring_epoch", "rollback", "measure"}
    jobs = {job.name: job for job in definitions.resolve_all_job_defs()}
    assert names <= jobs.keys()
    assert {jobs[name].executor_def.name for name in names} == {"in_process"}


def test_the_picture_shows_every_asset(definitions: dg.Definitions) -> None:
    picture = (REPOSITORY / "docs" / "asset_graph.svg").read_text()
    missing = [
        key.to_user_string()
        for key in definitions.resolve_asset_graph().get_all_asset_keys()
        if f">{key.to_user_string()}</text>" not in picture
    ]
    assert not missing, "draw it again with scripts/asset_graph.py"


def test_partition_keys_are_read_and_odd_ones_refused() -> None:
    assert parse("big-one.m00012") == ("big-one", EpochKind.MONITORING, 12)
    assert parse("alpha.t00007").key == "alpha.t00007"
    assert tags_of("alpha.t00007")["rlaios/campaign"] == "alpha"
    for odd in ("alpha", "alpha.x00001", "Alpha.t00001", "alpha.t1", "alpha.t00001\n", "a|b.t00001"):
        with pytest.raises(dg.Failure, match="names no epoch"):
            parse(odd)
