"""Making matrices and taking parts of them."""


def zeros(rows, cols):
    return [[0] * cols for _ in range(rows)]


def identity(size):
    result = zeros(size, size)
    for i in range(size):
        result[i][i] = 1
    return result


def shape(m):
    """(rows, columns); raises ValueError if the rows differ in length."""
    if not m:
        return (0, 0)
    cols = len(m[0])
    for row in m:
        if len(row) != cols:
            raise ValueError("ragged rows")
    return (len(m), cols)


def from_flat(values, cols):
    """Cut a flat list into rows of `cols` values."""
    if len(values) % cols != 0:
        raise ValueError("values do not fill the rows")
    return [values[i:i + cols] for i in range(0, len(values), cols)]


def column(m, index):
    return [row[index] for row in m]


def submatrix(m, top, left, height, width):
    """Part of a matrix; what would lie outside is left out."""
    return [row[left:left + width] for row in m[top:top + height]]


def minor(m, row, col):
    """The matrix without one row and one column."""
    return [r[:col] + r[col + 1:] for i, r in enumerate(m) if i != row]


def hstack(a, b):
    if len(a) != len(b):
        raise ValueError("different number of rows")
    return [left + right for left, right in zip(a, b)]


def diagonal(m, offset=0):
    """Values along a diagonal; a positive offset lies above the main one."""
    result = []
    for i in range(len(m)):
        j = i + offset
        if 0 <= j < len(m[i]):
            result.append(m[i][j])
    return result


def is_symmetric(m):
    for i in range(len(m)):
        for j in range(i):
            if m[i][j] != m[j][i]:
                return False
    return True
