"""The student as a policy: `act` to choose, `evaluate` to learn."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from rlaios_core.schema import Decision, Observation
from rlaios_core.student.features import (
    FeatureScales,
    ObservationFeatures,
    collate,
    observation_features,
)
from rlaios_core.student.network import Output, StudentNetwork, StudentSettings


class NonFiniteOutputError(ArithmeticError):
    """The network gave a number that is not finite; nothing may be chosen or learned from it."""


class Evaluation(NamedTuple):
    """Per step: log-probability of the action taken [B], all log-probabilities [B, A], value, entropy [B]."""

    log_probabilities: torch.Tensor
    distribution: torch.Tensor
    values: torch.Tensor
    entropies: torch.Tensor


class Student:
    """The trainable policy.

    Sampling perturbs each log-probability with Gumbel noise that depends on the seed and on what the
    action does (the Gumbel-max trick): two checkpoints with the same seed share their luck, which is
    what makes a matched pair informative.
    """

    def __init__(self, network: StudentNetwork, settings: StudentSettings, *, greedy: bool = False) -> None:
        self.network = network
        self.settings = settings
        self.greedy = greedy

    def as_greedy(self) -> "Student":
        """The same weights, choosing the likeliest verb and the likeliest action of it."""
        return Student(self.network, self.settings, greedy=True)

    @torch.no_grad()
    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """Choose for each observation. Raises `NonFiniteOutputError` rather than guess."""
        # One thread: the same bits on every machine, and no threads spinning beside busy environments.
        torch.set_num_threads(1)
        features = [observation_features(observation) for observation in observations]
        output = self._forward(features)
        logs = torch.log_softmax(output.logits, dim=-1).double().numpy()
        values = output.values.double().numpy()
        return [
            self._decide(logs[row, : len(feature.actions)], float(values[row]), feature, seed)
            for row, (feature, seed) in enumerate(zip(features, seeds, strict=True))
        ]

    def _decide(
        self, logs: NDArray[np.float64], value: float, feature: ObservationFeatures, seed: int
    ) -> Decision:
        chosen = likeliest(logs, feature.verbs) if self.greedy else _sampled(logs, feature.keys, seed)
        return Decision(
            chosen=chosen,
            log_probability=min(0.0, float(logs[chosen])),
            probabilities=tuple(np.exp(logs).tolist()),
            value=value,
        )

    def evaluate(
        self,
        features: Sequence[ObservationFeatures],
        chosen: torch.Tensor,
        scales: FeatureScales | None = None,
    ) -> Evaluation:
        """Log-probabilities, values and entropies of steps already taken, with gradients."""
        output = self._forward(features, scales)
        logs = torch.log_softmax(output.logits, dim=-1)
        taken = logs.gather(1, chosen[:, None]).squeeze(1)
        filled = logs.masked_fill(torch.isinf(logs), 0.0)
        return Evaluation(taken, logs, output.values, -(filled.exp() * filled).sum(dim=1))

    def _forward(
        self, features: Sequence[ObservationFeatures], scales: FeatureScales | None = None
    ) -> Output:
        output: Output = self.network(collate(features, scales))
        if torch.isnan(output.logits).any() or not torch.isfinite(output.values).all():
            raise NonFiniteOutputError("the student's output is not finite")
        return output


def likeliest(logs: NDArray[np.float64], verbs: NDArray[np.int64]) -> int:
    """The likeliest action of the likeliest verb.

    Two hundred patches that share 0.6 of the probability are a wish to patch: one `stop` with 0.4 is
    likelier than any of them, and still the wrong reading.
    """
    verb = np.argmax(np.bincount(verbs, weights=np.exp(logs)))
    return int(np.argmax(np.where(verbs == verb, logs, -np.inf)))


def _sampled(logs: NDArray[np.float64], keys: NDArray[np.uint64], seed: int) -> int:
    return int(np.argmax(logs + gumbel_noise(keys, seed)))


def gumbel_noise(keys: NDArray[np.uint64], seed: int) -> NDArray[np.float64]:
    """Standard Gumbel noise per action key, a pure function of (seed, key)."""
    with np.errstate(over="ignore"):
        state = keys + np.uint64(seed & 0xFFFFFFFFFFFFFFFF) * np.uint64(0x9E3779B97F4A7C15)
        # The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state = state ^ (state >> np.uint64(31))
    uniform = ((state >> np.uint64(11)).astype(np.float64) + 0.5) / float(1 << 53)
    noise: NDArray[np.float64] = -np.log(-np.log(uniform))
    return noise
