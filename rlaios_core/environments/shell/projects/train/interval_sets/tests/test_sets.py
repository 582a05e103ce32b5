import pytest

from intervals.algebra import (
    complement, difference, gaps, intersection, normalize, symmetric_difference, union,
)
from intervals.query import (
    depth, find, first_fit, longest, nearest, parse, render, span, total_length,
)


def test_normalize():
    assert normalize([(6, 8), (1, 3), (2, 5)]) == [(1, 5), (6, 8)]
    assert normalize([(1, 3), (3, 4)]) == [(1, 4)]
    assert normalize([(1, 9), (2, 4)]) == [(1, 9)]


def test_normalize_drops_empty():
    assert normalize([(2, 2)]) == []
    assert normalize([(1, 2), (5, 5)]) == [(1, 2)]


def test_union():
    assert union([(1, 2), (8, 9)], [(2, 4)]) == [(1, 4), (8, 9)]


def test_intersection_of_lists():
    assert intersection([(0, 5), (8, 12)], [(3, 9), (11, 20)]) == [(3, 5), (8, 9), (11, 12)]


def test_intersection_touching_is_empty():
    assert intersection([(0, 3)], [(3, 6)]) == []
    assert intersection([(0, 3)], []) == []


def test_complement_inside():
    assert complement([(2, 3), (5, 7)], 0, 9) == [(0, 2), (3, 5), (7, 9)]


def test_complement_at_the_limits():
    assert complement([(0, 2), (6, 9)], 0, 9) == [(2, 6)]
    assert complement([], 1, 4) == [(1, 4)]


def test_complement_ignores_what_lies_behind():
    assert complement([(4, 6), (9, 12)], 5, 8) == [(6, 8)]
    assert complement([(1, 2), (10, 12)], 4, 8) == [(4, 8)]


def test_difference_cuts_holes():
    assert difference([(0, 10)], [(2, 4), (6, 7)]) == [(0, 2), (4, 6), (7, 10)]
    assert difference([(0, 3), (5, 8)], [(2, 6)]) == [(0, 2), (6, 8)]


def test_symmetric_difference():
    assert symmetric_difference([(0, 5)], [(3, 8)]) == [(0, 3), (5, 8)]
    assert symmetric_difference([(0, 2)], [(2, 4)]) == [(0, 4)]


def test_gaps_between_neighbours():
    assert gaps([(0, 2), (5, 6), (9, 10)]) == [(2, 5), (6, 9)]
    assert gaps([(0, 2)]) == []


def test_total_length():
    assert total_length([(0, 2), (5, 9)]) == 6
    assert total_length([]) == 0


def test_find_index():
    assert find([(0, 2), (5, 9)], 0) == 0
    assert find([(0, 2), (5, 9)], 5) == 1


def test_find_nothing():
    assert find([(0, 2), (5, 9)], 2) == -1
    assert find([(3, 5), (8, 9)], 1) == -1
    assert find([], 1) == -1


def test_span():
    assert span([(4, 6), (1, 9), (3, 5)]) == (1, 9)
    assert span([]) is None


def test_longest_first_wins():
    assert longest([(0, 2), (4, 8), (10, 14)]) == (4, 8)
    assert longest([], default=(0, 0)) == (0, 0)


def test_depth_counts_covering():
    assert depth([(0, 5), (1, 3), (2, 6)]) == 3
    assert depth([(0, 2), (2, 4)]) == 1


def test_first_fit_exact_hole():
    assert first_fit([(0, 2), (5, 9)], 3) == 2
    assert first_fit([(0, 2), (5, 9)], 4) == 9


def test_first_fit_start():
    assert first_fit([(4, 6)], 2) == 0
    assert first_fit([(2, 6), (9, 10)], 2, lo=4) == 6


def test_nearest_holding_or_next():
    assert nearest([(0, 3), (6, 9)], 2) == (0, 3)
    assert nearest([(0, 3), (6, 9)], 4) == (0, 3)
    assert nearest([(0, 3), (7, 9)], 5) == (7, 9)


def test_nearest():
    assert nearest([(7, 9), (0, 4)], 5) == (7, 9)
    with pytest.raises(ValueError, match="no intervals"):
        nearest([], 1)
    assert nearest([(4, 9), (0, 3), (2, 6)], 2) == (0, 3)


def test_parse():
    assert parse("1-4, 7,9-12") == [(1, 5), (7, 8), (9, 13)]
    assert parse(" , 3 ,") == [(3, 4)]


def test_render():
    assert render([(1, 5), (7, 8), (9, 11)]) == "1-4, 7, 9-10"
    assert render([]) == ""
