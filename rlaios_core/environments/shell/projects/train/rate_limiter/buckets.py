"""Token bucket and leaky bucket."""


class TokenBucket:
    """Holds up to `capacity` tokens and gains `rate` of them per second."""

    def __init__(self, capacity, rate, start=0):
        if capacity <= 0 or rate <= 0:
            raise ValueError("capacity and rate must be positive")
        self.capacity = capacity
        self.rate = rate
        self.level = capacity
        self.updated = start

    def refill(self, now):
        self.level = self.peek(now)
        self.updated = max(now, self.updated)

    def peek(self, now):
        """Tokens there would be at `now`, without touching the bucket."""
        waited = max(now - self.updated, 0)
        return min(self.capacity, self.level + waited * self.rate)

    def allow(self, now, cost=1):
        self.refill(now)
        if cost > self.level:
            return False
        self.level -= cost
        return True

    def wait_time(self, now, cost=1):
        """Seconds until `cost` tokens are there; None if they never are."""
        if cost > self.capacity:
            return None
        missing = cost - self.peek(now)
        return max(missing, 0) / self.rate


class LeakyBucket:
    """A queue that drains `rate` requests per second and overflows."""

    def __init__(self, size, rate):
        self.size = size
        self.rate = rate
        self.queued = 0
        self.drained_at = 0

    def drain(self, now):
        """Let whole requests out and return how many went."""
        leaving = int((now - self.drained_at) * self.rate)
        leaving = min(leaving, self.queued)
        self.queued -= leaving
        self.drained_at = now
        return leaving

    def offer(self, now, count=1):
        """Queue as many of `count` as fit and return how many did."""
        self.drain(now)
        accepted = min(count, self.size - self.queued)
        self.queued += accepted
        return accepted
