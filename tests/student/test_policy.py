import numpy as np
import pytest
import torch

from rlaios_core.schema import Action, Observation
from rlaios_core.student import NonFiniteOutputError, StudentSettings, new_checkpoint
from rlaios_core.student.features import observation_features
from rlaios_core.student.policy import gumbel_noise, likeliest

SMALL = StudentSettings(width=16, heads=2, layers=1, hidden=16)


def observation(actions: int = 5, notes: str = "") -> Observation:
    return Observation(
        instruction="repair the ledger",
        context=("fails test_total #delta:+1", "state #clean"),
        actions=tuple(
            Action(verb="patch", target=f"a.py:{i}", argument="x", notes=notes) for i in range(actions)
        ),
        steps_left=9,
    )


@pytest.fixture(scope="module")
def student():
    student = new_checkpoint(SMALL, seed=0).student
    with torch.no_grad():
        student.network.score[-1].weight.normal_()
        student.network.wide.normal_()
    return student


def test_a_decision_is_a_distribution_over_the_admissible_actions(student) -> None:
    decision = student.act([observation(5)], [1])[0]
    assert len(decision.probabilities) == 5
    assert sum(decision.probabilities) == pytest.approx(1.0)
    assert decision.log_probability == pytest.approx(
        np.log(decision.probabilities[decision.chosen]), abs=1e-6
    )
    assert -1 <= decision.value <= 1


def test_the_rest_of_the_batch_does_not_change_a_decision(student) -> None:
    alone = student.act([observation(5)], [1])[0]
    together = student.act([observation(9), observation(5), observation(2)], [3, 1, 2])[1]
    assert together.chosen == alone.chosen
    assert together.probabilities == pytest.approx(alone.probabilities, abs=1e-6)


def test_equal_seeds_choose_equally_and_the_choice_follows_the_distribution(student) -> None:
    assert student.act([observation()], [5]) == student.act([observation()], [5])
    decisions = student.act([observation()] * 3000, list(range(3000)))
    counts = np.bincount([d.chosen for d in decisions], minlength=5) / 3000
    assert counts == pytest.approx(decisions[0].probabilities, abs=0.04)


def test_greedy_takes_the_likeliest(student) -> None:
    decision = student.as_greedy().act([observation()], [5])[0]
    assert decision.probabilities[decision.chosen] == max(decision.probabilities)


def test_noise_belongs_to_what_the_action_does_not_to_its_place_or_notes() -> None:
    first = observation_features(observation(5)).keys
    noted = observation_features(observation(5, notes="susp:0.9")).keys
    assert (first == noted).all()
    assert gumbel_noise(first, 3)[2] == gumbel_noise(first[2:3], 3)[0]
    assert gumbel_noise(first, 3)[2] != gumbel_noise(first, 4)[2]


def test_tags_of_context_and_action_are_crossed() -> None:
    plain = observation_features(observation(2)).crosses
    other = Observation(
        instruction="x",
        context=("state #dirty",),
        actions=observation(2).actions,
        steps_left=1,
    )
    assert set(plain).isdisjoint(observation_features(other).crosses)


def test_a_network_that_is_not_finite_chooses_nothing() -> None:
    broken = new_checkpoint(SMALL, seed=0).student
    with torch.no_grad():
        broken.network.score[-1].bias.fill_(float("nan"))
    with pytest.raises(NonFiniteOutputError):
        broken.act([observation()], [0])


def test_evaluate_agrees_with_act(student) -> None:
    decision = student.act([observation(5)], [1])[0]
    with torch.no_grad():
        evaluation = student.evaluate([observation_features(observation(5))], torch.tensor([decision.chosen]))
    assert float(evaluation.log_probabilities[0]) == pytest.approx(decision.log_probability, abs=1e-5)
    entropy = -sum(p * np.log(p) for p in decision.probabilities)
    assert float(evaluation.entropies[0]) == pytest.approx(entropy, abs=1e-5)


def test_the_greedy_choice_is_the_likeliest_action_of_the_likeliest_verb() -> None:
    probabilities = np.array([0.4, 0.2, 0.25, 0.15])
    assert likeliest(np.log(probabilities), np.array([1, 0, 0, 0])) == 2
    assert likeliest(np.log(probabilities), np.array([1, 0, 2, 3])) == 0
    assert likeliest(np.array([-0.1, -np.inf, -3.0, -4.0]), np.array([0, 1, 1, 0])) == 0
