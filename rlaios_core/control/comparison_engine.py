"""From matched pairs to one verdict (design section 5). Pure: equal pairs, equal verdict.

Scores are verified outcomes, never fused rewards. Where all scores of a round take at most two values
they count as failure and success and McNemar's exact test applies; graded scores use a sign-flip test.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

from rlaios_core.control.settings import ComparisonSettings
from rlaios_core.evaluation import mcnemar_p, mean_interval, sign_flip_p
from rlaios_core.schema import (
    ComparisonResult,
    ComparisonStatus,
    EnvironmentBreakdown,
    PairOutcome,
    RelativeOutcome,
)

TIE = 1e-9
"""Scores closer than this are equal."""


@dataclass(frozen=True)
class ScoredPair:
    """One matched pair. A score in [-1, 1] is `None` where that side ended in a fault.

    `active_version` and `reference_version` name what graded each side; unlike ones void the round.
    """

    task_id: str
    environment: str
    family: str
    active_score: float | None
    reference_score: float | None
    active_version: str = ""
    reference_version: str = ""

    @property
    def valid(self) -> bool:
        """Whether both sides were played and scored."""
        return self.active_score is not None and self.reference_score is not None


class Sides(NamedTuple):
    """Who is compared, and where: what identifies a round."""

    campaign: str
    epoch: int
    active: str
    reference: str
    seed: int


class Measure(NamedTuple):
    """What a set of valid pairs shows; differences are active minus reference."""

    pairs: int
    better: int
    worse: int
    active_mean: float
    reference_mean: float
    mean_difference: float
    p_worse: float
    p_better: float


class Comparison(NamedTuple):
    """A round's verdict and the outcome of each of its pairs, in their order."""

    result: ComparisonResult
    pairs: tuple[PairOutcome, ...]


def compare_pairs(pairs: Sequence[ScoredPair], sides: Sides, settings: ComparisonSettings) -> Comparison:
    """Judge a round."""
    problem = failure(pairs, settings)
    usable = [_finite(pair) for pair in pairs]
    scale = _scale(usable)
    names = sorted({pair.environment for pair in usable})
    parts = {name: [pair for pair in usable if pair.environment == name] for name in names}
    measures = {name: measure(_scores(part), scale) for name, part in parts.items()}
    overall = measure(_scores(usable), scale)
    outcome = None if problem else verdict(overall, measures, settings)
    interval = mean_interval([(a - r) / scale for a, r in _scores(usable)])
    result = ComparisonResult(
        campaign=sides.campaign,
        epoch=sides.epoch,
        active_checkpoint=sides.active,
        reference_checkpoint=sides.reference,
        seed=sides.seed,
        status=ComparisonStatus.COMPARISON_FAILED if problem else ComparisonStatus.COMPLETED,
        relative_outcome=outcome,
        failure_reason=problem,
        pairs=len(pairs),
        valid_pairs=overall.pairs,
        better_pairs=overall.better,
        worse_pairs=overall.worse,
        mean_difference=overall.mean_difference,
        interval_low=interval.low,
        interval_high=interval.high,
        p_worse=overall.p_worse,
        p_better=overall.p_better,
        environments=tuple(_breakdown(name, len(parts[name]), measures[name]) for name in names),
    )
    return Comparison(result, tuple(pair_outcome(pair) for pair in usable))


def verdict(
    overall: Measure, environments: Mapping[str, Measure], settings: ComparisonSettings
) -> RelativeOutcome:
    """better, same or worse; one collapsed environment makes the whole round worse."""
    collapsed = len(environments) > 1 and any(
        part.p_worse <= settings.guard_alpha and part.mean_difference <= -settings.guard_loss
        for part in environments.values()
    )
    if collapsed or (overall.p_worse <= settings.alpha_worse and overall.mean_difference <= -settings.margin):
        return RelativeOutcome.WORSE
    if overall.p_better <= settings.alpha_better and overall.mean_difference >= settings.margin:
        return RelativeOutcome.BETTER
    return RelativeOutcome.SAME


def failure(pairs: Sequence[ScoredPair], settings: ComparisonSettings) -> str:
    """Why the round gives no verdict; empty when it does."""
    if not pairs:
        return "there are no pairs"
    scores = [s for pair in pairs for s in (pair.active_score, pair.reference_score) if s is not None]
    if not all(math.isfinite(score) for score in scores):
        return "a score is not finite"
    unlike = sum(pair.valid and pair.active_version != pair.reference_version for pair in pairs)
    if unlike:
        return f"{unlike} pairs were graded by different versions"
    lost = (
        sum(pair.active_score is None for pair in pairs),
        sum(pair.reference_score is None for pair in pairs),
    )
    if lost[0] != lost[1]:
        table = np.array([[count, len(pairs) - count] for count in lost])
        if float(stats.fisher_exact(table).pvalue) <= settings.failure_alpha:
            return f"faults differ between the sides: {lost[0]} of active, {lost[1]} of the reference"
    valid = sum(pair.valid for pair in pairs)
    if valid < settings.min_valid_share * len(pairs):
        return f"only {valid} of {len(pairs)} pairs are valid"
    return ""


def measure(scores: Sequence[tuple[float, float]], scale: float | None = None) -> Measure:
    """What valid pairs of (active, reference) scores show.

    `scale` is the distance between the two values of a two-valued outcome: differences are divided by
    it and become success points. 1.0 leaves graded scores as they are.
    """
    if not scores:
        return Measure(0, 0, 0, 0.0, 0.0, 0.0, 1.0, 1.0)
    if scale is None:
        scale = _scale_of([score for pair in scores for score in pair])
    differences = [0.0 if abs(a - r) < TIE else (a - r) / scale for a, r in scores]
    better = sum(difference > 0 for difference in differences)
    worse = sum(difference < 0 for difference in differences)
    if all(abs(difference) in (0.0, 1.0) for difference in differences):
        p_worse, p_better = mcnemar_p(better, worse), mcnemar_p(worse, better)
    else:
        p_worse = sign_flip_p(differences)
        p_better = sign_flip_p([-difference for difference in differences])
    count = len(scores)
    return Measure(
        pairs=count,
        better=better,
        worse=worse,
        active_mean=sum(a for a, _ in scores) / count,
        reference_mean=sum(r for _, r in scores) / count,
        mean_difference=sum(differences) / count,
        p_worse=p_worse,
        p_better=p_better,
    )


def pair_outcome(pair: ScoredPair) -> PairOutcome:
    """The relative outcome of one pair; none when a side was not played."""
    relative = None
    if pair.active_score is not None and pair.reference_score is not None:
        difference = pair.active_score - pair.reference_score
        relative = RelativeOutcome.SAME
        if abs(difference) >= TIE:
            relative = RelativeOutcome.BETTER if difference > 0 else RelativeOutcome.WORSE
    return PairOutcome(
        task_id=pair.task_id,
        environment=pair.environment,
        family=pair.family,
        active_score=pair.active_score,
        reference_score=pair.reference_score,
        relative=relative,
    )


def _scale(pairs: Sequence[ScoredPair]) -> float:
    return _scale_of([score for pair in _scores(pairs) for score in pair])


def _scale_of(scores: Sequence[float]) -> float:
    """Distance of the two values when there are exactly two, else 1."""
    values = sorted(set(scores))
    return values[1] - values[0] if len(values) == 2 else 1.0


def _scores(pairs: Sequence[ScoredPair]) -> list[tuple[float, float]]:
    return [
        (pair.active_score, pair.reference_score)
        for pair in pairs
        if pair.active_score is not None and pair.reference_score is not None
    ]


def _finite(pair: ScoredPair) -> ScoredPair:
    """The pair with scores that are no numbers taken for missing; `failure` names them."""
    active, reference = (
        score if score is not None and math.isfinite(score) else None
        for score in (pair.active_score, pair.reference_score)
    )
    return ScoredPair(
        pair.task_id,
        pair.environment,
        pair.family,
        active,
        reference,
        pair.active_version,
        pair.reference_version,
    )


def _breakdown(name: str, pairs: int, found: Measure) -> EnvironmentBreakdown:
    return EnvironmentBreakdown(
        environment=name,
        pairs=pairs,
        valid_pairs=found.pairs,
        active_mean=found.active_mean,
        reference_mean=found.reference_mean,
        mean_difference=found.mean_difference,
        better_pairs=found.better,
        worse_pairs=found.worse,
        p_worse=found.p_worse,
        p_better=found.p_better,
    )
