"""What another policy would have earned, estimated from logged decisions.

Formula sources: inverse propensity scoring after Horvitz and Thompson (1952); self-normalised after
Swaminathan and Joachims (2015), "The self-normalized estimator for counterfactual learning"; doubly robust
after Dudik, Langford and Li (2011), "Doubly robust policy evaluation and learning". Lower bounds are
one-sided 95% bounds by resampling whole clusters, so decisions of one episode count together.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rlaios_core.evaluation.statistics import MONTE_CARLO_SEED
from rlaios_core.schema import Action, Episode, Policy

RESAMPLES = 2_000
LEVEL = 0.05
"""One-sided error probability of a lower bound."""
_SHRINKAGE = 5.0
"""Weight of the overall mean in the doubly robust model, in observations."""


class LoggedChoice(NamedTuple):
    """One logged decision with a reward in [-1, 1].

    `logged` is the true probability in (0, 1] with which the behaviour policy chose what it chose, `target`
    that of the policy to be estimated. `expected` is a model's reward of the target policy in this context,
    `expected_chosen` that of the action chosen (both for the doubly robust estimate). `cluster` names what
    belongs together, such as an episode.
    """

    reward: float
    logged: float
    target: float
    expected: float = 0.0
    expected_chosen: float = 0.0
    cluster: str = ""


class Estimate(NamedTuple):
    """An estimated mean reward per decision with its one-sided 95% lower bound."""

    value: float
    low: float


class OffPolicyReport(NamedTuple):
    """Estimates of a target policy beside what the behaviour policy earned.

    `effective` is the effective sample size (Kish): far below `decisions`, the estimates rest on few of them.
    """

    decisions: int
    effective: float
    behaviour: float
    ips: Estimate
    snips: Estimate
    doubly_robust: Estimate

    @property
    def improves(self) -> bool:
        """Whether every lower bound beats what the behaviour policy earned."""
        return min(self.ips.low, self.snips.low, self.doubly_robust.low) > self.behaviour


def evaluate_off_policy(
    choices: Sequence[LoggedChoice], clip: float | None = None, seed: int = MONTE_CARLO_SEED
) -> OffPolicyReport:
    """All three estimates; `clip` bounds the importance weights (biased, but of less variance).

    Raises `ValueError` for no decisions, for probabilities outside (0, 1] (target: [0, 1]) and for rewards
    that are not finite.
    """
    if not choices:
        raise ValueError("an off-policy estimate needs at least one logged decision")
    table = np.array([choice[:5] for choice in choices], dtype=np.float64)
    if not np.isfinite(table).all():
        raise ValueError("rewards, probabilities and predictions are finite")
    reward, logged, target, expected, expected_chosen = table.T
    if (logged <= 0).any() or (logged > 1).any():
        raise ValueError("logged probabilities lie in (0, 1]")
    if (target < 0).any() or (target > 1).any():
        raise ValueError("target probabilities lie in [0, 1]")
    weights = target / logged if clip is None else np.minimum(target / logged, clip)
    robust = expected + weights * (reward - expected_chosen)
    names = [choice.cluster or str(place) for place, choice in enumerate(choices)]
    sums = _cluster_sums(names, np.stack([weights * reward, weights, robust, np.ones_like(reward)]))
    drawn = np.random.default_rng(seed).integers(0, sums.shape[1], size=(RESAMPLES, sums.shape[1]))
    resampled = sums[:, drawn].sum(axis=2)
    total = sums.sum(axis=1)
    square = float((weights**2).sum())
    return OffPolicyReport(
        decisions=len(choices),
        effective=float(weights.sum()) ** 2 / square if square else 0.0,
        behaviour=float(reward.mean()),
        ips=Estimate(float(total[0] / total[3]), _low(resampled[0] / resampled[3])),
        snips=Estimate(
            float(total[0] / total[1]) if total[1] else 0.0,
            _low(np.divide(resampled[0], resampled[1], out=np.zeros(RESAMPLES), where=resampled[1] > 0)),
        ),
        doubly_robust=Estimate(float(total[2] / total[3]), _low(resampled[2] / resampled[3])),
    )


def _cluster_sums(names: Sequence[str], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums [rows, clusters] of values [rows, decisions]."""
    _, places = np.unique(np.array(names), return_inverse=True)
    return np.stack([np.bincount(places, weights=row) for row in values])


def _low(resampled: NDArray[np.float64]) -> float:
    return float(np.quantile(resampled, LEVEL))


def logged_choices(episodes: Sequence[Episode], policy: Policy, seed: int = 0) -> list[LoggedChoice]:
    """Every step of the episodes, with the probability that `policy` gives to what was done.

    The reward of a step is its episode's. The doubly robust model is the mean reward of what an action does
    (its verb and target) over all other episodes, shrunk towards their overall mean.
    """
    rewards: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for episode in episodes:
        for step in episode.trajectory:
            rewards[_kind(step.action)].append((episode.episode_id, episode.reward))
    overall = float(np.mean([reward for found in rewards.values() for _, reward in found]))
    found = []
    for episode in episodes:

        def model(action: Action, own: str = episode.episode_id) -> float:
            others = [reward for name, reward in rewards[_kind(action)] if name != own]
            return (sum(others) + _SHRINKAGE * overall) / (len(others) + _SHRINKAGE)

        observations = [step.observation for step in episode.trajectory]
        for step, decision in zip(
            episode.trajectory, policy.act(observations, [seed] * len(observations)), strict=True
        ):
            predicted = [model(action) for action in step.observation.actions]
            found.append(
                LoggedChoice(
                    reward=episode.reward,
                    logged=float(np.exp(step.log_probability)),
                    target=decision.probabilities[step.chosen],
                    expected=float(np.dot(decision.probabilities, predicted)),
                    expected_chosen=predicted[step.chosen],
                    cluster=episode.episode_id,
                )
            )
    return found


def _kind(action: Action) -> str:
    return f"{action.verb} {action.target}"
