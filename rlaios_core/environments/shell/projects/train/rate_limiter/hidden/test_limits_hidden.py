import pytest

from buckets import LeakyBucket, TokenBucket
from quotas import Quota, backoff, backoff_schedule, parse_rule, strictest
from windows import (FixedWindow, SlidingWindow, busiest_span, count_between,
                     weighted_rate)


def test_token_bucket_sequence():
    bucket = TokenBucket(3, 0.5, start=10)
    answers = [bucket.allow(t) for t in (10, 10, 10, 11, 12, 12)]
    assert answers == [True, True, True, False, True, False]


def test_token_bucket_wait_matches_allow():
    bucket = TokenBucket(6, 4)
    assert bucket.allow(0, 6)
    wait = bucket.wait_time(0, 3)
    assert wait == 0.75
    assert not bucket.allow(wait - 0.25, 3)
    assert bucket.allow(wait, 3)


def test_token_bucket_time_going_back():
    bucket = TokenBucket(4, 1, start=9)
    assert bucket.allow(9, 3)
    assert bucket.peek(1) == 1
    bucket.refill(9)
    bucket.refill(1)
    assert (bucket.level, bucket.updated) == (1, 9)


def test_token_bucket_limits():
    for capacity, rate in ((-1, 1), (1, -1), (0, 0)):
        with pytest.raises(ValueError):
            TokenBucket(capacity, rate)
    bucket = TokenBucket(4, 1)
    assert bucket.wait_time(0, 4) == 0
    assert bucket.wait_time(50, 5) is None
    assert bucket.peek(50) == 4


def test_leaky_bucket_sequence():
    bucket = LeakyBucket(4, 2)
    assert [bucket.offer(t, n) for t, n in ((0, 3), (0, 3), (1, 3), (1, 1), (4, 1))] == [3, 1, 2, 0, 1]
    assert bucket.drain(4) == 0
    assert bucket.drain(5) == 1


def test_fixed_window_flow():
    window = FixedWindow(2, 60)
    assert [window.hit("ip", t) for t in (59, 60, 61, 62, 119, 120)] == [
        True, True, True, False, False, True]
    assert [window.remaining("ip", t) for t in (0, 60, 120, 180)] == [1, 0, 1, 2]
    assert window.forget_before(120) == 2
    assert window.forget_before(120) == 0


def test_fixed_window_reset():
    window = FixedWindow(1, 7)
    assert [window.reset_at(t) for t in (6, 7, 20, 21)] == [7, 14, 21, 28]
    assert window.window_of(20) == 2


def test_sliding_window_retry_is_exact():
    window = SlidingWindow(3, 5)
    for t in (0, 1, 4):
        assert window.hit(t)
    wait = window.retry_after(4)
    assert wait == 1
    assert not window.hit(4.5)
    assert window.hit(4 + wait)
    assert list(window.hits) == [1, 4, 5]


def test_sliding_window_empty():
    window = SlidingWindow(1, 5)
    window.expire(100)
    assert window.retry_after(3) == 0
    assert window.hit(3) and not window.hit(7)


def test_counts_over_times():
    times = [0, 3, 3, 3, 7, 12]
    assert count_between(times, 3, 3) == 0
    assert count_between(times, 3, 4) == 3
    assert count_between(times, 7, 12) == 1
    assert busiest_span(times, 0) == (3, 3)
    assert busiest_span(times, 4) == (0, 4)


def test_weighted_rate_more():
    assert weighted_rate(10, 0, 5, 10) == 5
    assert weighted_rate(0, 4, 3, 10) == 4
    with pytest.raises(ValueError):
        weighted_rate(0, 4, 10.5, 10)


def test_rules():
    assert [parse_rule(t) for t in ("2/10s", " 7/H", "30/2d")] == [(2, 10), (7, 3600), (30, 172800)]
    for bad in ("-1/s", "3/-2m", "4 per s", "4/x"):
        with pytest.raises(ValueError):
            parse_rule(bad)
    assert strictest([parse_rule("60/m"), parse_rule("1/s"), parse_rule("9/s")]) == (60, 60)


def test_backoff_schedule_differences():
    moments = backoff_schedule(6, base=2, ceiling=20)
    steps = [b - a for a, b in zip([0] + moments, moments)]
    assert steps == [backoff(n, 2, ceiling=20) for n in range(1, 7)]
    assert steps == [2, 4, 8, 16, 20, 20]
    with pytest.raises(ValueError):
        backoff(-2)


def test_quota_days():
    quota = Quota(4, carry=2)
    assert quota.spend("x", 1, 6)
    assert not quota.spend("x", 1)
    assert not quota.spend("x", 2, 5)
    assert quota.spend("x", 2, 3)
    assert quota.allowance("x", 3) == 5
    assert quota.used("x", 2) == 3


def test_quota_rankings():
    quota = Quota(10)
    for client, units in (("m", 5), ("k", 10), ("n", 5), ("j", 1)):
        quota.spend(client, 4, units)
    assert quota.top_clients(4, 2) == ["k", "m"]
    assert quota.top_clients(4) == ["k", "m", "n"]
    assert quota.top_clients(5) == []
    assert quota.near_limit(4, 0.5) == ["k", "m", "n"]
    assert quota.near_limit(4) == ["k"]
