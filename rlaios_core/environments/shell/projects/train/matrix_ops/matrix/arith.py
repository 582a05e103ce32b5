"""Sums, products and powers."""

from matrix.build import column, identity, shape, zeros


def add(a, b):
    if shape(a) != shape(b):
        raise ValueError("shapes differ")
    return [[x + y for x, y in zip(row_a, row_b)] for row_a, row_b in zip(a, b)]


def scale(m, factor):
    return [[factor * value for value in row] for row in m]


def dot(u, v):
    if len(u) != len(v):
        raise ValueError("lengths differ")
    total = 0
    for x, y in zip(u, v):
        total += x * y
    return total


def transpose(m):
    rows, cols = shape(m)
    result = zeros(cols, rows)
    for i in range(rows):
        for j in range(cols):
            result[j][i] = m[i][j]
    return result


def multiply(a, b):
    """Matrix product."""
    rows = shape(a)[0]
    cols = shape(b)[1]
    result = zeros(rows, cols)
    for i in range(rows):
        for j in range(cols):
            result[i][j] = dot(a[i], column(b, j))
    return result


def power(m, exponent):
    """Repeated product; the power 0 is the identity."""
    if exponent < 0:
        raise ValueError("negative exponent")
    result = identity(len(m))
    for _ in range(exponent):
        result = multiply(result, m)
    return result


def trace(m):
    total = 0
    for i in range(min(shape(m))):
        total += m[i][i]
    return total


def row_norm(m):
    """Largest sum of absolute values in a row."""
    return max((sum(abs(value) for value in row) for row in m), default=0)
