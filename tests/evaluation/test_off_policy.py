"""Off-policy estimates against worlds whose truth is known."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from rlaios_core.evaluation import LoggedChoice, evaluate_off_policy, logged_choices
from rlaios_core.schema import (
    Action,
    Decision,
    Episode,
    Observation,
    Outcome,
    Split,
    Step,
    StepResult,
    StepStatus,
    StopReason,
)

LOGGED, TARGET = (0.5, 0.3, 0.2), (0.1, 0.1, 0.8)
PAYS = (0.2, 0.4, 0.9)
TRUTH = float(np.dot(TARGET, PAYS))


def bandit(count: int, seed: int, model: Sequence[float] = (0.0, 0.0, 0.0)) -> list[LoggedChoice]:
    """Choices of a three-armed bandit whose arms pay 1 with their probability."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        arm = int(rng.choice(3, p=LOGGED))
        reward = float(rng.random() < PAYS[arm])
        expected = float(np.dot(TARGET, model))
        found.append(LoggedChoice(reward, LOGGED[arm], TARGET[arm], expected, model[arm]))
    return found


@pytest.mark.parametrize("name", ["ips", "snips", "doubly_robust"])
def test_estimates_are_right_on_average(name: str) -> None:
    values = [getattr(evaluate_off_policy(bandit(400, seed, PAYS)), name).value for seed in range(40)]
    assert np.mean(values) == pytest.approx(TRUTH, abs=0.03)


@pytest.mark.parametrize("name", ["ips", "snips", "doubly_robust"])
def test_lower_bounds_hold_about_as_often_as_they_say(name: str) -> None:
    lows = [getattr(evaluate_off_policy(bandit(300, seed, PAYS)), name).low for seed in range(100)]
    assert 0.88 <= np.mean([low <= TRUTH for low in lows]) <= 1.0


def test_a_good_model_makes_the_estimate_steadier() -> None:
    spread = {}
    for name, model in (("none", (0.0, 0.0, 0.0)), ("good", PAYS)):
        values = [evaluate_off_policy(bandit(300, s, model)).doubly_robust.value for s in range(60)]
        spread[name] = float(np.std(values))
    assert spread["good"] < spread["none"]


def test_a_doubly_robust_estimate_survives_a_wrong_model() -> None:
    values = [evaluate_off_policy(bandit(400, s, (0.9, 0.1, 0.1))).doubly_robust.value for s in range(60)]
    assert np.mean(values) == pytest.approx(TRUTH, abs=0.04)


def test_the_behaviour_policys_own_estimate_is_what_it_earned() -> None:
    choices = [choice._replace(target=choice.logged) for choice in bandit(200, 1)]
    report = evaluate_off_policy(choices)
    assert report.ips.value == pytest.approx(report.behaviour)
    assert report.effective == pytest.approx(200)
    assert not report.improves


def test_a_better_policy_is_found_to_be_better() -> None:
    assert evaluate_off_policy(bandit(2_000, 1, PAYS)).improves


def test_clusters_widen_the_bound() -> None:
    alone = bandit(50, 3)
    copied = [choice for choice in alone for _ in range(10)]
    together = [choice._replace(cluster=str(n // 10)) for n, choice in enumerate(copied)]
    assert evaluate_off_policy(together).ips.low < evaluate_off_policy(copied).ips.low


@pytest.mark.parametrize(
    "bad",
    [
        [],
        [LoggedChoice(1.0, 0.0, 0.5)],
        [LoggedChoice(1.0, 1.5, 0.5)],
        [LoggedChoice(1.0, 0.5, 1.5)],
        [LoggedChoice(math.nan, 0.5, 0.5)],
    ],
)
def test_nonsense_is_refused(bad: list[LoggedChoice]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any of the messages
        evaluate_off_policy(bad)


class Always:
    """Gives one verb all its probability."""

    def __init__(self, verb: str) -> None:
        self._verb = verb

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        found = []
        for observation in observations:
            sure = tuple(float(action.verb == self._verb) for action in observation.actions)
            found.append(Decision(sure.index(1.0), 0.0, sure, 0.0))
        return found


def episode(number: int, chosen: int, reward: float) -> Episode:
    actions = (Action(verb="retry"), Action(verb="handoff"))
    step = Step(
        observation=Observation(instruction="x", actions=actions, steps_left=1),
        chosen=chosen,
        log_probability=math.log(0.5),
        probabilities=(0.5, 0.5),
        value=0.0,
        result=StepResult(status=StepStatus.OK),
        duration_seconds=0.0,
    )
    return Episode(
        episode_id=f"e{number}",
        campaign="logged",
        epoch=0,
        environment="orchestrator",
        task_id=f"t{number}",
        family="f",
        split=Split.TRAIN,
        seed=0,
        checkpoint_id="logged",
        trajectory=(step,),
        outcome=Outcome.SUCCESS if reward > 0 else Outcome.FAILURE,
        stop_reason=StopReason.WORLD_ENDED,
        terminal_reward=reward,
        reward=reward,
    )


def test_a_policy_is_estimated_from_logged_episodes() -> None:
    episodes = [episode(n, n % 2, 1.0 if n % 2 else -1.0) for n in range(200)]
    good = evaluate_off_policy(logged_choices(episodes, Always("handoff")))
    bad = evaluate_off_policy(logged_choices(episodes, Always("retry")))
    assert good.improves
    assert good.snips.value == pytest.approx(1.0)
    assert bad.snips.value == pytest.approx(-1.0)
    assert good.doubly_robust.value == pytest.approx(1.0, abs=0.1)
