import pytest

from scheduler.jobs import Job
from scheduler.planning import (
    Slot, assign, busy_at, by_deadline, conflicts, idle_time, late_jobs, makespan,
)
from scheduler.recurrence import format_clock, in_window, next_run, occurrences, parse_clock

PLAN = [Slot("a", 0, 2, 5), Slot("b", 1, 3, 4), Slot("c", 0, 7, 9)]


def test_by_deadline():
    jobs = [Job("a"), Job("b", deadline=9), Job("c", 4, deadline=7), Job("d", 2, deadline=7)]
    assert [job.name for job in by_deadline(jobs)] == ["d", "c", "b", "a"]


def test_by_deadline_without_deadline_is_last():
    assert [job.name for job in by_deadline([Job("a", 1), Job("b", 3, deadline=0)])] == ["b", "a"]
    assert [job.name for job in by_deadline([Job("a", 2), Job("b", 1)])] == ["b", "a"]


def test_assign():
    plan = assign([Job("a", 4), Job("b", 1), Job("c", 2)], 2)
    assert plan == [Slot("a", 0, 0, 4), Slot("b", 1, 0, 1), Slot("c", 1, 1, 3)]
    assert assign([Job("a", 2), Job("b", 3)], 1, start=5) == [Slot("a", 0, 5, 7), Slot("b", 0, 7, 10)]


def test_assign_needs_a_machine():
    assert assign([], 1) == []
    with pytest.raises(ValueError, match="at least one"):
        assign([], 0)


def test_makespan():
    assert makespan(PLAN) == 7
    assert makespan([]) == 0


def test_busy_at():
    assert busy_at(PLAN, 3) == ["a", "b"]
    assert busy_at(PLAN, 4) == ["a"]
    assert busy_at(PLAN, 5) == []


def test_conflicts():
    plan = [Slot("a", 0, 0, 3), Slot("b", 0, 2, 4), Slot("c", 1, 0, 9)]
    assert conflicts(plan) == [("a", "b")]


def test_conflicts_touching_slots():
    assert conflicts([Slot("a", 0, 0, 2), Slot("b", 0, 2, 4)]) == []
    assert conflicts([Slot("a", 0, 2, 4), Slot("b", 0, 0, 2)]) == []


def test_idle_time():
    assert idle_time(PLAN, 0) == 2
    assert idle_time(PLAN, 1) == 0


def test_idle_time_of_unsorted_plan():
    assert idle_time([Slot("a", 0, 6, 8), Slot("b", 0, 0, 1), Slot("c", 0, 2, 5)], 0) == 2


def test_late_jobs():
    jobs = [Job("a", deadline=5), Job("b", deadline=3), Job("c")]
    assert late_jobs(PLAN, jobs) == {"b": 1}
    assert late_jobs(PLAN, [Job("c", deadline=4)]) == {"c": 5}


def test_occurrences_include_the_end():
    assert list(occurrences(10, 5, 20)) == [10, 15, 20]
    assert list(occurrences(10, 5, 19)) == [10, 15]


def test_next_run():
    assert next_run(10, 15, 26) == 40
    assert next_run(10, 15, 25) == 25
    assert next_run(10, 15, 11) == 25


def test_next_run_before_start():
    assert next_run(10, 15, 3) == 10
    assert next_run(40, 15, 5) == 40


def test_in_window():
    assert [in_window(t, 60, 120) for t in (59, 60, 119, 120)] == [False, True, True, False]


def test_in_window_past_midnight():
    assert [in_window(t, 1320, 360) for t in (1319, 1320, 359, 360)] == [False, True, True, False]
    assert in_window(60, 60, 60) is False


def test_parse_clock():
    assert parse_clock("7:05") == 425
    assert [parse_clock("0:00"), parse_clock("23:59")] == [0, 1439]


def test_parse_clock_refuses():
    for text in ("24:00", "-1:30", "5:60", "5:-1"):
        with pytest.raises(ValueError, match="bad time"):
            parse_clock(text)


def test_format_clock():
    assert format_clock(425) == "07:05"
    assert format_clock(1440) == "00:00"
