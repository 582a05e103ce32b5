"""What a campaign's control plane knows: an immutable fold of its events."""

from enum import StrEnum

from pydantic import Field

from rlaios_core.control.settings import ComparisonSettings
from rlaios_core.schema import (
    ComparisonResult,
    EpochKind,
    Lineage,
    Model,
    RelativeOutcome,
    RollbackReason,
    StoredModel,
)


class Mode(StrEnum):
    """What a campaign may do next."""

    RUNNING = "running"
    """Epochs may be run."""
    PAUSED = "paused"
    """Stopped until a person lifts it; nothing is wrong with the weights."""
    ROLLBACK_PENDING = "rollback_pending"
    """Weights are to be restored before anything else."""
    FROZEN_FAILURE = "frozen_failure"
    """A rollback could not be carried out; only a person lifts it."""


class Round(StrEnum):
    """How one comparison round ended."""

    BETTER = "better"
    """The active policy is better."""
    SAME = "same"
    """No difference that can be told from chance."""
    WORSE = "worse"
    """The active policy is worse."""
    FAILED = "failed"
    """There was no verdict (comparison_failed)."""


def round_of(result: ComparisonResult) -> Round:
    """The outcome of a comparison as one word."""
    outcome = result.relative_outcome
    return Round.FAILED if outcome is None else Round(outcome.value)


class FrozenPair(Model):
    """Rounds of the current pair (active, pre_update_ref); a new pair begins with every pointer move.

    `better_pairs` and `worse_pairs` count the matched pairs that differed, over all its completed rounds.
    """

    rounds: int = Field(ge=0, default=0)
    streak: int = Field(ge=0, default=0)
    better_pairs: int = Field(ge=0, default=0)
    worse_pairs: int = Field(ge=0, default=0)
    released: bool = False
    last: Round | None = None


class OpenEpoch(Model):
    """What was recorded of the epoch that is under way."""

    epoch: int = Field(ge=1)
    kind: EpochKind
    recorded: tuple[str, ...] = ()
    compared: bool = False
    verdict: RelativeOutcome | None = None
    confirmations: tuple[ComparisonResult, ...] = ()
    sealed_batch: str | None = None
    update_resolved: bool = False


class PendingRollback(Model):
    """A rollback that was decided and not yet carried out."""

    reason: RollbackReason
    from_checkpoint: str
    to_checkpoint: str
    epoch: int = Field(ge=0)


class ControlState(StoredModel):
    """A campaign's control state.

    `position` counts the events applied, `epoch` the epochs closed. `window` holds the last rounds since
    the pointers last jumped, `covered` the environments compared since the last promotion, and
    `rounds_since_check` the completed rounds since active was last held against `last_stable`.
    """

    campaign: str
    rules: ComparisonSettings
    environments: tuple[str, ...]
    position: int = Field(ge=1)
    mode: Mode = Mode.RUNNING
    lineage: Lineage
    epoch: int = Field(ge=0, default=0)
    open_epoch: OpenEpoch | None = None
    pair: FrozenPair = FrozenPair()
    failed_in_a_row: int = Field(ge=0, default=0)
    window: tuple[Round, ...] = ()
    covered: tuple[str, ...] = ()
    rounds_since_check: int = Field(ge=0, default=0)
    promotions: int = Field(ge=0, default=0)
    due: RollbackReason | None = None
    pending: PendingRollback | None = None
    active_batch: str | None = None
    stops: int = Field(ge=0, default=0)
    rollbacks: int = Field(ge=0, default=0)
    pause_reason: str = ""

    @property
    def streak(self) -> int:
        """Worse rounds in the degradation streak of the current pair."""
        return self.pair.streak
