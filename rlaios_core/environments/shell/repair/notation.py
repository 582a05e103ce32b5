"""How a number is written as a note."""

from __future__ import annotations


def number(name: str, value: float) -> str:
    """A numeric note, cut to [-1, 1]."""
    return f"{name}:{max(-1.0, min(1.0, value)):.2f}"
