"""Limits on the number of hits within a window of time."""

from bisect import bisect_left, bisect_right
from collections import deque


class FixedWindow:
    """At most `limit` hits in each window [k * width, (k + 1) * width)."""

    def __init__(self, limit, width):
        self.limit = limit
        self.width = width
        self.counts = {}

    def window_of(self, now):
        return now // self.width

    def hit(self, key, now):
        slot = (key, self.window_of(now))
        used = self.counts.get(slot, 0)
        if used >= self.limit:
            return False
        self.counts[slot] = used + 1
        return True

    def remaining(self, key, now):
        return self.limit - self.counts.get((key, self.window_of(now)), 0)

    def reset_at(self, now):
        """Time at which the next window begins."""
        return (self.window_of(now) + 1) * self.width

    def forget_before(self, now):
        """Drop the counts of windows that are over; return how many."""
        current = self.window_of(now)
        old = [slot for slot in self.counts if slot[1] < current]
        for slot in old:
            del self.counts[slot]
        return len(old)


class SlidingWindow:
    """At most `limit` hits in any span of `width` seconds."""

    def __init__(self, limit, width):
        self.limit = limit
        self.width = width
        self.hits = deque()

    def expire(self, now):
        while self.hits and self.hits[0] <= now - self.width:
            self.hits.popleft()

    def hit(self, now):
        self.expire(now)
        if len(self.hits) >= self.limit:
            return False
        self.hits.append(now)
        return True

    def retry_after(self, now):
        self.expire(now)
        if len(self.hits) < self.limit:
            return 0
        return self.hits[0] + self.width - now


def count_between(times, start, end):
    """How many sorted times lie in [start, end)."""
    return bisect_left(times, end) - bisect_left(times, start)


def busiest_span(times, width):
    """(start, count) of the fullest span [start, start + width]."""
    best = (None, 0)
    for index, start in enumerate(times):
        count = bisect_right(times, start + width) - index
        if count > best[1]:
            best = (start, count)
    return best


def weighted_rate(previous, current, elapsed, width):
    """Estimate of hits in the last `width` from two fixed windows."""
    if not 0 <= elapsed <= width:
        raise ValueError("elapsed lies outside the window")
    return previous * (width - elapsed) / width + current
