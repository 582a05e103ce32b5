import math

import pytest

from rlaios_core.control import ComparisonSettings
from rlaios_core.control.comparison_engine import ScoredPair, Sides, compare_pairs, measure
from rlaios_core.evaluation import mcnemar_p, sign_flip_p
from rlaios_core.schema import ComparisonResult, ComparisonStatus, RelativeOutcome

RULES = ComparisonSettings()
SIDES = Sides("alpha", 3, "ck-2", "ck-1", 99)


def pairs(scores: list[tuple[float | None, float | None]], environment: str = "a") -> list[ScoredPair]:
    return [
        ScoredPair(f"{environment}-{place}", environment, f"f{place % 3}", active, reference)
        for place, (active, reference) in enumerate(scores)
    ]


def judge(scored: list[ScoredPair]) -> ComparisonResult:
    return compare_pairs(scored, SIDES, RULES).result


def two_valued(better: int, worse: int, same: int) -> list[tuple[float | None, float | None]]:
    return [(1.0, 0.0)] * better + [(0.0, 1.0)] * worse + [(1.0, 1.0)] * same


@pytest.mark.parametrize(
    ("better", "worse", "outcome"),
    [
        (10, 1, RelativeOutcome.BETTER),
        (1, 10, RelativeOutcome.WORSE),
        (5, 6, RelativeOutcome.SAME),
        (0, 4, RelativeOutcome.SAME),
        (0, 5, RelativeOutcome.WORSE),
        (0, 0, RelativeOutcome.SAME),
    ],
)
def test_two_valued_outcomes_are_judged_by_mcnemar(better: int, worse: int, outcome: RelativeOutcome) -> None:
    result = judge(pairs(two_valued(better, worse, 60 - better - worse)))
    assert result.relative_outcome is outcome
    assert result.status is ComparisonStatus.COMPLETED
    assert result.p_worse == pytest.approx(mcnemar_p(better, worse))
    assert result.p_better == pytest.approx(mcnemar_p(worse, better))
    assert (result.better_pairs, result.worse_pairs) == (better, worse)
    assert result.mean_difference == pytest.approx((better - worse) / 60)
    assert result.interval_low <= result.mean_difference <= result.interval_high
    assert (result.campaign, result.epoch, result.seed) == ("alpha", 3, 99)


def test_minus_one_and_one_count_as_failure_and_success() -> None:
    result = judge(pairs([(-1.0, 1.0)] * 6 + [(1.0, 1.0)] * 54))
    assert result.mean_difference == pytest.approx(-0.1)
    assert result.environments[0].active_mean == pytest.approx(0.8)


def test_graded_outcomes_are_judged_by_sign_flips() -> None:
    scores: list[tuple[float | None, float | None]] = [(0.25, 1.0)] * 8 + [(1.0, -1.0)] + [(0.0, 0.0)] * 51
    result = judge(pairs(scores))
    assert result.p_worse == pytest.approx(sign_flip_p([-0.75] * 8 + [2.0]))
    assert result.mean_difference == pytest.approx((-6.0 + 2.0) / 60)


def test_a_significant_but_tiny_difference_is_same() -> None:
    scores: list[tuple[float | None, float | None]] = [(0.0, 0.25)] * 6 + [(1.0, 1.0)] * 54
    result = judge(pairs(scores))
    assert result.p_worse < 0.05
    assert result.mean_difference > -0.03
    assert result.relative_outcome is RelativeOutcome.SAME


def test_a_gain_elsewhere_does_not_hide_a_collapse() -> None:
    scored = pairs(two_valued(20, 0, 20), "a") + pairs(two_valued(0, 5, 15), "b")
    assert judge(scored).mean_difference > 0
    assert judge(scored).relative_outcome is RelativeOutcome.WORSE
    mild = pairs(two_valued(20, 0, 20), "a") + pairs(two_valued(0, 4, 16), "b")
    assert judge(mild).relative_outcome is RelativeOutcome.BETTER
    assert [part.environment for part in judge(scored).environments] == ["a", "b"]


def failed(scored: list[ScoredPair]) -> str:
    result = judge(scored)
    assert result.status is ComparisonStatus.COMPARISON_FAILED
    assert result.relative_outcome is None
    return result.failure_reason


def test_why_a_comparison_fails() -> None:
    good = two_valued(3, 3, 44)
    assert failed([]) == "there are no pairs"
    both = pairs([*good, *[(None, None)] * 10])
    assert failed(both) == "only 50 of 60 pairs are valid"
    one_sided = pairs([*two_valued(3, 3, 74), *[(None, 1.0)] * 8])
    assert "8 of active, 0 of the reference" in failed(one_sided)
    assert failed(pairs([*good, (math.nan, 1.0)])) == "a score is not finite"
    assert failed(pairs([*good, (1.0, math.inf)])) == "a score is not finite"
    unlike = ScoredPair("t", "a", "f", 1.0, 1.0, active_version="2", reference_version="1")
    assert failed([*pairs(good), unlike]) == "1 pairs were graded by different versions"


def test_a_few_faults_are_borne() -> None:
    scored = pairs([*two_valued(3, 3, 48), (None, 1.0), (1.0, None)])
    result = judge(scored)
    assert result.relative_outcome is RelativeOutcome.SAME
    assert (result.pairs, result.valid_pairs) == (56, 54)
    assert compare_pairs(scored, SIDES, RULES).pairs[-1].relative is None


def test_pairs_have_an_outcome_each() -> None:
    found = compare_pairs(pairs([(1.0, 0.0), (0.25, 0.25), (0.0, 1.0), (None, 1.0)]), SIDES, RULES).pairs
    assert [pair.relative for pair in found] == [
        RelativeOutcome.BETTER,
        RelativeOutcome.SAME,
        RelativeOutcome.WORSE,
        None,
    ]


def test_measuring_nothing() -> None:
    assert measure([]).p_worse == 1.0
