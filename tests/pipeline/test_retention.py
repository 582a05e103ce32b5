"""Pruning Dagster's record: on a real SQLite instance, with real runs."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from rlaios_core.control import CampaignController, Workspace
from rlaios_core.schema import Pointer
from rlaios_pipeline.pointers import pointer_key
from rlaios_pipeline.retention import old_runs, remove_run
from rlaios_pipeline.runner import DagsterRunner
from tests.cli.toy import ToyShell
from tests.pipeline.conftest import tiny_settings

LATER = dt.timedelta(days=1)


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    """An instance with a campaign of two epochs in it."""
    workspace = Workspace.open(tmp_path / "var")
    (tmp_path / "home").mkdir()
    with (
        dg.DagsterInstance.from_config(str(tmp_path / "home")) as made,
        CampaignController(workspace, environments=lambda _n, _s: ToyShell()) as controller,
    ):
        runner = DagsterRunner(controller, made)
        runner.open_campaign(tiny_settings())
        for _ in range(2):
            runner.run_epoch("alpha", monitoring=False, progress=lambda *_: None)
        yield made


@pytest.mark.slow
def test_old_runs_go_with_their_files_and_what_the_pointers_show_stays(
    instance: dg.DagsterInstance, tmp_path: Path
) -> None:
    now = dt.datetime.now(dt.UTC)
    assert old_runs(instance, now - LATER, keep=0) == [], "none is that old"
    assert old_runs(instance, now + LATER, keep=3) == [], "the newest are kept"
    gone = old_runs(instance, now + LATER, keep=0)
    shown = {pointer: newest(instance, pointer) for pointer in (Pointer.ACTIVE, Pointer.LAST_STABLE)}
    assert gone
    assert not {record.run_id for record in shown.values()} & set(gone)
    for run_id in gone:
        remove_run(instance, run_id)
    assert {run.run_id for run in instance.get_runs()} == {record.run_id for record in shown.values()}
    assert {pointer: newest(instance, pointer).run_id for pointer in shown} == {
        pointer: record.run_id for pointer, record in shown.items()
    }
    left = {path.name.partition(".")[0] for path in (tmp_path / "home" / "history" / "runs").glob("*.db")}
    assert not left & set(gone)


def newest(instance: dg.DagsterInstance, pointer: Pointer) -> dg.EventLogRecord:
    wanted = dg.AssetRecordsFilter(pointer_key(pointer), asset_partitions=["alpha"])
    (record,) = instance.fetch_materializations(wanted, limit=1).records
    return record
