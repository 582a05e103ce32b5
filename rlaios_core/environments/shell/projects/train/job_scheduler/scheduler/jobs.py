"""Jobs and the states they pass through."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class State(Enum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


ALLOWED = {
    State.WAITING: {State.RUNNING, State.FAILED},
    State.RUNNING: {State.DONE, State.WAITING, State.FAILED},
    State.DONE: set(),
    State.FAILED: {State.WAITING},
}


@dataclass
class Job:
    name: str
    duration: int = 1
    priority: int = 0
    deadline: int | None = None
    max_retries: int = 2
    state: State = State.WAITING
    attempts: int = 0
    history: list[str] = field(default_factory=list)

    def move_to(self, state: State) -> None:
        if state not in ALLOWED[self.state]:
            raise ValueError(f"{self.name}: {self.state.value} to {state.value}")
        self.history.append(self.state.value)
        self.state = state

    def start(self) -> None:
        self.move_to(State.RUNNING)
        self.attempts += 1

    def finish(self) -> None:
        self.move_to(State.DONE)

    def fail(self) -> bool:
        """Note a failed run; True if the job waits for another attempt."""
        if self.attempts <= self.max_retries:
            self.move_to(State.WAITING)
            return True
        self.move_to(State.FAILED)
        return False

    def is_over(self) -> bool:
        return self.state == State.DONE or self.state == State.FAILED

    def slack(self, now: int) -> int | None:
        """Time to spare before the deadline if the job started now."""
        if self.deadline is None:
            return None
        return self.deadline - now - self.duration

    def is_late(self, now: int) -> bool:
        slack = self.slack(now)
        return slack is not None and slack < 0


def retry_delay(attempt: int, base: int = 2, cap: int = 30) -> int:
    """Waiting time before an attempt, doubled each time up to a cap."""
    if attempt < 1:
        return 0
    return min(base * 2 ** (attempt - 1), cap)


def count_states(jobs: list[Job]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for job in jobs:
        counts[job.state.value] = counts.get(job.state.value, 0) + 1
    return counts
