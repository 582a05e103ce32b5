"""Aligning single lines and framing blocks of lines."""


def center(line, width, fill=" "):
    """Center a line; an odd spare character goes to the right."""
    spare = max(width - len(line), 0)
    left = spare // 2
    right = spare - left
    return fill * left + line + fill * right


def justify(line, width):
    """Spread the words of a line over the width, wider gaps on the left."""
    words = line.split()
    if len(words) < 2:
        return line.strip()
    gap_count = len(words) - 1
    spaces = width - sum(len(word) for word in words)
    base, extra = divmod(max(spaces, gap_count), gap_count)
    result = words[0]
    for i, word in enumerate(words[1:]):
        result += " " * (base + 1 if i < extra else base) + word
    return result


def align(line, width, how="left"):
    if how == "left":
        return line.ljust(width)
    if how == "right":
        return line.rjust(width)
    if how == "center":
        return center(line, width)
    raise ValueError(f"unknown alignment {how!r}")


def widest(lines):
    return max((len(line) for line in lines), default=0)


def frame(lines, padding=1):
    """Draw a box of plain characters around lines."""
    inner = widest(lines)
    border = "+" + "-" * (inner + 2 * padding) + "+"
    side = " " * padding
    return [border] + ["|" + side + line.ljust(inner) + side + "|" for line in lines] + [border]


def side_by_side(left, right, gap=2):
    """Put two blocks next to each other, trailing blanks removed."""
    height = max(len(left), len(right))
    column = widest(left) + gap
    result = []
    for row in range(height):
        first = left[row] if row < len(left) else ""
        second = right[row] if row < len(right) else ""
        result.append((first.ljust(column) + second).rstrip())
    return result


def underline(title, char="="):
    return [title, char * len(title)]
