"""Planning jobs on machines, in whole units of time."""

from __future__ import annotations

from dataclasses import dataclass

from scheduler.jobs import Job


@dataclass(frozen=True)
class Slot:
    name: str
    machine: int
    start: int
    end: int


def by_deadline(jobs: list[Job]) -> list[Job]:
    """Earliest deadline first, then shortest; jobs without deadline last."""
    return sorted(jobs, key=lambda j: (j.deadline is None, j.deadline, j.duration))


def assign(jobs: list[Job], machines: int, start: int = 0) -> list[Slot]:
    """Give each job in turn to the machine that is free first."""
    if machines < 1:
        raise ValueError("at least one machine is needed")
    free_at = [start] * machines
    plan = []
    for job in jobs:
        machine = free_at.index(min(free_at))
        begin = free_at[machine]
        free_at[machine] = begin + job.duration
        plan.append(Slot(job.name, machine, begin, free_at[machine]))
    return plan


def makespan(plan: list[Slot]) -> int:
    """Time from the first start to the last end."""
    if not plan:
        return 0
    return max(slot.end for slot in plan) - min(slot.start for slot in plan)


def busy_at(plan: list[Slot], time: int) -> list[str]:
    """Names of the jobs that run at a time (the end is not included)."""
    return [slot.name for slot in plan if slot.start <= time < slot.end]


def conflicts(plan: list[Slot]) -> list[tuple[str, str]]:
    """Pairs of jobs that overlap on the same machine."""
    found = []
    for i, first in enumerate(plan):
        for second in plan[i + 1:]:
            overlap = first.start < second.end and second.start < first.end
            if overlap and first.machine == second.machine:
                found.append((first.name, second.name))
    return found


def idle_time(plan: list[Slot], machine: int) -> int:
    """Unused time of a machine between its first start and its last end."""
    slots = sorted((slot for slot in plan if slot.machine == machine), key=lambda s: s.start)
    idle = 0
    for before, after in zip(slots, slots[1:]):
        idle += after.start - before.end
    return idle


def late_jobs(plan: list[Slot], jobs: list[Job]) -> dict[str, int]:
    """By how much each late job passes its deadline."""
    deadlines = {job.name: job.deadline for job in jobs}
    late = {}
    for slot in plan:
        deadline = deadlines.get(slot.name)
        if deadline is not None and slot.end > deadline:
            late[slot.name] = slot.end - deadline
    return late
