"""Checkpoints, the three pointers, epochs, batches, rollbacks and the summary of a campaign."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from rlaios_core.schema.base import Model, StoredModel
from rlaios_core.schema.comparison import RelativeOutcome


class Pointer(StrEnum):
    """The three pointers of a lineage."""

    ACTIVE = "active"
    """The policy that serves work and collects episodes."""
    PRE_UPDATE_REF = "pre_update_ref"
    """The policy just before the last update: what comparisons are against and rollback returns to."""
    LAST_STABLE = "last_stable"
    """The last policy that a held-out comparison confirmed."""


class Lineage(Model):
    """Where the three pointers stand. Values are checkpoint ids."""

    active: str
    pre_update_ref: str | None = None
    last_stable: str


class CheckpointRecord(StoredModel):
    """A checkpoint file: its id is the hash of its content, its parent the checkpoint it was trained from."""

    checkpoint_id: str
    parent: str | None
    campaign: str
    epoch: int = Field(ge=0)
    path: str
    size_bytes: int = Field(gt=0)
    weights_hash: str


class EpochKind(StrEnum):
    """What an epoch does."""

    TRAINING = "training"
    """Collect, compare, update."""
    MONITORING = "monitoring"
    """Collect, compare, decide; nothing is updated."""


class EpochStatus(StrEnum):
    """How far an epoch has come."""

    OPEN = "open"
    """Begun, not yet closed; a restart goes on with it."""
    CLOSED = "closed"
    """Done; its record no longer changes."""


class EpochRecord(StoredModel):
    """One turn of the loop, as the ledger keeps it."""

    campaign: str
    epoch: int = Field(ge=1)
    kind: EpochKind
    status: EpochStatus
    active_checkpoint: str
    reference_checkpoint: str | None = None
    verdict: RelativeOutcome | None = None
    comparison_failed: bool = False
    candidate_checkpoint: str | None = None
    episodes: int = Field(ge=0, default=0)
    faults: int = Field(ge=0, default=0)
    successes: int = Field(ge=0, default=0)
    mean_reward: float | None = None
    seconds: dict[str, float] = Field(default_factory=dict)

    @property
    def key(self) -> str:
        """The epoch's name, such as `alpha.t00007` (training) or `alpha.m00003` (monitoring)."""
        return epoch_key(self.campaign, self.epoch, self.kind)


def epoch_key(campaign: str, epoch: int, kind: EpochKind) -> str:
    """The epoch's name; text order within a kind is epoch order."""
    return f"{campaign}.{kind.value[0]}{epoch:05d}"


class LiveBatch(StoredModel):
    """The sealed set of admitted episodes that one update learns from."""

    batch_id: str
    campaign: str
    epoch: int = Field(ge=1)
    checkpoint_id: str
    episode_ids: tuple[str, ...] = Field(min_length=1)
    replay_ids: tuple[str, ...] = ()
    reference_ids: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _episodes_are_distinct(self) -> Self:
        if len(set(self.episode_ids)) != len(self.episode_ids):
            raise ValueError("a live batch holds each episode once")
        return self


class RollbackReason(StrEnum):
    """What called for a rollback."""

    STREAK = "streak"
    """The degradation streak reached its limit."""
    SEQUENTIAL = "sequential"
    """The pooled rounds on one frozen pair decided it before the streak did (SPRT)."""
    SHARP_LOSS = "sharp_loss"
    """One round showed a large loss beyond doubt."""
    DRIFT = "drift"
    """The active policy was twice found worse than the last stable one."""
    REQUESTED = "requested"
    """A person asked for it."""


class RollbackRecord(StoredModel):
    """A rollback: what it undid, what it restored, and why."""

    rollback_id: str
    campaign: str
    epoch: int = Field(ge=0)
    reason: RollbackReason
    from_checkpoint: str
    to_checkpoint: str
    weights_hash: str = ""
    verified: bool = False
    batch_id: str | None = None
    diagnosis: dict[str, float | int | str | list[str]] = Field(default_factory=dict)


class HeldOutScore(Model):
    """One policy on held-out tasks: success with a 95% interval; `success_at[k]` allows k verifications.

    `metrics` are the environment's own, as its `summarize` names them.
    """

    success: float = Field(ge=0.0, le=1.0)
    low: float = Field(ge=0.0, le=1.0)
    high: float = Field(ge=0.0, le=1.0)
    episodes: int = Field(ge=1)
    faults: int = Field(ge=0, default=0)
    mean_reward: float = Field(ge=-1.0, le=1.0, default=0.0)
    success_at: dict[str, float] = Field(default_factory=dict)
    by_family: dict[str, tuple[int, int]] = Field(default_factory=dict)
    metrics: dict[str, float] = Field(default_factory=dict)


class CampaignSummary(StoredModel):
    """What a campaign did, as written to `summary.json`. `held_out[environment][arm]` are the scores."""

    campaign: str
    seed: int
    environments: tuple[str, ...]
    held_out: dict[str, dict[str, HeldOutScore]]
    pointers: Lineage
    epochs: tuple[EpochRecord, ...]
    rollbacks: tuple[RollbackRecord, ...] = ()
    wall_seconds: float = Field(ge=0.0)
    settings: dict[str, object] = Field(default_factory=dict)
