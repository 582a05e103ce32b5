"""A k-d tree made of nested nodes; None is the empty tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Optional

from spatial.boxes import Box, Point, squared_distance


@dataclass(frozen=True)
class Node:
    point: Point
    axis: int
    low: Optional[Node] = None
    high: Optional[Node] = None


def build(points: list[Point], axis: int = 0) -> Optional[Node]:
    """The middle point by the axis becomes the node."""
    if not points:
        return None
    ordered = sorted(points, key=lambda point: (point[axis], point))
    middle = len(ordered) // 2
    return Node(
        ordered[middle], axis,
        build(ordered[:middle], 1 - axis),
        build(ordered[middle + 1:], 1 - axis))


def height(node: Optional[Node]) -> int:
    if node is None:
        return 0
    return 1 + max(height(node.low), height(node.high))


def walk(node: Optional[Node]) -> Iterator[Point]:
    """Low branch, node, high branch."""
    if node is None:
        return
    yield from walk(node.low)
    yield node.point
    yield from walk(node.high)


def search_box(node: Optional[Node], box: Box) -> list[Point]:
    if node is None:
        return []
    lower, upper = ((box.left, box.right), (box.bottom, box.top))[node.axis]
    value = node.point[node.axis]
    found = [node.point] if box.contains(node.point) else []
    if lower <= value:
        found += search_box(node.low, box)
    if value <= upper:
        found += search_box(node.high, box)
    return found


def nearest(node: Optional[Node], target: Point, best: Optional[Point] = None) -> Optional[Point]:
    """Point closest to the target."""
    if node is None:
        return best
    if best is None or squared_distance(node.point, target) < squared_distance(best, target):
        best = node.point
    offset = target[node.axis] - node.point[node.axis]
    near, far = (node.low, node.high) if offset < 0 else (node.high, node.low)
    best = nearest(near, target, best)
    if offset * offset < squared_distance(best, target):
        best = nearest(far, target, best)
    return best
