import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rlaios_core.evaluation import (
    clustered_interval,
    interquartile_mean,
    mcnemar_p,
    mean_interval,
    sign_flip_p,
    wilson_interval,
)
from rlaios_core.evaluation import statistics as module


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(wins: int, losses: int) -> None:
    expected = 1.0
    if wins + losses:
        expected = stats.binomtest(losses, wins + losses, 0.5, alternative="greater").pvalue
    assert mcnemar_p(wins, losses) == pytest.approx(expected)


def test_mcnemar_refuses_negative_counts() -> None:
    with pytest.raises(ValueError, match="negative"):
        mcnemar_p(-1, 2)


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=40))
def test_sign_flip_of_unit_differences_is_mcnemar(differences: list[float]) -> None:
    expected = mcnemar_p(differences.count(1.0), differences.count(-1.0))
    assert sign_flip_p(differences) == pytest.approx(expected)


@given(st.lists(st.sampled_from([-2.0, -1.25, -0.75, -0.25, 0.0, 0.25, 1.0, 2.0]), min_size=1, max_size=9))
def test_the_grid_and_the_listing_of_all_patterns_agree(differences: list[float]) -> None:
    nonzero = [value for value in differences if value]
    sums = [
        sum(sign * abs(value) for sign, value in zip(signs, nonzero, strict=True))
        for signs in itertools.product((-1, 1), repeat=len(nonzero))
    ]
    expected = sum(total <= sum(nonzero) + 1e-9 for total in sums) / len(sums)
    assert sign_flip_p(differences) == pytest.approx(expected if nonzero else 1.0)


def test_differences_off_the_grid_are_listed_or_sampled() -> None:
    rng = np.random.default_rng(0)
    few = list(rng.normal(-0.4, 1.0, size=12))
    many = list(rng.normal(-0.3, 1.0, size=60))
    assert sign_flip_p(few) == pytest.approx(
        stats.permutation_test(
            (few,), np.mean, permutation_type="samples", alternative="less", n_resamples=np.inf
        ).pvalue
    )
    by_t = stats.ttest_1samp(many, 0.0, alternative="less").pvalue
    assert sign_flip_p(many) == pytest.approx(by_t, abs=0.01)
    assert sign_flip_p(many) == sign_flip_p(many)


def test_sampled_p_values_are_never_zero() -> None:
    assert sign_flip_p([-1.0 - i / 7.3e6 for i in range(40)]) == 1 / (module.FLIPS + 1)


def test_sign_flip_refuses_what_is_no_number() -> None:
    with pytest.raises(ValueError, match="finite"):
        sign_flip_p([0.5, float("nan")])


@given(st.integers(0, 50), st.integers(1, 50))
def test_wilson_holds_the_rate(successes: int, trials: int) -> None:
    successes = min(successes, trials)
    low, high = wilson_interval(successes, trials)
    assert 0.0 <= low <= successes / trials + 1e-12
    assert successes / trials - 1e-12 <= high <= 1.0


def test_wilson_without_trials_knows_nothing() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_mean_interval_is_students() -> None:
    values = [0.0, 1.0, -1.0, 0.25, 0.5]
    expected = stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    assert mean_interval(values) == pytest.approx((expected.low, expected.high))
    assert mean_interval([]) == (0.0, 0.0)
    assert mean_interval([0.5, 0.5]) == (0.5, 0.5)


def test_clusters_widen_the_interval() -> None:
    alike = {f"p{i}": [float(i % 2)] * 20 for i in range(6)}
    low, high = clustered_interval(alike)
    plain = wilson_interval(60, 120)
    assert low < plain.low
    assert high > plain.high
    assert clustered_interval({}) == (0.0, 1.0)


def test_interquartile_mean_ignores_the_tails() -> None:
    assert interquartile_mean([0.0, 1.0, 1.0, 100.0]) == 1.0
    with pytest.raises(ValueError, match="not defined"):
        interquartile_mean([])
