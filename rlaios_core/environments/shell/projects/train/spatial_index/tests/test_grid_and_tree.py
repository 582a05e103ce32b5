import pytest

from spatial.boxes import Box
from spatial.grid import Grid
from spatial.kdtree import Node, build, height, nearest, search_box, walk


def filled(*points):
    grid = Grid(10)
    for point in points:
        grid.cells.setdefault((point[0] // 10, point[1] // 10), []).append(point)
    return grid


def test_grid_needs_positive_size():
    with pytest.raises(ValueError):
        Grid(0)


def test_cell_of():
    grid = Grid(10)
    assert [grid.cell_of(p) for p in ((0, 9.5), (10, 25), (-1, -10))] == [(0, 0), (1, 2), (-1, -1)]


def test_insert():
    grid = Grid(10)
    grid.insert((12, 3))
    grid.insert((19, 4))
    assert grid.cells == {(1, 0): [(12, 3), (19, 4)]}


def test_remove_keeps_other_points():
    grid = filled((1, 1), (2, 2))
    assert grid.remove((1, 1)) is True
    assert grid.cells == {(0, 0): [(2, 2)]}


def test_remove_last_point_and_missing_point():
    grid = filled((1, 1))
    assert grid.remove((3, 3)) is False
    assert grid.remove((1, 1)) is True
    assert grid.cells == {}


def test_grid_len():
    assert len(Grid(1)) == 0
    assert len(filled((1, 1), (2, 2), (50, 9))) == 3


def test_cells_in():
    assert Grid(10).cells_in(Box(5, 0, 10, 19)) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert Grid(10).cells_in(Box(3, 33, 4, 34)) == [(0, 3)]


def test_grid_in_box():
    grid = filled((25, 5), (1, 1), (11, 8), (14, 2), (11, 30))
    assert grid.in_box(Box(1, 1, 24, 8)) == [(1, 1), (11, 8), (14, 2)]


def test_grid_within_is_sorted_by_distance():
    grid = filled((1, 0), (5, 0), (12, 0), (3, 4), (4, 4))
    assert grid.within((0, 0), 5) == [(1, 0), (3, 4), (5, 0)]
    assert grid.within((9, 0), 3) == [(12, 0)]


def test_grid_crowded():
    grid = filled((31, 1), (32, 1), (1, 1), (2, 1), (3, 1), (50, 50))
    assert grid.crowded() == [(0, 0), (3, 0)]
    assert grid.crowded(3) == [(0, 0)]


def test_build_small_trees():
    assert build([]) is None
    assert build([(2, 3)]) == Node((2, 3), 0)
    assert build([(5, 1), (2, 9), (8, 4)]) == Node((5, 1), 0, Node((2, 9), 1), Node((8, 4), 1))


def test_build_with_two_points_by_second_axis():
    assert build([(1, 9), (2, 3)], 1) == Node((1, 9), 1, Node((2, 3), 0))


def test_height():
    assert height(None) == 0
    assert height(Node((0, 0), 0, None, Node((1, 1), 1))) == 2
    assert height(Node((0, 0), 0, Node((1, 1), 1), None)) == 2


def test_walk_order():
    tree = Node((5, 5), 0, Node((1, 1), 1), Node((9, 9), 1, Node((8, 2), 0)))
    assert list(walk(tree)) == [(1, 1), (5, 5), (8, 2), (9, 9)]


def test_search_box_of_leaf():
    assert search_box(Node((3, 3), 0), Box(3, 3, 4, 4)) == [(3, 3)]
    assert search_box(Node((3, 3), 0), Box(4, 3, 5, 4)) == []


def test_search_box_skips_branches():
    tree = Node((5, 5), 0, Node((7, 1), 1), Node((2, 9), 1))
    assert search_box(tree, Box(6, 0, 9, 9)) == []
    assert search_box(tree, Box(0, 0, 4, 9)) == []


def test_search_box_reaches_equal_coordinates():
    tree = Node((5, 5), 1, Node((1, 5), 0), Node((9, 5), 0))
    assert sorted(search_box(tree, Box(0, 5, 9, 8))) == [(1, 5), (5, 5), (9, 5)]
    assert sorted(search_box(tree, Box(0, 2, 9, 5))) == [(1, 5), (5, 5), (9, 5)]


def test_nearest_of_empty_tree_and_leaf():
    assert nearest(None, (1, 1)) is None
    assert nearest(Node((4, 4), 0), (9, 9)) == (4, 4)
    assert nearest(Node((4, 4), 0), (0, 0), best=(1, 0)) == (1, 0)


def test_nearest_crosses_the_border():
    tree = Node((5, 50), 0, Node((4, 1), 1), Node((20, 1), 1))
    assert nearest(tree, (6, 1)) == (4, 1)
    assert nearest(tree, (19, 0)) == (20, 1)


def test_nearest_looks_on_the_near_side_only():
    tree = Node((5, 6), 0, Node((5, 4), 1), Node((4, 6), 1))
    assert nearest(tree, (3, 6)) == (5, 6)


def test_nearest_first_of_equal_points():
    tree = Node((0, 0), 0, None, Node((2, 0), 1))
    assert nearest(tree, (1, 0)) == (0, 0)
    tree = Node((5, 50), 0, Node((4, 1), 1), Node((6, 1), 1))
    assert nearest(tree, (5, 1)) == (6, 1)
