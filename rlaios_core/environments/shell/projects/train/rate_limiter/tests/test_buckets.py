import pytest

from buckets import LeakyBucket, TokenBucket


def test_new_bucket_is_full():
    bucket = TokenBucket(5, 2)
    assert (bucket.level, bucket.updated) == (5, 0)
    assert TokenBucket(1, 1).level == 1


def test_capacity_and_rate_must_be_positive():
    with pytest.raises(ValueError):
        TokenBucket(0, 1)
    with pytest.raises(ValueError):
        TokenBucket(1, 0)


def test_refill_adds_by_rate_up_to_capacity():
    bucket = TokenBucket(10, 2, start=5)
    bucket.level = 1
    bucket.refill(8)
    assert (bucket.level, bucket.updated) == (7, 8)
    bucket.refill(100)
    assert bucket.level == 10


def test_refill_ignores_earlier_times():
    bucket = TokenBucket(10, 2, start=5)
    bucket.level = 4
    bucket.refill(3)
    assert (bucket.level, bucket.updated) == (4, 5)


def test_peek_does_not_change_the_bucket():
    bucket = TokenBucket(10, 3)
    bucket.level = 1
    assert bucket.peek(2) == 7
    assert bucket.peek(9) == 10
    assert (bucket.level, bucket.updated) == (1, 0)


def test_peek_before_last_update():
    bucket = TokenBucket(10, 3, start=4)
    bucket.level = 6
    assert bucket.peek(2) == 6


def test_allow_takes_one_token_by_default():
    bucket = TokenBucket(2, 1)
    assert bucket.allow(0) is True
    assert bucket.level == 1


def test_allow_down_to_zero():
    bucket = TokenBucket(4, 1)
    assert bucket.allow(0, cost=4) is True
    assert bucket.allow(0) is False
    assert bucket.level == 0


def test_allow_after_refill():
    bucket = TokenBucket(3, 1)
    bucket.level = 0
    assert bucket.allow(2, 3) is False
    assert bucket.allow(3, 3) is True


def test_wait_time():
    bucket = TokenBucket(8, 2)
    bucket.level = 1
    assert bucket.wait_time(0, 8) == 3.5
    assert bucket.wait_time(0) == 0
    assert bucket.wait_time(2, 7) == 1.0


def test_wait_time_is_never_negative_and_may_be_none():
    bucket = TokenBucket(8, 2)
    assert bucket.wait_time(0, 3) == 0
    assert bucket.wait_time(0, 9) is None


def test_leaky_offer_fills_up():
    bucket = LeakyBucket(3, 1)
    assert (bucket.queued, bucket.drained_at) == (0, 0)
    assert bucket.offer(0) == 1
    assert bucket.offer(0, 5) == 2
    assert bucket.queued == 3


def test_leaky_drain_counts_whole_requests():
    bucket = LeakyBucket(9, 0.5)
    bucket.queued, bucket.drained_at = 4, 1
    assert bucket.drain(6) == 2
    assert (bucket.queued, bucket.drained_at) == (2, 6)


def test_leaky_drain_stops_when_empty():
    bucket = LeakyBucket(9, 2)
    bucket.queued = 3
    assert bucket.drain(10) == 3
    assert bucket.queued == 0


def test_leaky_offer_drains_first():
    bucket = LeakyBucket(2, 1)
    bucket.queued = 2
    assert bucket.offer(1, 2) == 1
