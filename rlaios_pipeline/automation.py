"""What the sensors ask the instance: who is at work, and what failed before."""

from collections.abc import Mapping

import dagster as dg
from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES

from rlaios_pipeline.partitions import CAMPAIGN_TAG

PARTITION_TAG, RUN_KEY_TAG = "dagster/partition", "dagster/run_key"
ROLLBACK_TAG = "rlaios/rollback"
"""Which rollback a run carries out: its campaign and place in the log."""
_FAILED = [dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]


def busy_campaigns(instance: dg.DagsterInstance) -> dict[str, str]:
    """Campaigns with a run that is queued or under way, and that run in words."""
    busy: dict[str, str] = {}
    for run in instance.get_runs(dg.RunsFilter(statuses=list(NOT_FINISHED_STATUSES))):
        # A run launched by hand in the UI has a partition and no tags of ours until it starts.
        campaign = run.tags.get(CAMPAIGN_TAG) or run.tags.get(PARTITION_TAG, "").partition(".")[0]
        if campaign:
            busy[campaign] = f"run {run.run_id}"
    return busy


def failed_run(instance: dg.DagsterInstance, run_key: str) -> str | None:
    """The id of the newest run of a run key when it failed or was cancelled; re-executions keep the key."""
    runs = instance.get_runs(dg.RunsFilter(tags={RUN_KEY_TAG: run_key}), limit=1)
    return runs[0].run_id if runs and runs[0].status in _FAILED else None


def failed_runs(instance: dg.DagsterInstance, tags: Mapping[str, str]) -> int:
    """How many runs with these tags failed or were cancelled."""
    return instance.get_runs_count(dg.RunsFilter(tags=dict(tags), statuses=_FAILED))
