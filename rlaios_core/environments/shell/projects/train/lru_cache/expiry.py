"""Entries that expire; the time is always handed in by the caller."""


class ExpiringCache:
    def __init__(self, lifetime: int = 10):
        self.lifetime = lifetime
        self._entries = {}

    def put(self, key, value, now: int, lifetime: int | None = None) -> None:
        if lifetime is None:
            lifetime = self.lifetime
        self._entries[key] = (value, now + lifetime)

    def get(self, key, now: int, default=None):
        """The value, if its end of life has not been reached yet."""
        if key not in self._entries:
            return default
        value, expires = self._entries[key]
        if now >= expires:
            del self._entries[key]
            return default
        return value

    def remaining(self, key, now: int) -> int:
        """Time left to an entry, 0 if it is unknown or expired."""
        if key not in self._entries:
            return 0
        return max(self._entries[key][1] - now, 0)

    def touch(self, key, now: int) -> bool:
        """Start the lifetime of a living entry anew."""
        if self.remaining(key, now) == 0:
            return False
        value, _ = self._entries[key]
        self.put(key, value, now)
        return True

    def purge(self, now: int) -> list:
        """Remove what has expired; returns the removed keys in sorted order."""
        dead = sorted(key for key, (_, expires) in self._entries.items() if expires <= now)
        for key in dead:
            del self._entries[key]
        return dead

    def next_expiry(self):
        return min((expires for _, expires in self._entries.values()), default=None)

    def __len__(self):
        return len(self._entries)
