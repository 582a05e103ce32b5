import pytest

from scheduler.jobs import Job, State, count_states, retry_delay
from scheduler.ready import ReadyQueue


def queue_of(*pairs):
    queue = ReadyQueue()
    for name, priority in pairs:
        queue.push(Job(name, priority=priority))
    return queue


def test_move_to_keeps_history():
    job = Job("a", state=State.RUNNING)
    job.move_to(State.WAITING)
    assert job.state == State.WAITING
    assert job.history == ["running"]


def test_move_to_refuses():
    with pytest.raises(ValueError, match="a: done to waiting"):
        Job("a", state=State.DONE).move_to(State.WAITING)


def test_job_defaults():
    job = Job("a")
    assert (job.duration, job.priority, job.max_retries, job.attempts) == (1, 0, 2, 0)


def test_start_counts_attempts():
    job = Job("a", attempts=1)
    job.start()
    assert (job.state, job.attempts) == (State.RUNNING, 2)


def test_finish():
    job = Job("a", state=State.RUNNING)
    job.finish()
    assert job.state == State.DONE


def test_fail_waits_for_last_retry():
    job = Job("a", max_retries=1, attempts=1, state=State.RUNNING)
    assert job.fail() is True
    assert job.state == State.WAITING


def test_fail_for_good():
    job = Job("a", max_retries=1, attempts=2, state=State.RUNNING)
    assert job.fail() is False
    assert job.state == State.FAILED


def test_is_over():
    assert Job("a", state=State.DONE).is_over() is True
    assert Job("a", state=State.FAILED).is_over() is True
    assert Job("a", state=State.RUNNING).is_over() is False


def test_slack():
    assert Job("a", duration=3, deadline=10).slack(2) == 5
    assert Job("a").slack(2) is None


def test_is_late_at_the_limit():
    job = Job("a", duration=3, deadline=10)
    assert job.is_late(7) is False
    assert job.is_late(8) is True
    assert Job("a").is_late(99) is False


def test_retry_delay_doubles():
    assert [retry_delay(n) for n in (1, 2, 3)] == [2, 4, 8]
    assert retry_delay(2, base=5) == 10


def test_retry_delay_limits():
    assert retry_delay(0) == 0
    assert retry_delay(5) == 30
    assert retry_delay(3, cap=5) == 5


def test_count_states():
    jobs = [Job("a"), Job("b", state=State.DONE), Job("c")]
    assert count_states(jobs) == {"waiting": 2, "done": 1}


def test_queue_pops():
    queue = queue_of(("a", 1), ("b", 5), ("c", 3))
    assert [queue.pop().name for _ in range(3)] == ["b", "c", "a"]
    queue = queue_of(("z", 1), ("a", 1))
    assert queue.pop().name == "z"


def test_queue_pop_empty():
    with pytest.raises(LookupError, match="queue is empty"):
        ReadyQueue().pop()


def test_queue_limit():
    queue = ReadyQueue(limit=1)
    assert queue.push(Job("a")) is True
    assert queue.push(Job("b")) is False
    assert len(queue) == 1


def test_queue_peek():
    assert queue_of(("a", 1), ("b", 2)).peek() == "b"
    assert ReadyQueue().peek() is None


def test_queue_names():
    assert queue_of(("a", 1), ("b", 2), ("c", 3), ("d", 2)).names() == ["c", "b", "d", "a"]


def test_queue_remove():
    queue = queue_of(("a", 9), ("b", 1), ("a", 2), ("c", 5))
    assert queue.remove("a") == 2
    assert queue.remove("x") == 0
    assert [queue.pop().name, queue.pop().name] == ["c", "b"]


def test_raise_priority():
    queue = queue_of(("b", 1), ("a", 5), ("c", 3))
    queue.raise_priority(3)
    assert queue.names() == ["a", "b", "c"]
