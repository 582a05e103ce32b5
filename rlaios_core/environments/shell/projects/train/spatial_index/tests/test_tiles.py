import pytest

from spatial.boxes import Box
from spatial.tiles import common_key, key_box, parents, siblings, tile_key

WORLD = Box(0, 0, 8, 8)


def test_tile_key_quarters():
    assert [tile_key(p, WORLD, 1) for p in ((3, 3), (4, 3), (3, 4), (4, 4))] == ["0", "1", "2", "3"]


def test_tile_key_depth():
    assert tile_key((5, 1), WORLD, 3) == "103"
    assert tile_key((5, 1), WORLD, 0) == ""


def test_tile_key_outside():
    with pytest.raises(ValueError):
        tile_key((9, 1), WORLD, 2)


def test_key_box():
    assert key_box("", WORLD) == WORLD
    assert key_box("21", WORLD) == Box(2, 4, 4, 6)


def test_common_key():
    assert common_key("0123", "0132") == "01"
    assert common_key("3", "012") == ""
    assert common_key("12", "123") == "12"


def test_parents_and_siblings():
    assert parents("123") == ["12", "1", ""]
    assert siblings("12") == ["10", "11", "13"]
    assert siblings("") == []
