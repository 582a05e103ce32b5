"""Amounts are whole cents."""

from __future__ import annotations

import re

AMOUNT = re.compile(r"(-?)(\d+)(?:\.(\d{1,2}))?")


def parse_amount(text: str) -> int:
    """'12.5' -> 1250, '-3' -> -300."""
    match = AMOUNT.fullmatch(text.strip().replace(",", ""))
    if match is None:
        raise ValueError(f"not an amount: {text!r}")
    sign, whole, cents = match.groups()
    value = int(whole) * 100 + int((cents or "").ljust(2, "0"))
    return -value if sign else value


def format_amount(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{rest:02d}"


def split_evenly(cents: int, parts: int) -> list[int]:
    """Split into parts that differ by one cent at most, larger ones first."""
    if parts < 1:
        raise ValueError("at least one part needed")
    share, extra = divmod(cents, parts)
    return [share + 1] * extra + [share] * (parts - extra)


def percent_of(cents: int, basis_points: int) -> int:
    """Share of an amount, halves rounded up."""
    return (cents * basis_points + 5000) // 10000


def tiered_fee(cents: int, tiers: list[tuple[int, int]], top_points: int) -> int:
    """Sum of fees by slices; tiers are (upper limit, basis points), ascending."""
    fee = 0
    lower = 0
    for upper, points in tiers:
        fee += percent_of(max(min(cents, upper) - lower, 0), points)
        lower = upper
    return fee + percent_of(max(cents - lower, 0), top_points)
