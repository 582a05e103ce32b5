"""The events of a campaign: append-only, each with an id derived from its content and position.

An event's content names its place (campaign, epoch, and a counter where one epoch may hold several), so
a restart that derives the same event again derives the same id, and it is applied once.
"""

import json
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from rlaios_core.control.settings import ComparisonSettings
from rlaios_core.schema import (
    ComparisonResult,
    EpochKind,
    Model,
    Pointer,
    RollbackReason,
    StoredModel,
    content_hash,
)


class _Event(StoredModel):
    """What every event has: its campaign and the epoch it belongs to (0 before the first)."""

    campaign: str
    epoch: int = Field(ge=0)

    @property
    def event_id(self) -> str:
        """Hash of the content, position included."""
        return _id_of(self.to_json())


class CampaignOpened(_Event):
    """A campaign began with its first checkpoint, which all pointers name."""

    type: Literal["campaign.opened"] = "campaign.opened"
    checkpoint_id: str
    environments: tuple[str, ...] = Field(min_length=1)
    rules: ComparisonSettings
    settings_hash: str


class EpisodesRecorded(_Event):
    """One environment's share of an epoch is complete and stored."""

    type: Literal["episodes.recorded"] = "episodes.recorded"
    kind: EpochKind
    environment: str
    active_checkpoint: str
    reference_checkpoint: str | None
    episodes: int = Field(ge=0)
    faults: int = Field(ge=0)


class ComparisonRecorded(_Event):
    """Active was held against a pointer: `pre_update_ref` (the verdict) or `last_stable` (drift).

    `repetition` is 0, or 1 for the second look that a suspected drift asks for.
    """

    type: Literal["comparison.recorded"] = "comparison.recorded"
    against: Literal[Pointer.PRE_UPDATE_REF, Pointer.LAST_STABLE]
    repetition: int = Field(ge=0, le=1, default=0)
    result: ComparisonResult


class BatchSealed(_Event):
    """The episodes that the epoch's update learns from are fixed."""

    type: Literal["batch.sealed"] = "batch.sealed"
    batch_id: str
    checkpoint_id: str
    episodes: int = Field(ge=1)


class UpdateCompleted(_Event):
    """A new checkpoint was trained from the sealed batch and becomes active."""

    type: Literal["update.completed"] = "update.completed"
    batch_id: str
    previous: str
    new: str


class UpdateFailed(_Event):
    """The update gave nothing usable; its batch is kept for diagnosis."""

    type: Literal["update.failed"] = "update.failed"
    batch_id: str
    reason: str


class GateFinding(Model):
    """One promotion gate and what it found."""

    gate: str
    passed: bool
    detail: str


class StableConfirmed(_Event):
    """Active passed every promotion gate and becomes `last_stable`."""

    type: Literal["stable.confirmed"] = "stable.confirmed"
    checkpoint_id: str
    previous: str
    gates: tuple[GateFinding, ...] = Field(min_length=1)


class EpochClosed(_Event):
    """An epoch is done."""

    type: Literal["epoch.closed"] = "epoch.closed"
    kind: EpochKind


class RollbackTriggered(_Event):
    """The active policy is to be replaced by an earlier one."""

    type: Literal["rollback.triggered"] = "rollback.triggered"
    ordinal: int = Field(ge=0)
    reason: RollbackReason
    from_checkpoint: str
    to_checkpoint: str
    note: str = ""


class RollbackCompleted(_Event):
    """The earlier policy's weights were loaded, their hash verified, and it is active."""

    type: Literal["rollback.completed"] = "rollback.completed"
    ordinal: int = Field(ge=0)
    restored: str
    weights_hash: str


class RollbackFailed(_Event):
    """The weights could not be restored or verified: the campaign freezes."""

    type: Literal["rollback.failed"] = "rollback.failed"
    ordinal: int = Field(ge=0)
    reason: str


class CampaignPaused(_Event):
    """The campaign stops until a person lifts it."""

    type: Literal["campaign.paused"] = "campaign.paused"
    ordinal: int = Field(ge=0)
    reason: str


class FreezeLifted(_Event):
    """A person let the campaign go on. `retry_rollback`: try the failed rollback again."""

    type: Literal["freeze.lifted"] = "freeze.lifted"
    ordinal: int = Field(ge=0)
    reason: str
    retry_rollback: bool = True


Event = (
    CampaignOpened
    | EpisodesRecorded
    | ComparisonRecorded
    | BatchSealed
    | UpdateCompleted
    | UpdateFailed
    | StableConfirmed
    | EpochClosed
    | RollbackTriggered
    | RollbackCompleted
    | RollbackFailed
    | CampaignPaused
    | FreezeLifted
)

_ADAPTER: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="type")])


def parse_event(text: str | bytes) -> Event:
    """The event in a JSON text. Raises pydantic's `ValidationError` for anything else."""
    return _ADAPTER.validate_json(text)


def event_id_of(text: str) -> str:
    """The id of a stored event, from its text as it is: later versions know fields it does not have."""
    return _id_of(json.loads(text))


def _id_of(content: object) -> str:
    return "ev-" + content_hash(content)
