"""Held-out scores and the statistics behind every verdict."""

from rlaios_core.evaluation.holdout import held_out_score
from rlaios_core.evaluation.statistics import (
    Interval,
    clustered_interval,
    interquartile_mean,
    mcnemar_p,
    mean_interval,
    sign_flip_p,
    wilson_interval,
)

__all__ = [
    "Interval",
    "clustered_interval",
    "held_out_score",
    "interquartile_mean",
    "mcnemar_p",
    "mean_interval",
    "sign_flip_p",
    "wilson_interval",
]
