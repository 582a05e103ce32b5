"""A uniform grid of square cells."""

from __future__ import annotations

from spatial.boxes import Box, Point, squared_distance


class Grid:
    def __init__(self, cell_size: float) -> None:
        if cell_size <= 0:
            raise ValueError("cell size must be positive")
        self.cell_size = cell_size
        self.cells: dict[tuple[int, int], list[Point]] = {}

    def cell_of(self, point: Point) -> tuple[int, int]:
        return int(point[0] // self.cell_size), int(point[1] // self.cell_size)

    def insert(self, point: Point) -> None:
        self.cells.setdefault(self.cell_of(point), []).append(point)

    def remove(self, point: Point) -> bool:
        """Take out one copy of the point; empty cells disappear."""
        cell = self.cell_of(point)
        bucket = self.cells.get(cell, [])
        if point not in bucket:
            return False
        bucket.remove(point)
        if not bucket:
            del self.cells[cell]
        return True

    def __len__(self) -> int:
        return sum(len(bucket) for bucket in self.cells.values())

    def cells_in(self, box: Box) -> list[tuple[int, int]]:
        """Every cell that the box touches, row by row."""
        first_col, first_row = self.cell_of((box.left, box.bottom))
        last_col, last_row = self.cell_of((box.right, box.top))
        return [
            (col, row)
            for row in range(first_row, last_row + 1)
            for col in range(first_col, last_col + 1)]

    def in_box(self, box: Box) -> list[Point]:
        found: list[Point] = []
        for cell in self.cells_in(box):
            bucket = self.cells.get(cell, [])
            found.extend(point for point in bucket if box.contains(point))
        return sorted(found)

    def within(self, center: Point, radius: float) -> list[Point]:
        """Points at most `radius` away, nearest first."""
        x, y = center
        box = Box(x, y, x, y).grown(radius)
        near = [p for p in self.in_box(box) if squared_distance(p, center) <= radius * radius]
        return sorted(near, key=lambda point: squared_distance(point, center))

    def crowded(self, least: int = 2) -> list[tuple[int, int]]:
        """Cells that hold at least that many points, in order."""
        return sorted(cell for cell, bucket in self.cells.items() if len(bucket) >= least)
