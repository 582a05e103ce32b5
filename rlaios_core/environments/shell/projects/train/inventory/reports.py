"""Planning helpers and plain text reports over movement data."""

from __future__ import annotations

from collections import Counter

from stock import Item


def reorder_quantity(item: Item, target: int, pack_size: int = 1) -> int:
    """Units to order so that the target is available, in full packs."""
    missing = target - item.available
    if missing <= 0:
        return 0
    packs = (missing + pack_size - 1) // pack_size
    return packs * pack_size


def days_of_cover(available: int, daily_use: list[int]) -> int | None:
    """Whole days the stock lasts at the average use; None if nothing is used."""
    used = sum(daily_use)
    if used == 0:
        return None
    return available * len(daily_use) // used


def moving_average(values: list[int], window: int) -> list[float]:
    """Mean of each run of `window` neighbouring values."""
    return [sum(values[i:i + window]) / window for i in range(len(values) - window + 1)]


def best_sellers(sales: list[tuple[str, int]], count: int = 3) -> list[str]:
    """SKUs by units sold, highest first; equal ones in alphabetical order."""
    units: Counter[str] = Counter()
    for sku, quantity in sales:
        units[sku] += quantity
    ranked = sorted(units, key=lambda sku: (-units[sku], sku))
    return ranked[:count]


def abc_classes(values: dict[str, int]) -> dict[str, str]:
    """A: items up to 80 percent of the running value, B: up to 95, C: the rest."""
    total = sum(values.values())
    classes: dict[str, str] = {}
    running = 0
    for sku in sorted(values, key=lambda sku: values[sku], reverse=True):
        running += values[sku]
        if running * 100 <= total * 80:
            classes[sku] = "A"
        elif running * 100 <= total * 95:
            classes[sku] = "B"
        else:
            classes[sku] = "C"
    return classes


def stock_history(opening: int, movements: list[int]) -> list[int]:
    """Stock after each movement, starting with the opening stock."""
    levels = [opening]
    for change in movements:
        levels.append(levels[-1] + change)
    return levels


def first_stockout(levels: list[int]) -> int | None:
    """Position of the first level that is not above zero."""
    for day, level in enumerate(levels):
        if level <= 0:
            return day
    return None


def stock_line(item: Item, width: int = 10) -> str:
    """One row of the stock list, with a mark if the item should be reordered."""
    name = item.sku[:width].ljust(width)
    mark = " *" if item.needs_reorder() else ""
    return f"{name}{item.on_hand:>5}{item.available:>5}{mark}"
