import pytest

from scheduler.jobs import Job, State, count_states, retry_delay
from scheduler.planning import (
    Slot, assign, busy_at, by_deadline, conflicts, idle_time, late_jobs, makespan,
)
from scheduler.ready import ReadyQueue
from scheduler.recurrence import format_clock, in_window, next_run, occurrences, parse_clock


def batch():
    return [Job("u", 5, deadline=5), Job("v", 2), Job("w", 4, deadline=6), Job("x", 3, deadline=6)]


def test_job_with_retries():
    job = Job("u")
    results = []
    for _ in range(3):
        job.start()
        results.append(job.fail())
    assert results == [True, True, False]
    assert (job.state, job.attempts, job.is_over()) == (State.FAILED, 3, True)
    assert job.history == ["waiting", "running"] * 3


def test_job_life():
    job = Job("u", max_retries=0)
    assert job.is_over() is False
    job.start()
    job.finish()
    assert job.is_over() is True and job.history == ["waiting", "running"]
    for action in (job.start, job.finish, job.fail):
        with pytest.raises(ValueError):
            action()
    with pytest.raises(ValueError):
        Job("v").finish()


def test_slack_and_lateness_agree():
    job = Job("u", duration=4, deadline=20)
    assert [job.slack(now) for now in (0, 16, 17)] == [16, 0, -1]
    assert [job.is_late(now) for now in (0, 16, 17)] == [False, False, True]
    assert Job("v", deadline=0).slack(0) == -1 and Job("v").is_late(5) is False
    assert Job("v").slack(1) is None


def test_retry_delays():
    assert [retry_delay(n) for n in range(-1, 7)] == [0, 0, 2, 4, 8, 16, 30, 30]
    assert [retry_delay(n, base=3, cap=12) for n in (1, 2, 3, 4)] == [3, 6, 12, 12]


def test_state_counts():
    jobs = [Job("u", state=s) for s in (State.DONE, State.FAILED, State.DONE, State.RUNNING)]
    assert count_states(jobs) == {"done": 2, "failed": 1, "running": 1}
    assert count_states([]) == {}


def test_queue_order():
    queue = ReadyQueue()
    for name, priority in [("k", -1), ("l", 4), ("m", 0), ("n", 4), ("o", 0)]:
        assert queue.push(Job(name, priority=priority)) is True
    assert queue.names() == list("lnmok") and queue.peek() == "l"
    assert [queue.pop().name for _ in range(5)] == list("lnmok")
    assert (len(queue), queue.peek(), queue.names()) == (0, None, [])
    with pytest.raises(LookupError, match="empty"):
        queue.pop()


def test_queue_limit_and_removal():
    queue = ReadyQueue(limit=3)
    assert [queue.push(Job(name)) for name in "kllm"] == [True, True, True, False]
    assert queue.remove("l") == 2 and queue.names() == ["k"]
    assert queue.push(Job("p", priority=1)) is True and queue.peek() == "p"
    assert queue.remove("zz") == 0 and len(queue) == 2
    assert ReadyQueue(limit=0).push(Job("k")) is False


def test_queue_lifted():
    queue = ReadyQueue()
    for name, priority in [("k", 2), ("l", 9), ("m", 4)]:
        queue.push(Job(name, priority=priority))
    queue.raise_priority(4)
    assert queue.names() == ["l", "k", "m"]
    queue.push(Job("n", priority=5))
    assert [queue.pop().name for _ in range(4)] == ["l", "n", "k", "m"]


def test_deadline_order():
    assert [job.name for job in by_deadline(batch())] == ["u", "x", "w", "v"]
    assert by_deadline([]) == []


def test_plans_are_sound():
    for machines in range(1, 6):
        plan = assign(batch(), machines, start=3)
        assert conflicts(plan) == []
        assert [slot.end - slot.start for slot in plan] == [5, 2, 4, 3]
        assert min(slot.start for slot in plan) == 3
        assert all(idle_time(plan, m) == 0 for m in range(machines))
    with pytest.raises(ValueError, match="machine"):
        assign(batch(), 0)
    with pytest.raises(ValueError):
        assign([], -1)


def test_plan_values():
    plan = assign(batch(), 2)
    assert plan == [Slot("u", 0, 0, 5), Slot("v", 1, 0, 2), Slot("w", 1, 2, 6), Slot("x", 0, 5, 8)]
    assert makespan(plan) == 8 and makespan(plan[2:3]) == 4
    assert [busy_at(plan, t) for t in (0, 2, 5, 7, 8)] == [["u", "v"], ["u", "w"], ["w", "x"], ["x"], []]
    assert late_jobs(plan, batch()) == {"x": 2}
    assert late_jobs(plan, []) == {}


def test_conflicts_and_gaps():
    plan = [Slot("f", 2, 10, 14), Slot("g", 2, 1, 4), Slot("h", 2, 3, 11), Slot("i", 1, 0, 20)]
    assert conflicts(plan) == [("f", "h"), ("g", "h")]
    assert idle_time([Slot("f", 2, 10, 14), Slot("g", 2, 1, 4), Slot("i", 1, 5, 6)], 2) == 6
    assert conflicts([Slot("f", 3, 5, 9), Slot("g", 3, 2, 5), Slot("h", 3, 9, 10)]) == []
    assert idle_time([], 0) == 0


def test_runs_agree_with_occurrences():
    times = list(occurrences(7, 9, 60))
    assert times == [7, 16, 25, 34, 43, 52]
    for now in range(0, 53):
        assert next_run(7, 9, now) == min(t for t in times if t >= now)
    assert list(occurrences(5, 1, 5)) == [5] and list(occurrences(5, 1, 4)) == []


def test_windows_are_complements():
    for time in range(0, 50):
        assert in_window(time, 10, 30) != in_window(time, 30, 10)
    assert in_window(30, 30, 10) and not in_window(10, 30, 10)


def test_clock_round_trip():
    for minutes in (0, 9, 59, 60, 754, 1439):
        assert parse_clock(format_clock(minutes)) == minutes
    assert parse_clock("00:00") == 0 and parse_clock("23:59") == 1439
    assert format_clock(1500) == "01:00" and format_clock(61) == "01:01"
    for text in ("25:10", "24:05", "1:75", "3:60", "-2:00", "2:-5"):
        with pytest.raises(ValueError):
            parse_clock(text)
