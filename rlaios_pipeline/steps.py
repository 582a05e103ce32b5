"""What the assets share: the epoch they belong to must be the one under way."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from rlaios_core.control import CampaignController, LeaseError
from rlaios_core.schema import EpochKind, EpochStatus
from rlaios_pipeline.partitions import EpochPartition, tags_of
from rlaios_pipeline.resources import Control

RETRIES, RETRY_SECONDS = 20, 30
"""How often and after how long an unattended step asks again while another process writes: ten minutes."""


@contextmanager
def waiting_for_the_writer(control: Control) -> Iterator[None]:
    """Ask again later while another process writes to the campaign, unless a person waits for the answer.

    The only error that a step retries: it says nothing about the step, stages are idempotent, and the
    lease of a dead process expires within a minute. Everything else needs a person, or is an outcome.
    """
    try:
        yield
    except LeaseError as error:
        if control.unattended:
            raise dg.RetryRequested(max_retries=RETRIES, seconds_to_wait=RETRY_SECONDS) from error
        raise


def begin_epoch(
    context: dg.AssetExecutionContext, controller: CampaignController, partition: EpochPartition
) -> str:
    """Open the partition's epoch, or go on with it; an epoch out of order is refused in one clear line.

    A closed epoch is no error: every stage returns what it stored, so a run can be repeated in the UI.
    """
    context.instance.add_run_tags(context.run.run_id, tags_of(partition.key))
    closed = {r.key for r in controller.epochs(partition.campaign) if r.status is EpochStatus.CLOSED}
    if partition.key in closed:
        context.log.info("%s is closed: its stored reports are shown again", partition.key)
        return partition.key
    planned = controller.plan_epoch(partition.campaign, monitoring=partition.kind is EpochKind.MONITORING)
    if planned.key != partition.key:
        raise dg.Failure(
            f"{partition.key} is not the epoch that comes next: run partition {planned.key} instead",
            allow_retries=False,
        )
    return planned.key
