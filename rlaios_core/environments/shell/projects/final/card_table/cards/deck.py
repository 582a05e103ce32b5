"""Cards and decks of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

RANKS = "23456789TJQKA"


class Suit(Enum):
    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"


@dataclass(frozen=True)
class Card:
    rank: str
    suit: Suit

    def __str__(self) -> str:
        return self.rank + self.suit.value

    @property
    def height(self) -> int:
        """From 2 to 14, the ace being the highest."""
        return RANKS.index(self.rank) + 2

    @property
    def points(self) -> int:
        """Pip value: 11 for an ace, 10 for a face, else the number."""
        if self.rank == "A":
            return 11
        return min(self.height, 10)


def read_card(text: str) -> Card:
    """Read a card such as 'Qh'; '10' stands for 'T'."""
    rank, suit = text[:-1].upper(), text[-1:].lower()
    if rank == "10":
        rank = "T"
    if len(rank) != 1 or rank not in RANKS:
        raise ValueError(f"unknown rank in {text!r}")
    return Card(rank, Suit(suit))


def read_cards(text: str) -> list[Card]:
    return [read_card(word) for word in text.split()]


def full_deck(lowest: str = "2") -> Iterator[Card]:
    """Every card from a lowest rank on, suit by suit."""
    for suit in Suit:
        for rank in RANKS[RANKS.index(lowest):]:
            yield Card(rank, suit)


def deal(cards: Sequence[Card], players: int, each: int) -> tuple[list[list[Card]], list[Card]]:
    """Deal one card at a time; the answer is the hands and what is left."""
    if players * each > len(cards):
        raise ValueError(f"{players * each} cards wanted, {len(cards)} there")
    dealt = cards[: players * each]
    hands = [list(dealt[player::players]) for player in range(players)]
    return hands, list(cards[players * each:])


def sort_hand(cards: Iterable[Card], trump: Suit | None = None) -> list[Card]:
    """By suit with trumps first, the highest card of each suit in front."""
    order = list(Suit)
    return sorted(cards, key=lambda card: (card.suit is not trump, order.index(card.suit), -card.height))
