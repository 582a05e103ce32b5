"""The partition dimensions: a campaign's epoch for the work, a campaign for its pointers and measurements."""

import re
from typing import NamedTuple

import dagster as dg

from rlaios_core.schema import EpochKind, epoch_key

EPOCHS = dg.DynamicPartitionsDefinition(name="epoch")
CAMPAIGNS = dg.DynamicPartitionsDefinition(name="campaign")

CAMPAIGN_TAG, EPOCH_TAG, KIND_TAG = "rlaios/campaign", "rlaios/epoch", "rlaios/kind"
_KEY = re.compile(r"(?P<campaign>[a-z0-9][a-z0-9-]{0,40})\.(?P<kind>[tm])(?P<epoch>\d{5,})")
_KINDS = {"t": EpochKind.TRAINING, "m": EpochKind.MONITORING}


class EpochPartition(NamedTuple):
    """A partition key taken apart."""

    campaign: str
    kind: EpochKind
    epoch: int

    @property
    def key(self) -> str:
        """The partition key."""
        return epoch_key(self.campaign, self.epoch, self.kind)


def parse(key: str) -> EpochPartition:
    """The epoch that a partition key names. Dagster itself accepts any text as a key."""
    match = _KEY.fullmatch(key)
    if match is None:
        raise dg.Failure(
            f"{key!r} names no epoch: use CAMPAIGN.tNNNNN or CAMPAIGN.mNNNNN, such as alpha.t00001",
            allow_retries=False,
        )
    return EpochPartition(match["campaign"], _KINDS[match["kind"]], int(match["epoch"]))


def tags_of(key: str) -> dict[str, str]:
    """Run tags that the run queue limits on and that the UI filters by."""
    epoch = parse(key)
    return {CAMPAIGN_TAG: epoch.campaign, EPOCH_TAG: str(epoch.epoch), KIND_TAG: epoch.kind.value}


def register(instance: dg.DagsterInstance, *, campaign: str | None = None, epoch: str | None = None) -> None:
    """Add partition keys; those that exist already are left as they are."""
    if campaign is not None:
        instance.add_dynamic_partitions(CAMPAIGNS.name or "", [campaign])
    if epoch is not None:
        instance.add_dynamic_partitions(EPOCHS.name or "", [epoch])
