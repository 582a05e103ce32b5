"""Prices in cents, quantity discounts and orders."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tier:
    min_quantity: int
    percent: int


@dataclass(frozen=True)
class Line:
    sku: str
    quantity: int
    unit_price: int

    def gross(self) -> int:
        return self.quantity * self.unit_price


def discount_percent(quantity: int, tiers: list[Tier]) -> int:
    """The best percentage among the tiers that the quantity reaches."""
    reached = [tier.percent for tier in tiers if quantity >= tier.min_quantity]
    return max(reached, default=0)


def apply_percent(amount: int, percent: int) -> int:
    """Take a percentage off an amount, rounding the result down to whole cents."""
    if percent < 0 or percent > 100:
        raise ValueError(f"bad percentage {percent}")
    return amount * (100 - percent) // 100


def line_total(line: Line, tiers: list[Tier]) -> int:
    percent = discount_percent(line.quantity, tiers)
    return apply_percent(line.gross(), percent)


def shipping(weight_grams: int, subtotal: int, free_from: int = 5000) -> int:
    """Flat fee to one kilogram, then an extra fee per further started kilogram."""
    if subtotal >= free_from:
        return 0
    fee = 490
    if weight_grams > 1000:
        extra = weight_grams - 1000
        fee += 150 * ((extra + 999) // 1000)
    return fee


def merge_lines(lines: list[Line]) -> list[Line]:
    """Add up lines of the same SKU and price, in the order of first appearance."""
    quantities: dict[tuple[str, int], int] = {}
    for line in lines:
        key = (line.sku, line.unit_price)
        quantities[key] = quantities.get(key, 0) + line.quantity
    return [Line(sku, quantity, price) for (sku, price), quantity in quantities.items()]


def split_evenly(amount: int, parts: int) -> list[int]:
    """Divide cents so that the parts add up; the first ones get the spare cents."""
    base, spare = divmod(amount, parts)
    return [base + 1 if index < spare else base for index in range(parts)]


def format_cents(amount: int) -> str:
    sign = "-" if amount < 0 else ""
    whole, cents = divmod(abs(amount), 100)
    return f"{sign}{whole}.{cents:02d}"
