"""Memoizing calls, with counters."""

import functools
from dataclasses import dataclass

from caches import LRUCache


@dataclass
class Stats:
    hits: int = 0
    misses: int = 0

    @property
    def calls(self) -> int:
        return self.hits + self.misses

    def hit_rate(self) -> float:
        """Share of hits in percent, rounded to one digit."""
        if self.calls == 0:
            return 0.0
        return round(100 * self.hits / self.calls, 1)

    def merge(self, other: "Stats") -> "Stats":
        return Stats(self.hits + other.hits, self.misses + other.misses)


def make_key(args: tuple, kwargs: dict, typed: bool = False) -> tuple:
    """A key for a call; with `typed`, 1 and 1.0 make different keys."""
    items = tuple(sorted(kwargs.items()))
    key = args + items
    if typed:
        key += tuple(type(value) for value in args)
        key += tuple(type(value) for _, value in items)
    return key


def memoize(capacity: int = 3, typed: bool = False):
    """Decorator that remembers the latest results of a function."""
    missing = object()

    def decorate(func):
        cache = LRUCache(capacity)
        stats = Stats()

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            key = make_key(args, kwargs, typed)
            result = cache.get(key, missing)
            if result is not missing:
                stats.hits += 1
                return result
            stats.misses += 1
            result = func(*args, **kwargs)
            cache.put(key, result)
            return result

        wrapper.stats = stats
        wrapper.cache = cache
        return wrapper

    return decorate


def simulate(requests, capacity: int) -> Stats:
    """Count hits and misses of a request sequence against an LRU cache."""
    cache = LRUCache(capacity)
    stats = Stats()
    for key in requests:
        if cache.get(key) is None:
            stats.misses += 1
            cache.put(key, True)
        else:
            stats.hits += 1
    return stats


def smallest_capacity(requests, wanted_hits: int, limit: int = 8):
    """Least capacity up to limit that gives at least the wanted hits, or None."""
    for capacity in range(1, limit + 1):
        if simulate(requests, capacity).hits >= wanted_hits:
            return capacity
    return None
