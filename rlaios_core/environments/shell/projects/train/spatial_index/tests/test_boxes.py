import pytest

from spatial.boxes import Box, bounding_box, squared_distance

UNIT = Box(0, 0, 4, 2)


def test_box_must_not_be_inside_out():
    with pytest.raises(ValueError):
        Box(2, 0, 1, 5)
    with pytest.raises(ValueError):
        Box(0, 5, 1, 4)


def test_flat_box_is_allowed():
    assert Box(1, 3, 1, 3).area() == 0


def test_area_and_center():
    box = Box(1, 2, 5, 10)
    assert box.area() == 32
    assert box.center() == (3, 6)


def test_contains_edges():
    assert UNIT.contains((0, 0)) and UNIT.contains((4, 2))
    assert [UNIT.contains(p) for p in ((-1, 1), (5, 1), (1, -1), (1, 3))] == [False] * 4


def test_overlaps_touching_edges():
    assert UNIT.overlaps(Box(4, 0, 5, 1)) and UNIT.overlaps(Box(-3, 0, 0, 1))
    assert UNIT.overlaps(Box(1, 2, 2, 5)) and UNIT.overlaps(Box(1, -4, 2, 0))


def test_overlaps_apart():
    others = [Box(5, 0, 6, 1), Box(-2, 0, -1, 1), Box(0, 3, 1, 4), Box(0, -4, 1, -1)]
    assert [UNIT.overlaps(other) for other in others] == [False] * 4


def test_intersection():
    assert UNIT.intersection(Box(1, -1, 9, 1)) == Box(1, 0, 4, 1)
    assert UNIT.intersection(Box(-2, 1, 3, 5)) == Box(0, 1, 3, 2)
    assert UNIT.intersection(Box(5, 5, 6, 6)) is None


def test_union():
    assert UNIT.union(Box(-1, 1, 3, 7)) == Box(-1, 0, 4, 7)
    assert UNIT.union(Box(1, -5, 9, 1)) == Box(0, -5, 9, 2)


def test_grown():
    assert UNIT.grown() == Box(-1, -1, 5, 3)
    assert Box(1, 2, 3, 4).grown(0.5) == Box(0.5, 1.5, 3.5, 4.5)


def test_box_squared_distance():
    assert [UNIT.squared_distance(p) for p in ((1, 1), (7, 1), (-2, 1))] == [0, 9, 4]
    assert [UNIT.squared_distance(p) for p in ((1, 4), (1, -3), (7, 6))] == [4, 9, 25]


def test_quarters():
    assert UNIT.quarters() == [Box(0, 0, 2, 1), Box(2, 0, 4, 1), Box(0, 1, 2, 2), Box(2, 1, 4, 2)]


def test_bounding_box():
    assert bounding_box([(3, 1), (0, 5), (2, -4)]) == Box(0, -4, 3, 5)
    assert bounding_box(iter([])) is None


def test_squared_distance():
    assert squared_distance((1, 2), (4, 6)) == 25
    assert squared_distance((4, 6), (1, 7)) == 10
