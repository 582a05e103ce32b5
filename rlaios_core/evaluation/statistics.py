"""Tests and intervals for paired and clustered outcomes: few samples, exact where it can be.

Formula sources: McNemar (1947) in its exact binomial form; Fisher's sign-flip permutation test;
Wilson (1927) score interval; interquartile mean after Agarwal et al. (2021), "Deep RL at the edge of
the statistical precipice"; clustered resampling after Miller (2024), "Adding error bars to evals".
"""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

EXACT_LIMIT = 16
"""Up to this many nonzero differences all 2^n sign patterns are listed."""
GRID = 10_000
"""Differences that are whole multiples of 1/GRID are tested exactly, however many there are."""
GRID_SPAN = 200_000
"""Largest sum of absolute differences, in grid steps, that the exact test on a grid is used for."""
FLIPS = 20_000
"""Random sign patterns where no exact test is possible; the smallest p-value is 1 / (FLIPS + 1)."""
MONTE_CARLO_SEED = 20_261_129
"""Fixed, so that equal data give an equal p-value."""


class Interval(NamedTuple):
    """A two-sided 95% interval, `low <= high`."""

    low: float
    high: float


@lru_cache(maxsize=65_536)
def mcnemar_p(wins: int, losses: int) -> float:
    """One-sided exact McNemar p-value that `losses` outnumber `wins` by chance alone.

    With n discordant pairs and no difference, losses ~ Binomial(n, 1/2); the result is
    P(X >= losses), in (0, 1]; 1.0 when no pair is discordant.
    """
    if wins < 0 or losses < 0:
        raise ValueError("counts of discordant pairs are not negative")
    if wins + losses == 0:
        return 1.0
    return float(stats.binom.sf(losses - 1, wins + losses, 0.5))


def sign_flip_p(differences: Sequence[float]) -> float:
    """One-sided sign-flip permutation p-value that the mean difference is below zero by chance alone.

    Zero differences carry no sign and are left out. Exact when all differences lie on a grid of
    1/GRID or when there are at most EXACT_LIMIT of them; otherwise FLIPS random patterns from a fixed
    seed, p = (1 + patterns as low) / (1 + FLIPS). In (0, 1]; 1.0 when every difference is zero.
    """
    values = np.asarray([value for value in differences if value != 0.0], dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError("differences are finite")
    if values.size == 0:
        return 1.0
    steps = np.rint(values * GRID)
    if np.abs(steps / GRID - values).max() < 1e-12:
        whole = steps.astype(np.int64)
        whole //= math.gcd(*(int(step) for step in np.abs(whole)))
        if np.abs(whole).sum() <= GRID_SPAN:
            return _sign_flip_on_grid(whole)
    observed = float(values.sum()) + 1e-12
    if values.size <= EXACT_LIMIT:
        patterns = np.arange(1 << values.size, dtype=np.int64)[:, None] >> np.arange(values.size) & 1
        sums = (2.0 * patterns - 1.0) @ np.abs(values)
        return float((sums <= observed).mean())
    signs = np.random.default_rng(MONTE_CARLO_SEED).integers(0, 2, size=(FLIPS, values.size)) * 2.0 - 1.0
    return float((1 + (signs @ np.abs(values) <= observed).sum()) / (1 + FLIPS))


def _sign_flip_on_grid(whole: NDArray[np.int64]) -> float:
    """The exact distribution of the signed sum of whole numbers, built one number at a time."""
    span = int(np.abs(whole).sum())
    chance = np.zeros(2 * span + 1)
    chance[span] = 1.0
    for step in np.abs(whole):
        chance = 0.5 * (np.roll(chance, int(step)) + np.roll(chance, -int(step)))
    return float(min(1.0, chance[: span + int(whole.sum()) + 1].sum()))


def wilson_interval(successes: int, trials: int) -> Interval:
    """Wilson score interval (95%) of a success rate; (0, 1) when there were no trials."""
    if trials == 0:
        return Interval(0.0, 1.0)
    found = stats.binomtest(successes, trials).proportion_ci(confidence_level=0.95, method="wilson")
    return Interval(float(found.low), float(found.high))


def mean_interval(differences: Sequence[float]) -> Interval:
    """Student-t interval (95%) of the mean of paired differences; a point when they are all equal."""
    values = np.asarray(differences, dtype=np.float64)
    if values.size == 0:
        return Interval(0.0, 0.0)
    mean = float(values.mean())
    if values.size == 1 or float(np.ptp(values)) == 0.0:
        return Interval(mean, mean)
    half = float(stats.t.ppf(0.975, values.size - 1) * stats.sem(values))
    return Interval(mean - half, mean + half)


def clustered_interval(
    clusters: Mapping[str, Sequence[float]], resamples: int = 2_000, seed: int = MONTE_CARLO_SEED
) -> Interval:
    """Bootstrap interval (95%) of the overall mean, drawing whole clusters with replacement.

    Outcomes of one project or family are not independent, so a plain interval would be too narrow.
    """
    names = sorted(name for name, values in clusters.items() if len(values))
    if not names:
        return Interval(0.0, 1.0)
    sums = np.array([float(np.sum(clusters[name])) for name in names])
    sizes = np.array([len(clusters[name]) for name in names], dtype=np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(names), size=(resamples, len(names)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(low), float(high))


def interquartile_mean(values: Sequence[float]) -> float:
    """Mean of the middle half of the values: steadier than the mean, and uses more than the median."""
    if not len(values):
        raise ValueError("the interquartile mean of no values is not defined")
    return float(stats.trim_mean(np.asarray(values, dtype=np.float64), proportiontocut=0.25))
