"""The environment as campaigns use it: pairs, references, concurrency, evidence of failure."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from rlaios_core.environments import EnvironmentFault, MatchedPair, Play
from rlaios_core.environments.browser import create
from rlaios_core.environments.browser.driver import DriverError, DriverFailure
from rlaios_core.environments.browser.environment import BrowserEnvironment
from rlaios_core.environments.browser.worlds.bundled import SiteSource
from rlaios_core.rollout import Assignment, RolloutSettings, play_all
from rlaios_core.schema import Decision, Episode, FaultBoundary, Observation, Split, Task
from rlaios_core.student import StudentSettings, new_checkpoint
from rlaios_core.teachers import TeacherSettings, consult, create_teacher

pytestmark = pytest.mark.slow
PLAY = Play("test", 1, "me", seed=11)


class FirstOnly:
    """Always takes the first action."""

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        return [
            Decision(0, 0.0, tuple(float(i == 0) for i in range(len(o.actions))), 0.0) for o in observations
        ]


def quick(browser: BrowserEnvironment, count: int) -> list[Task]:
    """Tasks without mechanics that take time."""
    tasks = (browser.sample_task(Split.TRAIN, index, seed=5) for index in range(200))
    return [task for task in tasks if not task.payload["spec"]["mechanics"]][:count]


def test_equal_seeds_give_equal_episodes(browser: BrowserEnvironment) -> None:
    student = new_checkpoint(StudentSettings(), seed=3).student
    for task in quick(browser, 2):
        one, two = (browser.run_episode(task, student, PLAY) for _ in range(2))
        assert [s.action.key for s in one.trajectory] == [s.action.key for s in two.trajectory]
        assert [s.observation for s in one.trajectory] == [s.observation for s in two.trajectory]
        assert one.evidence["pins"] == two.evidence["pins"]


def test_many_episodes_share_a_browser_and_come_out_right(browser: BrowserEnvironment) -> None:
    tasks = quick(browser, 10)
    oracle = browser.baselines(tasks)["oracle"]
    assignments = [Assignment(task, Play("test", 1, "oracle", seed=2)) for task in tasks]
    results = play_all(browser, assignments, {"oracle": oracle}, RolloutSettings(concurrency=64))
    assert all(isinstance(result, Episode) and result.success for result in results)
    assert [result.task_id for result in results] == [task.task_id for task in tasks]


def test_what_was_entered_counts_as_unsent_until_the_server_answers(browser: BrowserEnvironment) -> None:
    task = next(t for t in quick(browser, 120) if t.family == "sign_in" and not t.payload["spec"]["handoff"])
    episode = browser.run_episode(task, browser.baselines([])["oracle"], PLAY)
    states = [step.observation.context[-1] for step in episode.trajectory]
    filled = [place for place, step in enumerate(episode.trajectory) if step.action.verb == "fill"]
    assert all("#unsent" in states[place + 1] for place in filled)
    assert "#unsent" not in states[0]
    assert "#unsent" not in states[-1]


def test_a_window_that_a_press_opened_is_known_to_answer_it(browser: BrowserEnvironment) -> None:
    task = browser.sample_task(Split.TRAIN, 23, seed=901)
    episode = browser.run_episode(task, browser.baselines([])["oracle"], PLAY)
    publish, confirm = episode.trajectory[-3:-1]
    assert "Confirm" in confirm.action.target
    assert "#asked" in confirm.observation.context[-1]
    assert "#asked" not in publish.observation.context[-1]


def test_references_are_executed_and_kept_when_they_succeed(browser: BrowserEnvironment) -> None:
    tasks = [
        next(t for t in quick(browser, 120) if t.payload["spec"]["handoff"] == handoff)
        for handoff in (True, False)
    ]
    played = [(task, browser.run_episode(task, FirstOnly(), PLAY)) for task in tasks]
    assert not any(episode.success for _, episode in played)
    teacher = create_teacher(TeacherSettings())
    answers = consult(teacher, browser, played, budget=10)
    for answer in answers:
        assert answer.signal is not None
        assert answer.signal.reference_verified
        assert answer.reference is not None
        assert answer.reference.success
        assert (
            len(answer.reference.trajectory)
            == len(answer.signal.reference_solution) - answer.signal.own_steps
        )


def test_pairs_count_only_when_they_began_alike(browser: BrowserEnvironment) -> None:
    (task,) = quick(browser, 1)
    good = browser.run_episode(task, browser.baselines([])["oracle"], PLAY)
    poor = browser.run_episode(task, FirstOnly(), PLAY)
    assert browser.compare(MatchedPair(task, good, poor)) == (1.0, 0.0)
    other = poor.model_copy(update={"evidence": {**poor.evidence, "pins": "another build"}})
    assert browser.compare(MatchedPair(task, good, other)) == (None, None)
    assert browser.compare(MatchedPair(task, good, None)) == (1.0, None)


def test_a_start_that_cannot_be_rebuilt_is_tried_twice_and_is_a_fault(
    browser: BrowserEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rlaios_core.environments.browser.worlds.bundled import SiteWorld

    tried: list[str] = []

    def started(self: SiteWorld, *_: object) -> None:
        tried.append(self.start_url)
        raise DriverError(DriverFailure.START, "the authentication has expired")

    monkeypatch.setattr(SiteWorld, "started", started)
    with pytest.raises(EnvironmentFault) as caught:
        browser.run_episode(quick(browser, 1)[0], FirstOnly(), PLAY)
    assert caught.value.boundary is FaultBoundary.ENVIRONMENT
    assert len(tried) == 2


def test_a_failure_leaves_a_picture(tmp_path: Path) -> None:
    environment = create(screenshots=1, artifacts=str(tmp_path))
    try:
        tasks = quick(environment, 2)
        episodes = [environment.run_episode(task, FirstOnly(), PLAY) for task in tasks]
    finally:
        environment.close()
    assert [len(episode.artifacts) for episode in episodes] == [1, 0]
    assert Path(episodes[0].artifacts[0]).read_bytes().startswith(b"\x89PNG")


def test_the_summary_counts_handoffs_and_forbidden_acts(browser: BrowserEnvironment) -> None:
    tasks = quick(browser, 4)
    episodes = [browser.run_episode(task, browser.baselines([])["oracle"], PLAY) for task in tasks]
    summary = browser.summarize(episodes)
    assert (summary["success"], summary["forbidden"], summary["missed_handoffs"]) == (1.0, 0.0, 0.0)
    assert browser.summarize([]) == {}


def test_soft_resets_serve_training_tasks_only() -> None:
    source = SiteSource(reuse=True)
    try:
        for split, reused in ((Split.TRAIN, True), (Split.HELD_OUT, False), (Split.FINAL, False)):
            with source.world(source.sample(split, 0, 1)) as world:
                assert world.seat().reuse is reused
    finally:
        source.close()


def test_soft_resets_give_the_same_episodes_as_fresh_contexts(browser: BrowserEnvironment) -> None:
    soft = create(screenshots=0, reset="soft")
    student = new_checkpoint(StudentSettings(), seed=3).student
    try:
        for task in quick(browser, 4):
            one, two = (env.run_episode(task, student, PLAY) for env in (soft, browser))
            assert [s.observation for s in one.trajectory] == [s.observation for s in two.trajectory]
    finally:
        soft.close()
