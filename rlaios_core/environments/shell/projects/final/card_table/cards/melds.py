"""Finding what cards make together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cards.deck import Card, Suit


@dataclass(frozen=True)
class Meld:
    kind: str
    cards: tuple[Card, ...]

    @property
    def value(self) -> int:
        """Pips of the cards; a meld of more than four counts ten more."""
        bonus = 10 if len(self.cards) > 4 else 0
        return sum(card.points for card in self.cards) + bonus


def sets(cards: Iterable[Card], least: int = 3) -> Iterator[Meld]:
    """Cards of equal rank, the lowest rank first."""
    by_rank: dict[int, list[Card]] = {}
    for card in cards:
        by_rank.setdefault(card.height, []).append(card)
    for height in sorted(by_rank):
        if len(by_rank[height]) >= least:
            yield Meld("set", tuple(by_rank[height]))


def runs(cards: Iterable[Card], least: int = 3) -> Iterator[Meld]:
    """Longest sequences within a suit."""
    held = list(cards)
    for suit in Suit:
        suited = sorted((card for card in held if card.suit is suit), key=lambda card: card.height)
        current: list[Card] = []
        for card in suited:
            if current and card.height != current[-1].height + 1:
                if len(current) >= least:
                    yield Meld("run", tuple(current))
                current = []
            current.append(card)
        if len(current) >= least:
            yield Meld("run", tuple(current))


def best_melds(cards: Sequence[Card]) -> list[Meld]:
    """Melds that share no card, the most valuable ones taken first."""
    chosen: list[Meld] = []
    used: set[Card] = set()
    found = [*sets(cards), *runs(cards)]
    for meld in sorted(found, key=lambda meld: meld.value, reverse=True):
        if used.isdisjoint(meld.cards):
            chosen.append(meld)
            used.update(meld.cards)
    return chosen


def deadwood(cards: Sequence[Card]) -> int:
    """Points of the cards that no chosen meld uses."""
    melded = {card for meld in best_melds(cards) for card in meld.cards}
    return sum(card.points for card in cards if card not in melded)


def longest_suit(cards: Sequence[Card]) -> Suit | None:
    """The suit held most often; the one with more points wins a tie."""
    if not cards:
        return None
    lengths = Counter(card.suit for card in cards)
    points: Counter[Suit] = Counter()
    for card in cards:
        points[card.suit] += card.points
    return max(lengths, key=lambda suit: (lengths[suit], points[suit]))
