"""Operations on a single half-open interval, written as a (start, end) tuple."""


def make(start, end):
    """Build an interval, refusing a reversed pair."""
    if start > end:
        raise ValueError(f"reversed interval: {start} > {end}")
    return (start, end)


def length(interval):
    start, end = interval
    return end - start


def contains(interval, point):
    start, end = interval
    return start <= point < end


def covers(outer, inner):
    """True if every point of inner also lies in outer."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def overlaps(a, b):
    """True if the two intervals share at least one point."""
    return a[0] < b[1] and b[0] < a[1]


def touches(a, b):
    """True if one interval begins exactly where the other one ends."""
    return a[1] == b[0] or b[1] == a[0]


def intersect(a, b):
    """The shared part of two intervals, or None if there is none."""
    start = max(a[0], b[0])
    end = min(a[1], b[1])
    if start >= end:
        return None
    return (start, end)


def distance(a, b):
    """Number of points between two intervals (0 if they touch or overlap)."""
    if a[1] < b[0]:
        return b[0] - a[1]
    return max(a[0] - b[1], 0)


def grow(interval, margin):
    """Widen an interval on both sides; a negative margin may use it up (None)."""
    start = interval[0] - margin
    end = interval[1] + margin
    if start >= end:
        return None
    return (start, end)


def clamp(interval, lo, hi):
    start, end = interval
    return (min(max(start, lo), hi), max(min(end, hi), lo))


def split_at(interval, point):
    """Cut an interval in two; a point at or outside its ends cuts nothing."""
    start, end = interval
    if point <= start or point >= end:
        return [interval]
    return [(start, point), (point, end)]


def chunks(interval, size):
    """Cut an interval into pieces of the given size, the last may be shorter."""
    if size < 1:
        raise ValueError("chunk size must be positive")
    start, end = interval
    return [(left, min(left + size, end)) for left in range(start, end, size)]
