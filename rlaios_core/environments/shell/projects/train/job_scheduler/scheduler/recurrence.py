"""Recurring times, counted in minutes."""

from __future__ import annotations

from typing import Iterator


def occurrences(start: int, every: int, until: int) -> Iterator[int]:
    """Times from start on in equal steps; `until` itself is included."""
    yield from range(start, until + 1, every)


def next_run(start: int, every: int, now: int) -> int:
    """The first occurrence that is not before now."""
    if now <= start:
        return start
    missed = (now - start + every - 1) // every
    return start + missed * every


def in_window(time: int, opens: int, closes: int) -> bool:
    """Is a time of day inside a window, which may run past midnight?"""
    if opens <= closes:
        return opens <= time < closes
    return time >= opens or time < closes


def parse_clock(text: str) -> int:
    """'7:05' to minutes after midnight."""
    hours, minutes = (int(part) for part in text.split(":"))
    if not 0 <= hours <= 23 or not 0 <= minutes <= 59:
        raise ValueError(f"bad time {text}")
    return hours * 60 + minutes


def format_clock(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return f"{hours % 24:02d}:{rest:02d}"
