import pytest

from rlaios_core.evaluation import held_out_score, wilson_interval
from tests.control.episodes import episode


def test_success_counts_within_a_number_of_verifications() -> None:
    played = [
        episode("a", evidence={"verifications": 1}),
        episode("b", evidence={"verifications": 4}),
        episode("c", success=False, evidence={"verifications": 1}),
        episode("d", evidence={"verifications": 20}),
    ]
    score = held_out_score(played, faults=2)
    assert score.success == 0.75
    assert score.success_at == {"1": 0.25, "3": 0.25, "5": 0.5, "10": 0.5}
    assert score.episodes == 4
    assert score.faults == 2
    assert score.mean_reward == 0.5
    assert score.low < 0.75 < score.high


def test_without_counts_there_is_no_success_at() -> None:
    assert held_out_score([episode("a", evidence={"verifications": 1}), episode("b")]).success_at == {}


def test_families_are_counted() -> None:
    played = [episode("a", family="x"), episode("b", family="x", success=False), episode("c", family="y")]
    assert held_out_score(played).by_family == {"x": (1, 2), "y": (1, 1)}


def test_the_interval_is_at_least_as_wide_as_wilsons_and_knows_projects() -> None:
    alike = [
        episode(f"{project}-{i}", success=project % 2 == 0, evidence={"project": f"p{project}"})
        for project in range(6)
        for i in range(10)
    ]
    score, plain = held_out_score(alike), wilson_interval(30, 60)
    assert score.low < plain.low
    assert score.high > plain.high
    everything = held_out_score([episode(f"e{i}", family=f"f{i % 3}") for i in range(30)])
    assert everything.low == pytest.approx(wilson_interval(30, 30).low)


def test_no_episode_no_score() -> None:
    with pytest.raises(ValueError, match="at least one"):
        held_out_score([])
