"""Every family of the bundled site through the real browser, and what its server sees."""

from collections.abc import Sequence

import pytest

from rlaios_core.environments import Play
from rlaios_core.environments.browser.environment import BrowserEnvironment
from rlaios_core.environments.browser.evidence import read_steps
from rlaios_core.environments.browser.site import FAMILIES
from rlaios_core.environments.browser.worlds.bundled import SiteSource
from rlaios_core.schema import (
    HANDOFF,
    STOP,
    Decision,
    Episode,
    Observation,
    Outcome,
    Split,
    StopReason,
    Task,
)

pytestmark = pytest.mark.slow
PLAY = Play("test", 1, "me", seed=11)


def tasks_of(family: str, split: Split, count: int, *, handoff: bool | None = None) -> list[Task]:
    source = SiteSource()
    found: list[Task] = []
    index = 0
    while len(found) < count:
        task = source.sample(split, index, seed=5)
        index += 1
        if task.family == family and handoff in (None, task.payload["spec"]["handoff"]):
            found.append(task)
    return found


class Wilful:
    """Follows the reference but for what it wants to do itself, as soon as it is offered."""

    def __init__(self, *wants: str) -> None:
        self.wants = list(wants)
        self.seen: list[Observation] = []

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        (observation,) = observations
        self.seen.append(observation)
        texts = [f"{action.verb} {action.target} {action.argument}" for action in observation.actions]
        chosen = next((i for i, text in enumerate(texts) if self.wants and self.wants[0] in text), None)
        if chosen is not None:
            self.wants.pop(0)
        else:
            right = [i for i, a in enumerate(observation.actions) if (a.payload or {}).get("right")]
            chosen = right[0] if right else len(texts) - 1
        return [Decision(chosen, 0.0, tuple(float(i == chosen) for i in range(len(texts))), 0.0)]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_reference_solves_every_family(browser: BrowserEnvironment, family: str) -> None:
    oracle = browser.baselines([])["oracle"]
    tasks = [task for split in (Split.TRAIN, Split.HELD_OUT, Split.HELD_OUT_OPERATOR)
             for task in tasks_of(family, split, 2)]  # fmt: skip
    failed = [episode for task in tasks if not (episode := browser.run_episode(task, oracle, PLAY)).success]
    assert not failed, [(e.family, e.evidence["violations"], e.stop_reason) for e in failed]


@pytest.mark.parametrize("family", [name for name, scenario in FAMILIES.items() if scenario.handoff_share])
def test_a_right_handoff_is_a_success_and_a_wrong_one_is_not(
    browser: BrowserEnvironment, family: str
) -> None:
    oracle = browser.baselines([])["oracle"]
    (due,) = tasks_of(family, Split.TRAIN, 1, handoff=True)
    (not_due,) = tasks_of(family, Split.TRAIN, 1, handoff=False)
    right = browser.run_episode(due, oracle, PLAY)
    assert (right.outcome, right.stop_reason) in (
        (Outcome.BLOCKED, StopReason.HANDED_OFF), (Outcome.BLOCKED, StopReason.STOPPED),
    )  # fmt: skip
    wrong = browser.run_episode(not_due, Wilful(HANDOFF), PLAY)
    assert (wrong.outcome, wrong.terminal_reward) == (Outcome.FAILURE, 0.0)


def test_stopping_at_once_is_a_failure(browser: BrowserEnvironment) -> None:
    (task,) = tasks_of("sign_in", Split.TRAIN, 1)
    assert browser.run_episode(task, Wilful(STOP), PLAY).outcome is Outcome.FAILURE


def forbidden(browser: BrowserEnvironment, task: Task, *wants: str) -> Episode:
    episode = browser.run_episode(task, Wilful(*wants), PLAY)
    assert episode.safety_violation
    assert (episode.outcome, episode.terminal_reward) == (Outcome.FAILURE, -1.0)
    assert episode.stop_reason is StopReason.WORLD_ENDED
    assert not browser.replay_candidate(episode).admissible
    return episode


def test_moving_a_wrong_row_is_forbidden(browser: BrowserEnvironment) -> None:
    task, scenario = next(
        (task, scenario) for task in tasks_of("table_row", Split.TRAIN, 24)
        if (scenario := _scenario(task)).verb == "archive" and not scenario.menu
        and not task.payload["spec"]["mechanics"]
    )  # fmt: skip
    wrong = _row(scenario, (scenario.wanted + 1) % len(scenario.entries))
    episode = forbidden(browser, task, f'"{scenario.say("archive")}" in row "{wrong}')
    assert "moved" in str(episode.evidence["violations"])


def test_deleting_is_offered_in_the_row_that_fits_best_alone(browser: BrowserEnvironment) -> None:
    task, scenario = next(
        (task, scenario) for task in tasks_of("table_row", Split.TRAIN, 24)
        if (scenario := _scenario(task)).verb == "delete" and scenario.leave and not scenario.menu
    )  # fmt: skip
    wrong = _row(scenario, (scenario.wanted + 1) % len(scenario.entries))
    policy = Wilful(f'"{scenario.say("delete")}" in row "{wrong}')
    assert browser.run_episode(task, policy, PLAY).success
    assert policy.wants
    assert any("another row fits better" in line for seen in policy.seen for line in seen.context)


def test_a_sensitive_button_is_withheld_without_leave(browser: BrowserEnvironment) -> None:
    task = next(
        task for task in tasks_of("publish", Split.TRAIN, 12, handoff=True)
        if "publish" in _scenario(task).say("publish").lower()
    )  # fmt: skip
    policy = Wilful()
    episode = browser.run_episode(task, policy, PLAY)
    assert episode.outcome is Outcome.BLOCKED
    last = policy.seen[-1]
    assert any(line.startswith("withheld") for line in last.context)
    assert not any("publish" in action.target.lower() and action.verb == "click" for action in last.actions)


def test_a_check_for_humans_is_not_offered(browser: BrowserEnvironment) -> None:
    for kind, button in (("human", "verify_button"), ("code", "next"), ("stepup", "next")):
        task = next(
            task for task in tasks_of("challenge", Split.TRAIN, 40, handoff=True)
            if _scenario(task).kind == kind and not task.payload["spec"]["mechanics"]
        )  # fmt: skip
        policy = Wilful(f'button "{_scenario(task).say(button)}"')
        assert browser.run_episode(task, policy, PLAY).outcome is Outcome.BLOCKED
        assert policy.wants
        assert any("is for a person" in line for line in policy.seen[-1].context)


def test_an_entry_that_went_with_its_page_is_to_be_entered_again(browser: BrowserEnvironment) -> None:
    task, scenario = next(
        (task, scenario) for task in tasks_of("preferences", Split.TRAIN, 96)
        if (scenario := _scenario(task)).place == "tabs" and set(scenario.names[:2]) == set(scenario.asked)
        and {scenario.kinds[name] for name in scenario.asked} <= {"radio", "select"}
        and not task.payload["spec"]["mechanics"]
    )  # fmt: skip
    first, second = scenario.names[:2]
    policy = Wilful(
        scenario.wanted[first], f'tab "{scenario.label(second)}"',
        scenario.wanted[second], f'button "{scenario.say("save")}"',
    )  # fmt: skip
    assert browser.run_episode(task, policy, PLAY).success
    after = [seen.context[-1].split("#unused_")[1][0] for seen in policy.seen]
    assert after[: after.index("0") + 2][-2:] == ["0", "1"]


@pytest.mark.parametrize("place", ["plain", "tabs"])
def test_what_a_script_failed_to_send_is_to_be_entered_again(browser: BrowserEnvironment, place: str) -> None:
    task = next(
        _with(task, "spa", "transient") for task in tasks_of("preferences", Split.TRAIN, 96)
        if (scenario := _scenario(task)).place == place
        and {scenario.kinds[name] for name in scenario.asked} <= {"radio", "select"}
    )  # fmt: skip
    policy = Wilful("retry")
    assert browser.run_episode(task, policy, PLAY).success
    unused = [int(seen.context[-1].split("#unused_")[1][0]) for seen in policy.seen]
    trouble = next(i for i, seen in enumerate(policy.seen) if any(a.verb == "retry" for a in seen.actions))
    assert unused[trouble] < unused[trouble + 1] == 2


@pytest.mark.parametrize("by_name", [True, False])
def test_a_link_that_announces_a_download_is_not_offered(browser: BrowserEnvironment, by_name: bool) -> None:
    task, name = next(
        (task, name) for task in tasks_of("connect", Split.TRAIN, 96)
        if _scenario(task).trap != "outside" and not task.payload["spec"]["mechanics"]
        and ("Download" in (name := _scenario(task).say("download_app"))) == by_name
    )  # fmt: skip
    policy = Wilful(f'link "{name}"')
    assert browser.run_episode(task, policy, PLAY).success
    assert policy.wants
    assert any(f'withheld link "{name}" is a download' in line for line in policy.seen[0].context)


def test_evidence_tells_every_step(browser: BrowserEnvironment) -> None:
    (task,) = tasks_of("sign_in", Split.TRAIN, 1)
    episode = browser.run_episode(task, browser.baselines([])["oracle"], PLAY)
    steps = read_steps(str(episode.evidence["steps"]))
    assert len(steps) == len(episode.trajectory)
    assert steps[0].authentication == "door" or steps[0].kind == "form"
    assert steps[-1].terminal == "stopped"
    password = _scenario(task).person.password
    assert password not in episode.model_dump_json()


def _scenario(task: Task):
    from rlaios_core.environments.browser.site import SiteSpec, open_scenario

    return open_scenario(SiteSpec.model_validate(task.payload["spec"]))


def _with(task: Task, *mechanics: str) -> Task:
    spec = {**task.payload["spec"], "mechanics": list(mechanics)}
    return task.model_copy(update={"payload": {**task.payload, "spec": spec}})


def _row(scenario, i: int) -> str:
    return " ".join(scenario.entries[i])
