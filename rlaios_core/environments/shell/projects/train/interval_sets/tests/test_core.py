import pytest

from intervals.core import (
    chunks, clamp, contains, covers, distance, grow, intersect, length, make,
    overlaps, split_at, touches,
)


def test_make():
    assert make(2, 5) == (2, 5)
    assert make(3, 3) == (3, 3)
    with pytest.raises(ValueError):
        make(5, 4)


def test_length():
    assert length((2, 7)) == 5
    assert length((-3, -3)) == 0


def test_contains_start_but_not_end():
    assert contains((2, 5), 2) is True
    assert contains((2, 5), 4) is True
    assert contains((2, 5), 5) is False


def test_contains_not_before_start():
    assert contains((2, 5), 1) is False


def test_covers_equal_and_inner():
    assert covers((1, 6), (1, 6)) is True
    assert covers((1, 6), (2, 5)) is True


def test_covers_fails_on_either_side():
    assert covers((1, 6), (0, 5)) is False
    assert covers((1, 6), (2, 7)) is False


def test_overlaps_needs_a_shared_point():
    assert overlaps((1, 4), (3, 6)) is True
    assert overlaps((1, 3), (3, 6)) is False
    assert overlaps((3, 6), (1, 3)) is False


def test_touches_in_both_orders():
    assert touches((1, 3), (3, 6)) is True
    assert touches((3, 6), (1, 3)) is True
    assert touches((1, 4), (3, 6)) is False


def test_intersect():
    assert intersect((1, 5), (3, 9)) == (3, 5)
    assert intersect((0, 9), (4, 5)) == (4, 5)
    assert intersect((1, 3), (3, 5)) is None


def test_distance_apart():
    assert distance((1, 3), (7, 9)) == 4
    assert distance((7, 9), (1, 3)) == 4


def test_distance_zero_when_near():
    assert distance((1, 3), (3, 9)) == 0
    assert distance((1, 5), (3, 9)) == 0


def test_grow():
    assert grow((3, 6), 2) == (1, 8)
    assert grow((3, 6), -1) == (4, 5)
    assert grow((3, 7), -2) is None


def test_clamp_cuts_both_sides():
    assert clamp((-4, 20), 0, 10) == (0, 10)
    assert clamp((2, 5), 0, 10) == (2, 5)


def test_clamp_outside_becomes_empty():
    assert clamp((15, 20), 0, 10) == (10, 10)
    assert clamp((-9, -5), 0, 10) == (0, 0)


def test_split():
    assert split_at((2, 6), 3) == [(2, 3), (3, 6)]
    assert split_at((2, 6), 2) == [(2, 6)]
    assert split_at((2, 6), 6) == [(2, 6)]


def test_chunks():
    assert chunks((1, 8), 3) == [(1, 4), (4, 7), (7, 8)]
    assert chunks((4, 6), 1) == [(4, 5), (5, 6)]
    with pytest.raises(ValueError, match="positive"):
        chunks((0, 4), 0)
