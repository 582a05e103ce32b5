"""Held-out scores and the statistics behind every verdict."""

from rlaios_core.evaluation.holdout import held_out_score
from rlaios_core.evaluation.off_policy import (
    Estimate,
    LoggedChoice,
    OffPolicyReport,
    evaluate_off_policy,
    logged_choices,
)
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
    "Estimate",
    "Interval",
    "LoggedChoice",
    "OffPolicyReport",
    "clustered_interval",
    "evaluate_off_policy",
    "held_out_score",
    "interquartile_mean",
    "logged_choices",
    "mcnemar_p",
    "mean_interval",
    "sign_flip_p",
    "wilson_interval",
]
