"""Items on the shelf and the warehouse that holds them."""

from __future__ import annotations

from dataclasses import dataclass, field


class StockError(Exception):
    """A request the stock cannot satisfy."""


@dataclass
class Item:
    sku: str
    on_hand: int = 0
    reserved: int = 0
    unit_cost: int = 0
    reorder_level: int = 5
    tags: list[str] = field(default_factory=list)

    @property
    def available(self) -> int:
        return self.on_hand - self.reserved

    @property
    def value(self) -> int:
        return self.on_hand * self.unit_cost

    def receive(self, quantity: int) -> None:
        if quantity <= 0:
            raise StockError("quantity must be positive")
        self.on_hand += quantity

    def reserve(self, quantity: int) -> None:
        if quantity > self.available:
            raise StockError(f"only {self.available} of {self.sku} available")
        self.reserved += quantity

    def release(self, quantity: int) -> int:
        """Give back reserved units; returns how many were really given back."""
        released = min(quantity, self.reserved)
        self.reserved -= released
        return released

    def ship(self, quantity: int) -> None:
        """Send out units that were reserved before."""
        if quantity > self.reserved:
            raise StockError(f"only {self.reserved} of {self.sku} reserved")
        self.reserved -= quantity
        self.on_hand -= quantity

    def needs_reorder(self) -> bool:
        return self.available <= self.reorder_level


def normalize_sku(raw: str) -> str:
    """'  ab 12 ' and 'AB-12' are the same thing."""
    return "-".join(raw.upper().replace("-", " ").split())


class Warehouse:
    def __init__(self, items: list[Item] | None = None) -> None:
        self._items: dict[str, Item] = {}
        for item in items or []:
            self.add(item)

    def add(self, item: Item) -> None:
        sku = normalize_sku(item.sku)
        if sku in self._items:
            raise StockError(f"duplicate sku {sku}")
        self._items[sku] = item

    def get(self, sku: str) -> Item:
        item = self._items.get(normalize_sku(sku))
        if item is None:
            raise StockError(f"unknown sku {sku}")
        return item

    def skus(self) -> list[str]:
        return sorted(self._items)

    def tagged(self, tag: str) -> list[str]:
        """SKUs that carry a tag, compared without regard to case."""
        wanted = tag.lower()
        return [sku for sku in self.skus()
                if wanted in (t.lower() for t in self._items[sku].tags)]

    def total_value(self) -> int:
        total = 0
        for item in self._items.values():
            total += item.value
        return total

    def reserve_all(self, order: dict[str, int]) -> None:
        """Reserve a whole order or, if one line cannot be met, nothing of it."""
        done: list[tuple[Item, int]] = []
        for sku, quantity in order.items():
            item = self.get(sku)
            try:
                item.reserve(quantity)
            except StockError:
                for earlier, amount in done:
                    earlier.release(amount)
                raise
            done.append((item, quantity))

    def low_stock(self) -> list[str]:
        return [sku for sku in self.skus() if self._items[sku].needs_reorder()]
