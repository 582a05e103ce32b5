"""Removing old runs from Dagster's record, which by itself keeps every run for ever.

The campaign database is the authority, so this forgets how the UI showed an epoch and nothing else. What
stays: unfinished runs, the newest runs, and each run that holds the newest materialization of a pointer or
of a held-out score, whose history table tells all earlier moves. Run it by `scripts/prune_runs`.
"""

import argparse
import datetime as dt
import os
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
from dagster._core.storage.dagster_run import FINISHED_STATUSES

from rlaios_core.schema import Pointer
from rlaios_pipeline.measurements import measurement_specs
from rlaios_pipeline.partitions import CAMPAIGNS
from rlaios_pipeline.pointers import pointer_key


def old_runs(instance: dg.DagsterInstance, before: dt.datetime, keep: int) -> list[str]:
    """Ids of the finished runs made before a moment that may go, oldest last."""
    newest = {run.run_id for run in instance.get_runs(limit=keep)} if keep else set()
    kept = newest | set(_shown_now(instance))
    records = instance.get_run_records(dg.RunsFilter(statuses=list(FINISHED_STATUSES), created_before=before))
    return [record.dagster_run.run_id for record in records if record.dagster_run.run_id not in kept]


def remove_run(instance: dg.DagsterInstance, run_id: str) -> None:
    """Remove a run with its events and its captured output."""
    instance.delete_run(run_id)
    instance.compute_log_manager.delete_logs(prefix=[run_id])
    # With SQLite each run has a file of its own, which Dagster only empties.
    for file in _sqlite_folder(instance).glob(f"{run_id}.db*"):
        file.unlink(missing_ok=True)


def _shown_now(instance: dg.DagsterInstance) -> Iterator[str]:
    """Runs that hold what the pointer and held-out assets show now, campaign by campaign."""
    keys = [*(pointer_key(pointer) for pointer in Pointer), *(spec.key for spec in measurement_specs())]
    for campaign in instance.get_dynamic_partitions(CAMPAIGNS.name or ""):
        for key in keys:
            wanted = dg.AssetRecordsFilter(key, asset_partitions=[campaign])
            yield from (record.run_id for record in instance.fetch_materializations(wanted, limit=1).records)


def _sqlite_folder(instance: dg.DagsterInstance) -> Path:
    return Path(instance.root_directory) / "history" / "runs"


def main() -> None:
    """Prune the instance that DAGSTER_HOME names."""
    parser = argparse.ArgumentParser(
        description="Remove old finished runs from Dagster's record. No campaign changes.",
        epilog="example: scripts/prune_runs --older-than 30 --dry-run",
    )
    parser.add_argument("--older-than", type=float, default=30.0, metavar="DAYS", help="default 30")
    parser.add_argument("--keep", type=int, default=200, metavar="N", help="newest runs kept; default 200")
    parser.add_argument("--dry-run", action="store_true", help="say how many would go; remove nothing")
    options = parser.parse_args()
    if options.older_than < 0 or options.keep < 0:
        parser.error("--older-than and --keep may not be negative")
    if not os.environ.get("DAGSTER_HOME"):
        parser.error("set DAGSTER_HOME to the folder of the instance; scripts/prune_runs does it")
    before = dt.datetime.now(dt.UTC) - dt.timedelta(days=options.older_than)
    with dg.DagsterInstance.get() as instance:
        runs = old_runs(instance, before, options.keep)
        if not options.dry_run:
            for run_id in runs:
                remove_run(instance, run_id)
    print(f"{'would remove' if options.dry_run else 'removed'} {len(runs)} runs")


if __name__ == "__main__":
    main()
