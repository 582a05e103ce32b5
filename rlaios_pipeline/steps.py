"""What the assets share: the epoch they belong to must be the one under way."""

import dagster as dg

from rlaios_core.control import CampaignController, ControlState
from rlaios_core.control.rules import next_epoch_kind
from rlaios_core.schema import EpochKind, EpochStatus, epoch_key
from rlaios_pipeline.partitions import EpochPartition


def next_key(state: ControlState) -> str:
    """The partition that the campaign works on next: the open epoch, or the one the ledger would open."""
    if state.open_epoch is not None:
        return epoch_key(state.campaign, state.open_epoch.epoch, state.open_epoch.kind)
    return epoch_key(state.campaign, state.epoch + 1, next_epoch_kind(state))


def begin_epoch(
    context: dg.AssetExecutionContext, controller: CampaignController, partition: EpochPartition
) -> str:
    """Open the partition's epoch, or go on with it; an epoch out of order is refused in one clear line.

    A closed epoch is no error: every stage returns what it stored, so a run can be repeated in the UI.
    """
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
