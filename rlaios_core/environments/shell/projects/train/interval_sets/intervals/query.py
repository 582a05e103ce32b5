"""Questions asked of interval lists, and their text form."""

from bisect import bisect_right

from intervals.core import contains, length


def total_length(intervals):
    total = 0
    for interval in intervals:
        total += length(interval)
    return total


def find(intervals, point):
    """Index of the interval holding point in a normal list, or -1."""
    starts = [start for start, _ in intervals]
    index = bisect_right(starts, point) - 1
    if index >= 0 and contains(intervals[index], point):
        return index
    return -1


def span(intervals):
    """Smallest interval around all the others."""
    if not intervals:
        return None
    return (min(start for start, _ in intervals), max(end for _, end in intervals))


def longest(intervals, default=None):
    """The longest interval; the first one wins a tie."""
    return max(intervals, key=length, default=default)


def depth(intervals):
    """Largest number of intervals that cover one same point."""
    events = []
    for start, end in intervals:
        events.append((start, 1))
        events.append((end, -1))
    deepest = current = 0
    for _, step in sorted(events):
        current += step
        deepest = max(deepest, current)
    return deepest


def first_fit(intervals, size, lo=0):
    """Earliest start, not before lo, where size free points follow each other."""
    cursor = lo
    for start, end in intervals:
        if start - cursor >= size:
            return cursor
        cursor = max(cursor, end)
    return cursor


def nearest(intervals, point):
    """The interval closest to point; one that holds it is at distance 0."""
    if not intervals:
        raise ValueError("no intervals")

    def gap(interval):
        start, end = interval
        return max(start - point, point - (end - 1), 0)

    return min(intervals, key=gap)


def parse(text):
    """Read a list such as '1-4, 7, 9-12', where the ends are inclusive."""
    result = []
    for part in text.split(","):
        part = part.strip()
        if not part:
            continue
        first, _, last = part.partition("-")
        result.append((int(first), int(last or first) + 1))
    return result


def render(intervals):
    """Write a list with inclusive ends, the inverse of parse."""
    parts = []
    for start, end in intervals:
        if end - start == 1:
            parts.append(str(start))
        else:
            parts.append(f"{start}-{end - 1}")
    return ", ".join(parts)
