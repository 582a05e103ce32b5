import io

import pytest

from rlaios_core.cli.estimate import Estimate, Phase
from rlaios_core.cli.progress import Display


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_nothing_is_promised_before_there_is_something_to_judge_by(clock: Clock) -> None:
    estimate = Estimate([Phase("a", "x", 1.0)], clock)
    estimate.begin("a")
    assert estimate.seconds_left() is None
    assert estimate.done_share() == 0.0


def test_a_kind_that_was_seen_costs_what_it_cost(clock: Clock) -> None:
    estimate = Estimate(
        [Phase("measure", "m", 10.0), Phase("1", "epoch", 1.0), Phase("2", "epoch", 1.0)], clock
    )
    estimate.begin("measure")
    clock.now = 20.0
    estimate.end()
    assert estimate.seconds_left() == pytest.approx(4.0), "by weight, two seconds a unit"
    estimate.begin("1")
    clock.now = 50.0
    estimate.end()
    assert estimate.seconds_left() == pytest.approx(30.0), "as long as the first epoch took"
    assert estimate.done_share() == pytest.approx(11 / 12)


def test_a_running_phase_is_judged_by_how_far_it_is(clock: Clock) -> None:
    estimate = Estimate([Phase("a", "x", 1.0)], clock)
    estimate.begin("a")
    clock.now = 10.0
    estimate.advance("play", 5, 10)
    assert estimate.seconds_left() == pytest.approx(10.0)
    assert estimate.done_share() == pytest.approx(0.5)


def test_stages_cover_their_parts_of_a_phase(clock: Clock) -> None:
    spans = {"episodes": (0.0, 0.8), "candidate": (0.8, 1.0)}
    estimate = Estimate([Phase("epoch", "epoch", 1.0, spans=spans)], clock)
    estimate.begin("epoch")
    estimate.advance("episodes", 10, 10)
    estimate.advance("candidate", 1, 2)
    assert estimate.done_share() == pytest.approx(0.9)


def test_passes_follow_each_other(clock: Clock) -> None:
    estimate = Estimate([Phase("measure", "measure", 1.0, passes=2)], clock)
    estimate.begin("measure")
    for _ in range(2):
        for done in (1, 2, 3, 4):
            estimate.advance("held_out", done, 4)
    assert estimate.done_share() == pytest.approx(1.0)


def test_phases_nobody_planned_are_welcome(clock: Clock) -> None:
    estimate = Estimate([], clock)
    estimate.begin("rollback")
    clock.now = 1.0
    estimate.end()
    assert estimate.seconds_left() is None


def test_without_a_terminal_progress_is_plain_lines() -> None:
    stream = io.StringIO()
    with Display([Phase("generate", "g", 2.0)], stream=stream) as display, display.phase("generate"):
        display.report("tasks", 1, 2)
        display.message("a word")
    text = stream.getvalue()
    assert "a word\n" in text
    assert "generate: done in 0 s\n" in text
    assert "\x1b" not in text


def test_quiet_is_quiet() -> None:
    stream = io.StringIO()
    with Display([], stream=stream, quiet=True) as display, display.phase("x"):
        display.message("a word")
    assert stream.getvalue() == ""
