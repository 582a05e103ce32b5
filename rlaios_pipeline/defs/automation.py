"""Sensors that keep campaigns going under `make ui`. Both are off until a person turns them on.

The command line takes the same decisions itself, so nothing depends on a daemon.
"""

import dagster as dg

from rlaios_core.control import Mode
from rlaios_core.schema import EpochKind
from rlaios_pipeline.config import RollbackConfig
from rlaios_pipeline.defs.operations import monitoring_epoch, rollback, training_epoch
from rlaios_pipeline.partitions import CAMPAIGN_TAG, register, tags_of
from rlaios_pipeline.resources import Control


@dg.sensor(jobs=[training_epoch, monitoring_epoch], minimum_interval_seconds=15)
def advance(
    context: dg.SensorEvaluationContext, control: dg.ResourceParam[Control]
) -> list[dg.RunRequest] | dg.SkipReason:
    """Start the next epoch of every running campaign.

    The run key is the epoch's, so an epoch is started once; one whose run failed holds its campaign
    until a person re-executes the run.
    """
    controller = control.controller
    requests = []
    for campaign in controller.campaigns():
        if controller.state(campaign).mode is not Mode.RUNNING or controller.finished(campaign):
            continue
        planned = controller.plan_epoch(campaign)
        register(context.instance, campaign=campaign, epoch=planned.key)
        job = monitoring_epoch if planned.kind is EpochKind.MONITORING else training_epoch
        requests.append(
            dg.RunRequest(
                run_key=planned.key, partition_key=planned.key, job_name=job.name, tags=tags_of(planned.key)
            )
        )
    return requests or dg.SkipReason("no running campaign has an epoch to run")


@dg.sensor(job=rollback, minimum_interval_seconds=15)
def degradation(control: dg.ResourceParam[Control]) -> list[dg.RunRequest] | dg.SkipReason:
    """Launch the rollback of every campaign that waits for one, ahead of everything else."""
    controller = control.controller
    requests = [
        dg.RunRequest(
            run_key=f"rollback:{campaign}:{controller.state(campaign).position}",
            run_config=dg.RunConfig(ops={"restore_weights": RollbackConfig(campaign=campaign)}),
            tags={CAMPAIGN_TAG: campaign, "dagster/priority": "10"},
        )
        for campaign in controller.campaigns()
        if controller.pending_rollback(campaign) is not None
    ]
    return requests or dg.SkipReason("no campaign waits for a rollback")
