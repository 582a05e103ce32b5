import pytest

from spatial.boxes import Box, bounding_box, squared_distance
from spatial.grid import Grid
from spatial.kdtree import build, height, nearest, search_box, walk
from spatial.tiles import common_key, key_box, parents, siblings, tile_key

POINTS = [(x * 7 % 23, x * 11 % 19) for x in range(1, 16)]
BOXES = [Box(0, 0, 22, 18), Box(5, 3, 12, 11), Box(7, 7, 7, 18), Box(20, 0, 22, 2), Box(-5, -5, -1, -1)]


def grid_of(points, size=4):
    grid = Grid(size)
    for point in points:
        grid.insert(point)
    return grid


def test_box_queries_agree():
    grid, tree = grid_of(POINTS), build(POINTS)
    for box in BOXES:
        expected = sorted(p for p in POINTS if box.contains(p))
        assert grid.in_box(box) == expected
        assert sorted(search_box(tree, box)) == expected


def test_nearest_agrees_with_scan():
    tree = build(POINTS)
    for target in ((0, 0), (11, 9), (22, 1), (-4, 30), (7.5, 7.5)):
        best = min(squared_distance(p, target) for p in POINTS)
        assert squared_distance(nearest(tree, target), target) == best


def test_radius_query_agrees_with_scan():
    grid = grid_of(POINTS)
    found = grid.within((10, 10), 6)
    assert sorted(found) == sorted(p for p in POINTS if squared_distance(p, (10, 10)) <= 36)
    distances = [squared_distance(p, (10, 10)) for p in found]
    assert distances == sorted(distances)


def test_tree_shape():
    tree = build(POINTS)
    assert height(tree) == 4
    assert sorted(walk(tree)) == sorted(POINTS)
    assert tree.point == sorted(POINTS)[7]


def test_tree_with_equal_points():
    tree = build([(1, 1)] * 3)
    assert list(walk(tree)) == [(1, 1)] * 3
    assert height(tree) == 2
    assert nearest(tree, (9, 9)) == (1, 1)
    assert search_box(tree, Box(1, 1, 1, 1)) == [(1, 1)] * 3


def test_grid_insert_remove_round_trip():
    grid = grid_of(POINTS)
    assert len(grid) == 15
    assert all(grid.remove(p) for p in POINTS)
    assert (len(grid), grid.cells) == (0, {})
    assert grid.remove(POINTS[0]) is False


def test_grid_with_fractions():
    grid = grid_of([(0.4, 0.4), (0.5, 0.9), (-0.1, 0)], 0.5)
    assert sorted(grid.cells) == [(-1, 0), (0, 0), (1, 1)]
    with pytest.raises(ValueError):
        Grid(-2)


def test_grid_cells():
    assert Grid(2).cells_in(Box(-1, 0, 1, 1)) == [(-1, 0), (0, 0)]
    assert grid_of([(1, 1), (1, 2), (9, 9)]).crowded(1) == [(0, 0), (2, 2)]
    assert grid_of([(1, 1), (1, 2), (9, 9)]).crowded() == [(0, 0)]


def test_box_algebra():
    for one in BOXES:
        for two in BOXES:
            union, shared = one.union(two), one.intersection(two)
            assert union == two.union(one)
            assert shared == two.intersection(one)
            assert (shared is not None) == one.overlaps(two)
            assert union.intersection(one) == one


def test_box_numbers():
    box = Box(-3, -1, 1, 5)
    assert (box.area(), box.center()) == (24, (-1, 2))
    assert sum(quarter.area() for quarter in box.quarters()) == box.area()
    assert box.grown(2) == Box(-5, -3, 3, 7)
    assert box.grown().area() == 48
    with pytest.raises(ValueError):
        box.grown(-2.5)


def test_box_distance():
    box = Box(-3, -1, 1, 5)
    assert [box.squared_distance(p) for p in ((-3, 5), (2, 7), (-5, -2), (0, 9))] == [0, 5, 5, 16]


def test_bounding_box():
    assert bounding_box(POINTS) == Box(1, 1, 22, 18)
    assert bounding_box([(2, 2)]) == Box(2, 2, 2, 2)
    assert bounding_box([]) is None


def test_tile_keys_and_boxes_agree():
    world = Box(-16, -16, 16, 16)
    for point in ((0, 0), (-16, 16), (5.5, -3), (16, 1)):
        key = tile_key(point, world, 4)
        assert len(key) == 4
        assert key_box(key, world).contains(point)
        assert key_box(key, world).area() == 4
        assert parents(key)[0] == tile_key(point, world, 3)


def test_tile_key_families():
    assert parents("") == []
    assert parents("0") == [""]
    assert siblings("3") == ["0", "1", "2"]
    assert all(common_key(other, "301") == "30" for other in siblings("301"))
    assert common_key("", "1") == ""
    with pytest.raises(ValueError):
        tile_key((0, -0.5), Box(0, 0, 1, 1), 1)
