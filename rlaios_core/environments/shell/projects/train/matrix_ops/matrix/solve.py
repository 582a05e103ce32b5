"""Exact elimination with fractions."""

from fractions import Fraction

from matrix.build import hstack, identity, minor


def swap_rows(m, first, second):
    """A copy with two rows exchanged."""
    result = [row[:] for row in m]
    result[first], result[second] = result[second], result[first]
    return result


def find_pivot(m, col, start):
    """Row, from `start` on, with the largest absolute value in a column, or None."""
    best = None
    for row in range(start, len(m)):
        if m[row][col] == 0:
            continue
        if best is None or abs(m[row][col]) > abs(m[best][col]):
            best = row
    return best


def reduce_rows(m):
    """Reduced row echelon form and the list of pivot columns."""
    work = [[Fraction(value) for value in row] for row in m]
    pivots = []
    top = 0
    for col in range(len(m[0])):
        pivot = find_pivot(work, col, top)
        if pivot is None:
            continue
        work = swap_rows(work, top, pivot)
        lead = work[top][col]
        work[top] = [value / lead for value in work[top]]
        for row in range(len(work)):
            if row != top:
                factor = work[row][col]
                work[row] = [x - factor * y for x, y in zip(work[row], work[top])]
        pivots.append(col)
        top += 1
    return work, pivots


def rank(m):
    return len(reduce_rows(m)[1])


def determinant(m):
    """Expansion along the first row."""
    if not m:
        return 1
    total = 0
    for col, value in enumerate(m[0]):
        sign = 1 if col % 2 == 0 else -1
        total += sign * value * determinant(minor(m, 0, col))
    return total


def solve(m, target):
    """The x with m * x == target; ValueError if there is not exactly one."""
    size = len(m)
    reduced, pivots = reduce_rows(hstack(m, [[value] for value in target]))
    if pivots != list(range(size)):
        raise ValueError("no unique solution")
    return [row[size] for row in reduced]


def inverse(m):
    size = len(m)
    if determinant(m) == 0:
        raise ValueError("singular matrix")
    reduced, _ = reduce_rows(hstack(m, identity(size)))
    return [row[size:] for row in reduced]
