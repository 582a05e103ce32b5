"""Axis-parallel boxes; edges belong to the box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Optional, Tuple

Point = Tuple[float, float]


@dataclass(frozen=True)
class Box:
    left: float
    bottom: float
    right: float
    top: float

    def __post_init__(self) -> None:
        if self.left > self.right or self.bottom > self.top:
            raise ValueError("box is inside out")

    def area(self) -> float:
        return (self.right - self.left) * (self.top - self.bottom)

    def center(self) -> Point:
        return ((self.left + self.right) / 2, (self.bottom + self.top) / 2)

    def contains(self, point: Point) -> bool:
        x, y = point
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def overlaps(self, other: Box) -> bool:
        apart_x = other.left > self.right or other.right < self.left
        apart_y = other.bottom > self.top or other.top < self.bottom
        return not apart_x and not apart_y

    def intersection(self, other: Box) -> Optional[Box]:
        if not self.overlaps(other):
            return None
        return Box(
            max(self.left, other.left), max(self.bottom, other.bottom),
            min(self.right, other.right), min(self.top, other.top))

    def union(self, other: Box) -> Box:
        return Box(
            min(self.left, other.left), min(self.bottom, other.bottom),
            max(self.right, other.right), max(self.top, other.top))

    def grown(self, margin: float = 1) -> Box:
        return Box(self.left - margin, self.bottom - margin, self.right + margin, self.top + margin)

    def squared_distance(self, point: Point) -> float:
        """Squared distance of a point to the box, 0 inside."""
        dx = max(self.left - point[0], 0, point[0] - self.right)
        dy = max(self.bottom - point[1], 0, point[1] - self.top)
        return dx * dx + dy * dy

    def quarters(self) -> list[Box]:
        """Lower left, lower right, upper left and upper right quarter."""
        x, y = self.center()
        return [
            Box(self.left, self.bottom, x, y), Box(x, self.bottom, self.right, y),
            Box(self.left, y, x, self.top), Box(x, y, self.right, self.top)]


def bounding_box(points: Iterable[Point]) -> Optional[Box]:
    points = list(points)
    if not points:
        return None
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys))


def squared_distance(first: Point, second: Point) -> float:
    return (first[0] - second[0]) ** 2 + (first[1] - second[1]) ** 2
