"""Comparisons of two policies over matched pairs."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from rlaios_core.schema.base import Model, StoredModel


class RelativeOutcome(StrEnum):
    """How the newer policy did against the reference."""

    BETTER = "better"
    """Higher verified outcome."""
    SAME = "same"
    """No difference that can be told from chance."""
    WORSE = "worse"
    """Lower verified outcome."""


class ComparisonStatus(StrEnum):
    """Whether a round could be judged at all."""

    COMPLETED = "completed"
    """The round gave a verdict."""
    COMPARISON_FAILED = "comparison_failed"
    """Too few valid pairs, or sides that cannot be set against each other: no verdict."""


class PairOutcome(Model):
    """One matched pair: the same task, seed and attempt played by both policies.

    Scores are verified terminal rewards in [-1, 1]; `relative` is null when either side has none.
    """

    task_id: str
    environment: str
    family: str
    active_score: float | None = Field(default=None, ge=-1.0, le=1.0)
    reference_score: float | None = Field(default=None, ge=-1.0, le=1.0)
    relative: RelativeOutcome | None = None

    @model_validator(mode="after")
    def _relative_exactly_when_both_played(self) -> Self:
        valid = self.active_score is not None and self.reference_score is not None
        if valid != (self.relative is not None):
            raise ValueError("a pair has a relative outcome exactly when both sides were played")
        return self


class EnvironmentBreakdown(Model):
    """One environment's part of a comparison; differences are active minus reference."""

    environment: str
    pairs: int = Field(ge=0)
    valid_pairs: int = Field(ge=0)
    active_mean: float
    reference_mean: float
    mean_difference: float
    better_pairs: int = Field(ge=0)
    worse_pairs: int = Field(ge=0)
    p_worse: float = Field(ge=0.0, le=1.0)
    p_better: float = Field(ge=0.0, le=1.0)


class ComparisonResult(StoredModel):
    """A round of matched pairs with one verdict for the student."""

    campaign: str
    epoch: int = Field(ge=0)
    active_checkpoint: str
    reference_checkpoint: str
    seed: int = Field(ge=0)
    status: ComparisonStatus
    relative_outcome: RelativeOutcome | None
    failure_reason: str = ""
    pairs: int = Field(ge=0)
    valid_pairs: int = Field(ge=0)
    better_pairs: int = Field(ge=0)
    worse_pairs: int = Field(ge=0)
    mean_difference: float
    interval_low: float
    interval_high: float
    p_worse: float = Field(ge=0.0, le=1.0)
    p_better: float = Field(ge=0.0, le=1.0)
    environments: tuple[EnvironmentBreakdown, ...] = ()

    @model_validator(mode="after")
    def _no_outcome_exactly_when_failed(self) -> Self:
        failed = self.status is ComparisonStatus.COMPARISON_FAILED
        if failed != (self.relative_outcome is None):
            raise ValueError("relative_outcome is null exactly when the comparison failed")
        return self
