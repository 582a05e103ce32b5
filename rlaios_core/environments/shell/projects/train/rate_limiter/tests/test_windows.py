import pytest

from windows import (FixedWindow, SlidingWindow, busiest_span, count_between,
                     weighted_rate)


def test_window_of():
    window = FixedWindow(1, 10)
    assert [window.window_of(t) for t in (0, 9, 10, 25)] == [0, 0, 1, 2]


def test_fixed_hit_up_to_limit():
    window = FixedWindow(2, 10)
    assert [window.hit("a", t) for t in (0, 5, 9, 10)] == [True, True, False, True]
    window = FixedWindow(1, 10)
    assert [window.hit(k, 3) for k in ("a", "b", "a")] == [True, True, False]


def test_remaining():
    window = FixedWindow(3, 10)
    window.counts = {("a", 1): 2}
    assert window.remaining("a", 15) == 1
    assert window.remaining("a", 5) == 3


def test_reset_at():
    window = FixedWindow(3, 10)
    assert [window.reset_at(t) for t in (0, 9, 10)] == [10, 10, 20]


def test_forget_before():
    window = FixedWindow(3, 10)
    window.counts = {("a", 0): 1, ("b", 1): 2, ("a", 2): 1}
    assert window.forget_before(29) == 2
    assert window.counts == {("a", 2): 1}


def test_sliding_hit_up_to_limit():
    window = SlidingWindow(2, 10)
    assert [window.hit(t) for t in (0, 4, 9, 10, 13)] == [True, True, False, True, False]


def test_sliding_expire_at_exact_age():
    window = SlidingWindow(5, 10)
    window.hits.extend([1, 2, 3])
    window.expire(12)
    assert list(window.hits) == [3]


def test_sliding_retry_after():
    window = SlidingWindow(2, 10)
    window.hits.extend([3, 5])
    assert window.retry_after(8) == 5
    assert window.retry_after(13) == 0


def test_count_between_excludes_the_end():
    assert count_between([1, 2, 2, 5, 8], 2, 5) == 2
    assert count_between([1, 2, 2, 5, 8], 0, 9) == 5
    assert count_between([], 0, 9) == 0


def test_busiest_span():
    assert busiest_span([1, 5, 6, 8, 20], 3) == (5, 3)
    assert busiest_span([1, 2, 9, 10], 1) == (1, 2)
    assert busiest_span([], 3) == (None, 0)


def test_weighted_rate():
    assert weighted_rate(8, 3, 15, 60) == 9.0
    assert weighted_rate(8, 3, 60, 60) == 3
    assert weighted_rate(8, 3, 0, 60) == 11


def test_weighted_rate_outside_window():
    with pytest.raises(ValueError):
        weighted_rate(1, 1, -1, 60)
    with pytest.raises(ValueError):
        weighted_rate(1, 1, 61, 60)
