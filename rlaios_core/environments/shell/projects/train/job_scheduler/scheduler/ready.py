"""The queue of jobs that are ready to run."""

from __future__ import annotations

import heapq

from scheduler.jobs import Job


class ReadyQueue:
    """Highest priority first; equal ones in the order they came."""

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit
        self._heap: list[tuple[int, int, Job]] = []
        self._counter = 0

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, job: Job) -> bool:
        """Add a job; False if the queue is full."""
        if self.limit is not None and len(self._heap) >= self.limit:
            return False
        self._counter += 1
        heapq.heappush(self._heap, (-job.priority, self._counter, job))
        return True

    def pop(self) -> Job:
        if not self._heap:
            raise LookupError("queue is empty")
        return heapq.heappop(self._heap)[2]

    def peek(self) -> str | None:
        return self._heap[0][2].name if self._heap else None

    def names(self) -> list[str]:
        return [job.name for _, _, job in sorted(self._heap, key=lambda entry: entry[:2])]

    def remove(self, name: str) -> int:
        """Take out all jobs of a name; returns how many there were."""
        kept = [entry for entry in self._heap if entry[2].name != name]
        removed = len(self._heap) - len(kept)
        heapq.heapify(kept)
        self._heap = kept
        return removed

    def raise_priority(self, minimum: int) -> None:
        """Lift every waiting job to at least the given priority."""
        self._heap = [(min(rank, -minimum), turn, job) for rank, turn, job in self._heap]
        heapq.heapify(self._heap)
