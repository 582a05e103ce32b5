"""Tile keys: one digit from 0 to 3 for every zoom level."""

from __future__ import annotations

from spatial.boxes import Box, Point


def tile_key(point: Point, world: Box, depth: int) -> str:
    """Digits of the quarters that hold the point, coarse to fine."""
    if not world.contains(point):
        raise ValueError("point lies outside the world")
    key = ""
    for _ in range(depth):
        x, y = world.center()
        digit = (1 if point[0] >= x else 0) + (2 if point[1] >= y else 0)
        key += str(digit)
        world = world.quarters()[digit]
    return key


def key_box(key: str, world: Box) -> Box:
    for digit in key:
        world = world.quarters()[int(digit)]
    return world


def common_key(first: str, second: str) -> str:
    """Longest shared beginning."""
    length = 0
    for a, b in zip(first, second):
        if a != b:
            break
        length += 1
    return first[:length]


def parents(key: str) -> list[str]:
    """Keys of all coarser tiles, nearest first; the world is ''."""
    return [key[:size] for size in range(len(key) - 1, -1, -1)]


def siblings(key: str) -> list[str]:
    """The other three tiles of the same parent."""
    if not key:
        return []
    return [key[:-1] + digit for digit in "0123" if digit != key[-1]]
