"""Note values as whole ticks."""

from functools import reduce

QUARTER = 48
LETTERS = {"w": 4 * QUARTER, "h": 2 * QUARTER, "q": QUARTER, "e": QUARTER // 2, "s": QUARTER // 4}


def dotted(ticks, dots):
    """Each dot adds half of what the one before it added."""
    total, extra = ticks, ticks
    for _ in range(dots):
        if extra % 2 == 1:
            raise ValueError("too many dots")
        extra //= 2
        total += extra
    return total


def value(symbol):
    """Ticks of one value such as 'q', 'h.', 'e3' (one of a triplet) or 'w..'."""
    if not symbol or symbol[0] not in LETTERS:
        raise ValueError(f"unknown note value: {symbol!r}")
    ticks = LETTERS[symbol[0]]
    rest = symbol[1:]
    if rest.startswith("3"):
        ticks = ticks * 2 // 3
        rest = rest[1:]
    if rest.strip("."):
        raise ValueError(f"unknown note value: {symbol!r}")
    return dotted(ticks, len(rest))


def tied(text):
    """Ticks of values joined by plus signs."""
    return sum(value(part.strip()) for part in text.split("+"))


def parse(text):
    """Read a line such as 'q e e -q h.' as (start, length) notes; a minus marks a rest."""

    def step(state, word):
        notes, now = state
        if word.startswith("-"):
            return notes, now + tied(word[1:])
        length = tied(word)
        return notes + [(now, length)], now + length

    return reduce(step, text.split(), ([], 0))[0]


def spell(ticks):
    """Values that add up to some ticks, always the longest that still fits."""
    names = {length: letter for letter, length in LETTERS.items()}
    names.update({dotted(length, 1): letter + "." for letter, length in LETTERS.items() if letter != "s"})
    parts = []
    left = ticks
    for length in sorted(names, reverse=True):
        while length <= left:
            parts.append(names[length])
            left -= length
    if left > 0:
        raise ValueError(f"{ticks} ticks cannot be written")
    return "+".join(parts)


def render(notes):
    """The inverse of parse for notes that do not overlap."""
    words = []
    now = 0
    for start, length in sorted(notes):
        if start < now:
            raise ValueError("notes overlap")
        if start > now:
            words.append("-" + spell(start - now))
        words.append(spell(length))
        now = start + length
    return " ".join(words)
