"""Generalised advantage estimation and its normalisation per environment."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def gae(values: Sequence[float], terminal_reward: float, discount: float, lam: float) -> Floats:
    """Advantages [T] of one finished episode whose only reward comes after its last step.

    Schulman et al. 2016, arXiv 1506.02438, equation 16: A_t = sum_l (discount * lam)^l * delta_{t+l}
    with delta_t = r_t + discount * V_{t+1} - V_t, and V = 0 after the end.
    """
    advantages = np.zeros(len(values))
    following = 0.0
    running = 0.0
    for t in range(len(values) - 1, -1, -1):
        reward = terminal_reward if t == len(values) - 1 else 0.0
        running = reward + discount * following - values[t] + discount * lam * running
        advantages[t] = running
        following = values[t]
    return advantages


def normalise_by_group(advantages: Floats, groups: Sequence[str]) -> Floats:
    """Zero mean and unit deviation within each group, so that no environment drowns another.

    A group without spread carries no signal and becomes zero.
    """
    names = np.array(groups)
    result = np.zeros_like(advantages)
    for name in sorted(set(groups)):
        mask = names == name
        deviation = advantages[mask].std()
        if deviation > 1e-8:
            result[mask] = (advantages[mask] - advantages[mask].mean()) / deviation
    return result
