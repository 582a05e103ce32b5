"""Tables of text cells and lists in columns."""

from alignment import align


def column_widths(rows):
    """Width of the widest cell of each column; rows may be of unequal length."""
    count = max((len(row) for row in rows), default=0)
    return [max(len(row[i]) for row in rows if i < len(row)) for i in range(count)]


def pad_row(row, count, fill=""):
    """Bring a row to a number of cells, by filling or cutting."""
    return row[:count] + [fill] * (count - len(row))


def table(rows, aligns="", sep=" | "):
    """Lines of a table; aligns holds one of l, r, c per column, l if missing."""
    names = {"l": "left", "r": "right", "c": "center"}
    widths = column_widths(rows)
    lines = []
    for row in rows:
        cells = []
        for i, cell in enumerate(pad_row(row, len(widths))):
            code = aligns[i] if i < len(aligns) else "l"
            cells.append(align(cell, widths[i], names[code]))
        lines.append(sep.join(cells).rstrip())
    return lines


def rule(widths, sep="-+-"):
    return sep.join("-" * width for width in widths)


def with_header(rows, aligns=""):
    """A table whose first row stands above a rule."""
    lines = table(rows, aligns)
    return lines[:1] + [rule(column_widths(rows))] + lines[1:]


def columns(items, count):
    """Arrange items in columns, read downwards, as rows of the layout."""
    height = (len(items) + count - 1) // count
    return [items[row::height] for row in range(height)]


def transpose(rows, fill=""):
    count = max((len(row) for row in rows), default=0)
    return [[row[i] if i < len(row) else fill for row in rows] for i in range(count)]
