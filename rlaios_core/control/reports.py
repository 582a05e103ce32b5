"""What each stage of an epoch hands back: stored once, returned again when the stage is asked for again."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from rlaios_core.control.events import GateFinding
from rlaios_core.schema import (
    ComparisonResult,
    EpochKind,
    Lane,
    Model,
    PairOutcome,
    Pointer,
    RelativeOutcome,
    RollbackReason,
    StoredModel,
)


class Stage(StrEnum):
    """The stages of an epoch, in order. Collection has one report per environment."""

    BENCHMARK = "benchmark"
    """Fresh tasks for every environment."""
    EPISODES = "episodes"
    """Both sides of every pair played, teachers consulted."""
    COMPARISON = "comparison"
    """One verdict on the last update."""
    LANES = "lanes"
    """Rewards fused, every episode routed."""
    CANDIDATE = "candidate"
    """The batch sealed and learned from."""
    CONFIRMATION = "confirmation"
    """Active held against last_stable, when that is due."""
    PROMOTION = "promotion"
    """Gates, then pointers."""


class EnvironmentBenchmark(Model):
    """One environment's tasks of an epoch. `rejected` counts draws not admitted, where that is known."""

    environment: str
    tasks: int = Field(ge=0)
    families: dict[str, int]
    rejected: int = Field(ge=0, default=0)
    seconds: float = Field(ge=0.0)


class BenchmarkReport(StoredModel):
    """The tasks of an epoch."""

    key: str
    environments: tuple[EnvironmentBenchmark, ...]

    @property
    def tasks(self) -> int:
        """Tasks of all environments together."""
        return sum(part.tasks for part in self.environments)


class CollectionReport(StoredModel):
    """One environment's episodes of an epoch: counts and success of both sides, with 95% intervals."""

    key: str
    environment: str
    episodes: int = Field(ge=0)
    faults: int = Field(ge=0)
    faults_by_boundary: dict[str, int] = Field(default_factory=dict)
    successes: int = Field(ge=0)
    success_active: float = Field(ge=0.0, le=1.0)
    success_low: float = Field(ge=0.0, le=1.0)
    success_high: float = Field(ge=0.0, le=1.0)
    reference_episodes: int = Field(ge=0, default=0)
    reference_faults: int = Field(ge=0, default=0)
    success_reference: float | None = Field(default=None, ge=0.0, le=1.0)
    mean_reward: float = Field(ge=-1.0, le=1.0, default=0.0)
    mean_steps: float = Field(ge=0.0)
    mean_verifications: float | None = None
    consultations: int = Field(ge=0, default=0)
    teacher_errors: int = Field(ge=0, default=0)
    verified_references: int = Field(ge=0, default=0)
    metrics: dict[str, float] = Field(default_factory=dict)
    artifacts: dict[str, str] = Field(
        default_factory=dict, description="Files kept of some episodes (such as pictures) -> what they show."
    )
    seconds: float = Field(ge=0.0)


class ComparisonReport(StoredModel):
    """The epoch's verdict and its pairs; no result when there was no reference to compare with."""

    key: str
    result: ComparisonResult | None
    pairs: tuple[PairOutcome, ...] = ()
    seconds: float = Field(ge=0.0)


class LaneReport(StoredModel):
    """Where the epoch's episodes went, and why those that train nothing do not."""

    key: str
    lanes: dict[Lane, int]
    by_environment: dict[str, dict[Lane, int]]
    diagnostic_reasons: dict[str, int] = Field(default_factory=dict)
    mean_reward: float = Field(ge=-1.0, le=1.0, default=0.0)
    seconds: float = Field(ge=0.0)


class CandidateStatus(StrEnum):
    """What came of the update stage."""

    TRAINED = "trained"
    """A new checkpoint was written."""
    SKIPPED = "skipped"
    """The rules allow no update in this epoch."""
    FAILED = "failed"
    """The update gave nothing usable; its batch is quarantined."""


class CandidateReport(StoredModel):
    """The update of an epoch. `update` holds the trainer's numbers by their camelCase names."""

    key: str
    status: CandidateStatus
    reason: str = ""
    parent: str | None = None
    checkpoint_id: str | None = None
    weights_hash: str | None = None
    batch_id: str | None = None
    live_episodes: int = Field(ge=0, default=0)
    replay_episodes: int = Field(ge=0, default=0)
    negative_episodes: int = Field(ge=0, default=0)
    reference_episodes: int = Field(ge=0, default=0)
    update: dict[str, bool | int | float] | None = None
    seconds: float = Field(ge=0.0)


class PointerMove(Model):
    """One move of one pointer, with the event that explains it."""

    pointer: Pointer
    previous: str | None
    checkpoint_id: str | None
    parent: str | None = None
    reason: str
    event_id: str
    epoch: int = Field(ge=0)
    recorded_at: datetime | None = None


class PromotionReport(StoredModel):
    """How an epoch ended: gates in their order, the pointers moved, and what is to happen next."""

    key: str
    moves: tuple[PointerMove, ...] = ()
    gates: tuple[GateFinding, ...] = ()
    promoted: bool = False
    confirmations: tuple[ComparisonResult, ...] = ()
    verdict: RelativeOutcome | None = None
    streak: int = Field(ge=0, default=0)
    rollback: RollbackReason | None = None
    paused: bool = False
    next_kind: EpochKind = EpochKind.TRAINING
    seconds: float = Field(ge=0.0)


class ConfirmationReport(StoredModel):
    """One check of active against `last_stable` on held-out pairs.

    `violations` are the shares of episodes with a safety violation, of active and of last_stable.
    """

    key: str
    result: ComparisonResult
    violations: tuple[float, float]
    seconds: float = Field(ge=0.0)
