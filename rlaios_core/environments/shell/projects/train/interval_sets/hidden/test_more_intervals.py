import pytest

from intervals.algebra import (
    complement, difference, gaps, intersection, normalize, symmetric_difference, union,
)
from intervals.core import (
    chunks, clamp, contains, covers, distance, grow, intersect, length, make,
    overlaps, split_at, touches,
)
from intervals.query import (
    depth, find, first_fit, longest, nearest, parse, render, span, total_length,
)

A = [(-6, -2), (0, 4), (10, 15)]
B = [(-3, 1), (4, 11), (20, 22)]


def points(intervals):
    return {p for start, end in intervals for p in range(start, end)}


def test_make_and_length():
    assert length(make(-8, 3)) == 11
    with pytest.raises(ValueError):
        make(0, -1)
    assert make(-2, -2) == (-2, -2) and length((-2, -2)) == 0


def test_contains_matches_range():
    assert [p for p in range(-5, 5) if contains((-2, 3), p)] == list(range(-2, 3))


def test_pair_relations_agree_with_points():
    for a in [(0, 3), (2, 4), (3, 6), (5, 6)]:
        for b in [(1, 3), (0, 6), (4, 5), (3, 5)]:
            pa, pb = points([a]), points([b])
            assert overlaps(a, b) == bool(pa & pb)
            assert covers(a, b) == (pb <= pa)
            assert points([intersect(a, b) or (0, 0)]) == pa & pb


def test_touches_and_distance():
    assert touches((-4, -1), (-1, 7)) and not touches((-4, -1), (0, 7))
    assert distance((-9, -4), (2, 3)) == 6
    assert distance((10, 12), (3, 10)) == 0
    assert distance((3, 10), (10, 12)) == 0
    assert distance((-1, 2), (-9, -4)) == 3
    assert touches((0, 7), (-4, 0)) and not touches((1, 7), (-4, 0))


def test_grow_then_shrink():
    assert grow(grow((10, 14), 3), -3) == (10, 14)
    assert grow((10, 13), -2) is None
    assert grow((10, 15), -2) == (12, 13)


def test_clamp_limits():
    assert clamp((-2, 3), 1, 9) == (1, 3)
    assert clamp((5, 30), 1, 9) == (5, 9)
    assert clamp((40, 50), 1, 9) == (9, 9)


def test_split_and_chunks_keep_points():
    assert split_at((-3, 3), 0) == [(-3, 0), (0, 3)]
    assert split_at((-3, 3), 8) == [(-3, 3)]
    assert split_at((-3, 3), -8) == [(-3, 3)]
    assert chunks((-3, 5), 4) == [(-3, 1), (1, 5)]
    with pytest.raises(ValueError):
        chunks((0, 1), -2)


def test_set_algebra_agrees_with_point_sets():
    pa, pb = points(A), points(B)
    assert points(union(A, B)) == pa | pb
    assert points(intersection(A, B)) == pa & pb
    assert points(difference(A, B)) == pa - pb
    assert points(symmetric_difference(A, B)) == pa ^ pb
    assert intersection([], B) == [] and intersection(A, []) == []
    assert intersection([(0, 9)], [(1, 3)]) == [(1, 3)]
    assert intersection([(1, 3)], [(0, 9)]) == [(1, 3)]


def test_results_are_normal():
    for result in (union(A, B), intersection(A, B), difference(B, A), symmetric_difference(A, B)):
        assert normalize(result) == result


def test_normalize_values():
    assert normalize([(9, 9), (4, 6), (-1, 4), (8, 8)]) == [(-1, 6)]
    assert normalize([(0, 20), (3, 5), (20, 21)]) == [(0, 21)]


def test_complement_of_complement():
    assert complement(complement(A, -10, 20), -10, 20) == A
    assert complement(A, 0, 4) == []


def test_gaps_fill_the_span():
    assert gaps(A) == [(-2, 0), (4, 10)]
    assert total_length(A) + total_length(gaps(A)) == length(span(A))


def test_find_every_point():
    for p in range(-8, 18):
        expected = [i for i, iv in enumerate(A) if contains(iv, p)] or [-1]
        assert find(A, p) == expected[0]
        assert find([], p) == -1


def test_longest_and_depth():
    assert longest(A) == (10, 15)
    assert longest([]) is None
    assert depth(A + B + [(-3, 30)]) == 3
    assert depth([]) == 0


def test_first_fit_values():
    assert first_fit(A, 2, lo=-6) == -2
    assert first_fit(A, 6, lo=-6) == 4
    assert first_fit(A, 7, lo=-6) == 15
    assert first_fit([], 3) == 0


def test_nearest_values():
    assert nearest(A, 6) == (0, 4)
    assert nearest(A, 8) == (10, 15)
    assert nearest(A, 14) == (10, 15)


def test_parse_and_render_round_trip():
    assert parse("20-29,31") == [(20, 30), (31, 32)]
    assert parse("") == []
    assert parse(render([(0, 6), (8, 9), (12, 14)])) == [(0, 6), (8, 9), (12, 14)]
