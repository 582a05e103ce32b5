"""Walking and turning matrices seen as grids."""


def rotate(m):
    """Quarter turn clockwise."""
    return [list(row) for row in zip(*m[::-1])]


def flip(m, vertical=False):
    """Mirror left to right, or top to bottom."""
    if vertical:
        return m[::-1]
    return [row[::-1] for row in m]


def border(m):
    """Values on the rim, clockwise from the top left corner; at least 2 by 2."""
    top = m[0][:-1]
    right = [row[-1] for row in m[:-1]]
    bottom = m[-1][:0:-1]
    left = [row[0] for row in m[:0:-1]]
    return top + right + bottom + left


def neighbors(m, row, col):
    """Values above, left, right and below that lie inside the grid."""
    found = []
    for r, c in [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]:
        if 0 <= r < len(m) and 0 <= c < len(m[0]):
            found.append(m[r][c])
    return found


def peaks(m):
    """Positions whose value is greater than all neighbors."""
    result = []
    for row in range(len(m)):
        for col in range(len(m[row])):
            if m[row][col] > max(neighbors(m, row, col)):
                result.append((row, col))
    return result


def window_sums(m, size):
    """Sum of each square window of the given size."""
    rows = len(m) - size + 1
    cols = len(m[0]) - size + 1
    return [
        [sum(sum(m[r][left:left + size]) for r in range(top, top + size)) for left in range(cols)]
        for top in range(rows)
    ]


def roll(m, shift):
    """Move every row down by `shift`, those that fall out come back on top."""
    cut = len(m) - shift % len(m)
    return m[cut:] + m[:cut]
