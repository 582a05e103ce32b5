"""Caches that hold a limited number of entries."""

from linked import KeyList


class LRUCache:
    """Drops the entry that was not used for the longest time."""

    def __init__(self, capacity: int):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._values = {}
        self._order = KeyList()

    def __len__(self):
        return len(self._values)

    def get(self, key, default=None):
        """Read an entry and mark it as used."""
        if key not in self._values:
            return default
        self._order.push(key)
        return self._values[key]

    def peek(self, key, default=None):
        """Read an entry without marking it."""
        return self._values.get(key, default)

    def put(self, key, value):
        """Store an entry; returns the key that had to go, or None."""
        self._values[key] = value
        self._order.push(key)
        if len(self._values) <= self.capacity:
            return None
        return self._evict()

    def _evict(self):
        oldest = self._order.pop_oldest()
        del self._values[oldest]
        return oldest

    def discard(self, key) -> bool:
        if key not in self._values:
            return False
        self._order.remove(key)
        del self._values[key]
        return True

    def resize(self, capacity: int) -> list:
        """Change the capacity; returns the keys that had to go, oldest first."""
        self.capacity = max(capacity, 1)
        surplus = len(self._values) - self.capacity
        return [self._evict() for _ in range(surplus)]

    def keys(self) -> list:
        return list(self._order)


class LFUCache:
    """Drops the entry used least often; among equals the one stored first."""

    def __init__(self, capacity: int):
        self.capacity = capacity
        self._values = {}
        self._uses = {}

    def get(self, key, default=None):
        if key not in self._values:
            return default
        self._uses[key] += 1
        return self._values[key]

    def put(self, key, value):
        if key not in self._values and len(self._values) >= self.capacity:
            victim = self.coldest()
            del self._values[victim]
            del self._uses[victim]
        self._values[key] = value
        self._uses[key] = self._uses.get(key, 0) + 1

    def coldest(self):
        return min(self._uses, key=lambda key: self._uses[key], default=None)

    def uses(self, key) -> int:
        return self._uses.get(key, 0)

    def hottest(self, count: int = 2) -> list:
        ranked = sorted(self._uses, key=self._uses.get, reverse=True)
        return ranked[:count]
