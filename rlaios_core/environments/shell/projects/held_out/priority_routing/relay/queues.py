"""Queues and the exchange that fills them through a router."""

from dataclasses import replace

from relay.message import Message, Priority, aged_priority
from relay.rules import Router


def pause_after(attempts: int, *, steps: tuple = (2, 4, 15, 60)) -> int:
    """Pause after so many failed attempts; the last step is used for the rest."""
    if not steps or attempts <= 0:
        return 0
    return steps[min(attempts, len(steps)) - 1]


class MessageQueue:
    """Hands out the most urgent message first, older ones before newer ones."""

    def __init__(self, name: str, *, capacity: int = 10, patience: int = 100):
        self.name = name
        self.capacity = capacity
        self.patience = patience
        self.waiting: list[tuple[int, Message]] = []  # (ready at, message)
        self.dropped = 0

    def __len__(self) -> int:
        return len(self.waiting)

    def put(self, message: Message, *, ready_at: int = 0) -> bool:
        """Add a message; when full, the newest of the least urgent goes."""
        self.waiting.append((ready_at, message))
        if len(self.waiting) <= self.capacity:
            return True
        self.dropped += 1
        lowest = min(entry[1].priority for entry in self.waiting)
        last = max(i for i, entry in enumerate(self.waiting) if entry[1].priority == lowest)
        del self.waiting[last]
        return last < self.capacity  # otherwise it was the new one that went

    def purge(self, now: int) -> int:
        """Remove expired messages; returns how many."""
        kept = [entry for entry in self.waiting if not entry[1].expired(now)]
        removed = len(self.waiting) - len(kept)
        self.waiting = kept
        return removed

    def best_index(self, now: int) -> int | None:
        """Position of the best message that is ready, or None."""
        ready = [
            index
            for index, (ready_at, message) in enumerate(self.waiting)
            if ready_at <= now and not message.expired(now)
        ]
        return max(ready, key=lambda i: aged_priority(self.waiting[i][1], now, self.patience), default=None)

    def take(self, now: int) -> Message | None:
        """Remove and return the best message, or None if none is ready."""
        index = self.best_index(now)
        if index is None:
            return None
        return self.waiting.pop(index)[1]

    def counts(self) -> dict:
        """Number of waiting messages for each priority that occurs."""
        names = [message.priority.name for _, message in self.waiting]
        return {name: names.count(name) for name in Priority.__members__ if name in names}


class Exchange:
    """A router with its queues; messages that fail too often end in `dead`."""

    def __init__(self, router: Router, *, capacity: int = 10, max_attempts: int = 3):
        self.router = router
        self.queues = {name: MessageQueue(name, capacity=capacity) for name in router.targets()}
        self.max_attempts = max_attempts
        self.dead: list[Message] = []

    def publish(self, message: Message) -> list:
        """Route a message; returns the names of the queues that took it."""
        routes = self.router.route(message)
        if not routes:
            self.dead.append(message)
        return [name for name, routed in routes.items() if self.queues[name].put(routed)]

    def fail(self, name: str, message: Message, now: int) -> bool:
        """Put a failed message back for later; False when it was given up."""
        tried = replace(message, attempts=message.attempts + 1)
        if tried.attempts >= self.max_attempts:
            self.dead.append(tried)
            return False
        return self.queues[name].put(tried, ready_at=now + pause_after(tried.attempts))

    def drain(self, name: str, now: int, limit: int | None = None) -> list:
        """Take ready messages from a queue, best first, at most `limit`."""
        queue = self.queues[name]
        size = len(queue) if limit is None else min(limit, len(queue))
        taken = (queue.take(now) for _ in range(size))
        return [message for message in taken if message is not None]

    def busiest(self) -> str | None:
        """Name of the fullest queue; the first in order among equals."""
        return max(self.queues, key=lambda name: len(self.queues[name]), default=None)
