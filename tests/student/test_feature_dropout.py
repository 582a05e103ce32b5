"""Dropping hashed features at random while imitating."""

import numpy as np
import pytest
import torch

from rlaios_core.schema import Action, Observation
from rlaios_core.student import StudentSettings, new_checkpoint
from rlaios_core.student.features import FeatureScales, feature_dropout, observation_features

OBSERVATION = Observation(
    instruction="repair the total",
    context=("state #clean",),
    actions=tuple(Action(verb="patch", target=f"a.py:{i}", notes=f"#bound susp:0.{i}") for i in range(1, 5)),
    steps_left=9,
)


def scores(scales: FeatureScales | None) -> torch.Tensor:
    student = new_checkpoint(StudentSettings(width=16, heads=2, layers=1, hidden=16), 0).student
    return student.evaluate([observation_features(OBSERVATION)], torch.tensor([0]), scales).distribution


def test_nothing_dropped_changes_nothing() -> None:
    assert torch.equal(scores(feature_dropout(0.0, np.random.default_rng(0))), scores(None))


def test_dropping_changes_what_the_network_sees() -> None:
    assert not torch.equal(scores(feature_dropout(0.5, np.random.default_rng(0))), scores(None))


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_dropped_features_keep_their_expectation(rate: float) -> None:
    scales = feature_dropout(rate, np.random.default_rng(1))
    assert (scales.texts == 0).float().mean() == pytest.approx(rate, abs=0.03)
    assert scales.texts.mean() == pytest.approx(1.0, abs=0.03)
    assert scales.crosses.mean() == pytest.approx(1.0, abs=0.03)


def test_a_dropped_feature_learns_nothing_and_the_others_do() -> None:
    student = new_checkpoint(StudentSettings(width=16, heads=2, layers=1, hidden=16), 0).student
    scales = feature_dropout(0.5, np.random.default_rng(2))
    seen = student.evaluate([observation_features(OBSERVATION)], torch.tensor([0]), scales)
    seen.log_probabilities.sum().backward()
    gradient = student.network.embedding.grad
    assert gradient is not None
    dropped = scales.texts[:, 0] == 0
    assert not gradient[dropped].any()
    assert gradient[~dropped].any()
