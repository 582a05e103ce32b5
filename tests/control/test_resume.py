"""Campaigns killed with SIGKILL and started again; `make bench-resume` tries many more moments."""

from pathlib import Path

import pytest

from benchmarks.resume import EPOCHS, ended, tried
from tests.postgres import PostgresServer


@pytest.mark.slow
def test_the_campaign_that_is_killed_meets_every_stage(tmp_path: Path) -> None:
    result, labels = ended(tmp_path, f"sqlite:///{tmp_path / 'store.db'}", [])
    assert len(result["ledger"]) == EPOCHS
    assert all(len(ids) == 5 for ids in result["tasks"].values())
    assert {event["type"] for event in result["events"]} >= {
        "campaign.opened", "episodes.recorded", "comparison.recorded", "batch.sealed", "update.completed",
        "epoch.closed", "rollback.triggered", "rollback.completed",
    }  # fmt: skip
    stages = {label.split(":")[0] for label in labels}
    assert stages >= {"opening", "benchmark", "episodes", "candidate", "confirmation", "rollback"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_killed_campaign_ends_as_if_never_interrupted(kind: str, request: pytest.FixtureRequest) -> None:
    def database(root: Path) -> str:
        if kind == "sqlite":
            return f"sqlite:///{root / 'store.db'}"
        server: PostgresServer = request.getfixturevalue("postgres")
        return server.new_database()

    found = tried(database, points=3, seed=7)
    assert found["unlike"] == []
