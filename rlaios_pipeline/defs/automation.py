"""What keeps campaigns going under a daemon: two sensors and a schedule, all off until turned on.

They only read, so a tick that comes twice, or from two daemons, asks for the same run again, and Dagster
starts a run key once. Should two runs of an epoch start all the same, the campaign's lease lets one write.
The command line takes the same decisions itself, so nothing depends on a daemon.
"""

import os

import dagster as dg

from rlaios_core.control import Mode
from rlaios_core.schema import EpochKind, epoch_key
from rlaios_pipeline.automation import ROLLBACK_TAG, busy_campaigns, failed_run, failed_runs
from rlaios_pipeline.config import RollbackConfig
from rlaios_pipeline.defs.operations import monitoring_epoch, rollback, training_epoch
from rlaios_pipeline.partitions import CAMPAIGN_TAG, EPOCHS, register, tags_of
from rlaios_pipeline.resources import Control

SENSOR_SECONDS = int(os.environ.get("RLAIOS_SENSOR_SECONDS", "15"))
"""Seconds between two looks of a sensor."""
ROLLBACK_ATTEMPTS = 3
"""Runs of one rollback that may fail before a person has to look."""


@dg.sensor(jobs=[training_epoch, monitoring_epoch], minimum_interval_seconds=SENSOR_SECONDS)
def advance(context: dg.SensorEvaluationContext, control: dg.ResourceParam[Control]) -> dg.SensorResult:
    """Start the next epoch of every running campaign that nothing else works on.

    The run key is the epoch's, so an epoch is started once; one whose run failed holds its campaign
    until a person re-executes the run, and the tick says so. A run whose process was killed is no such
    failure: run monitoring notices it and it is retried.
    """
    controller = control.controller
    busy = busy_campaigns(context.instance)
    requests, notes = [], []
    for campaign in controller.campaigns():
        if controller.state(campaign).mode is not Mode.RUNNING or controller.finished(campaign):
            continue
        writer = busy.get(campaign) or controller.other_writer(campaign)
        if writer is not None:
            notes.append(f"{campaign}: {writer} works on it")
            continue
        planned = controller.next_epoch(campaign)
        failed = failed_run(context.instance, planned.key)
        if failed is not None:
            notes.append(f"{planned.key}: run {failed} failed; mend its cause, then re-execute it")
            continue
        job = monitoring_epoch if planned.kind is EpochKind.MONITORING else training_epoch
        requests.append(
            dg.RunRequest(
                run_key=planned.key, partition_key=planned.key, job_name=job.name, tags=tags_of(planned.key)
            )
        )
    if not requests:
        return dg.SensorResult(skip_reason="; ".join(notes) or "no running campaign has an epoch to run")
    keys = [str(request.partition_key) for request in requests]
    return dg.SensorResult(
        run_requests=requests, dynamic_partitions_requests=[EPOCHS.build_add_request(keys)]
    )


@dg.sensor(job=rollback, minimum_interval_seconds=SENSOR_SECONDS)
def degradation(
    context: dg.SensorEvaluationContext, control: dg.ResourceParam[Control]
) -> list[dg.RunRequest] | dg.SkipReason:
    """Launch the rollback of every campaign that waits for one, ahead of everything else.

    The run key names the rollback (the campaign and its place in the log) and the attempt: two ticks
    start one run, and a run that failed is tried again, three times at most.
    """
    controller = control.controller
    requests, notes = [], []
    for campaign in controller.campaigns():
        if controller.pending_rollback(campaign) is None:
            continue
        name = f"{campaign}:{controller.state(campaign).position}"
        failed = failed_runs(context.instance, {ROLLBACK_TAG: name})
        if failed >= ROLLBACK_ATTEMPTS:
            notes.append(f"{campaign}: {failed} runs of its rollback failed; a person has to look")
            continue
        requests.append(
            dg.RunRequest(
                run_key=f"rollback:{name}:{failed + 1}",
                run_config=dg.RunConfig(ops={"restore_weights": RollbackConfig(campaign=campaign)}),
                tags={CAMPAIGN_TAG: campaign, ROLLBACK_TAG: name, "dagster/priority": "10"},
            )
        )
    return requests or dg.SkipReason("; ".join(notes) or "no campaign waits for a rollback")


@dg.schedule(
    job=monitoring_epoch,
    cron_schedule=os.environ.get("RLAIOS_MONITORING_CRON", "0 */6 * * *"),
    description="A monitoring epoch of every running campaign that nothing works on; updates nothing.",
)
def monitoring(
    context: dg.ScheduleEvaluationContext, control: dg.ResourceParam[Control]
) -> list[dg.RunRequest] | dg.SkipReason:
    """Measure and judge the policy that serves, also long after its last training epoch.

    The run key names the campaign and the time, so a tick that comes twice opens one epoch. A campaign
    with an epoch under way is left out: every epoch is compared anyway.
    """
    controller = control.controller
    busy = busy_campaigns(context.instance)
    requests = []
    for campaign in controller.campaigns():
        state = controller.state(campaign)
        idle = campaign not in busy and controller.other_writer(campaign) is None
        if state.mode is not Mode.RUNNING or state.open_epoch is not None or not idle:
            continue
        key = epoch_key(campaign, state.epoch + 1, EpochKind.MONITORING)
        # A schedule cannot ask for partitions as a sensor can.
        register(context.instance, epoch=key)
        moment = context.scheduled_execution_time.isoformat()
        requests.append(dg.RunRequest(run_key=f"{campaign}@{moment}", partition_key=key, tags=tags_of(key)))
    return requests or dg.SkipReason("no campaign is running and idle")
