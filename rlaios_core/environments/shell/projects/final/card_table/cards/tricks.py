"""Playing tricks: following suit, trumping and winning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cards.deck import Card, Suit


class IllegalPlay(Exception):
    pass


@dataclass
class Trick:
    leader: int
    players: int = 4
    trump: Suit | None = None
    played: list[Card] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        return len(self.played) == self.players

    @property
    def turn(self) -> int:
        """Number of the player whose turn it is."""
        return (self.leader + len(self.played)) % self.players

    @property
    def led(self) -> Suit | None:
        return self.played[0].suit if self.played else None

    @property
    def points(self) -> int:
        return sum(card.points for card in self.played)

    def strength(self, card: Card) -> int:
        """Comparable strength in this trick; 0 for a card that cannot win."""
        if card.suit is self.trump:
            return card.height + 100
        if card.suit is self.led:
            return card.height
        return 0

    def best(self) -> Card:
        if not self.played:
            raise IllegalPlay("no card has been played")
        return max(self.played, key=self.strength)

    def winner(self) -> int:
        """Number of the player who leads so far."""
        return (self.leader + self.played.index(self.best())) % self.players

    def legal(self, hand: Sequence[Card]) -> Iterator[Card]:
        """Cards that follow suit, else trumps, else all."""
        if self.led is None:
            yield from hand
            return
        for suit in (self.led, self.trump):
            fitting = [card for card in hand if card.suit is suit]
            if fitting:
                yield from fitting
                return
        yield from hand

    def play(self, card: Card, hand: list[Card]) -> None:
        """Move a card from the hand to the table."""
        if self.is_complete:
            raise IllegalPlay("the trick is complete")
        if card not in hand:
            raise IllegalPlay(f"{card} is not in the hand")
        if card not in self.legal(hand):
            raise IllegalPlay(f"{card} does not follow suit")
        hand.remove(card)
        self.played.append(card)


def choose(trick: Trick, hand: Sequence[Card]) -> Card:
    """A simple player: wins as cheaply as possible, or throws the cheapest card."""
    allowed = list(trick.legal(hand))
    if not trick.played:
        return max(allowed, key=lambda card: card.height)
    to_beat = trick.strength(trick.best())
    winning = [card for card in allowed if trick.strength(card) > to_beat]
    if winning:
        return min(winning, key=trick.strength)
    return min(allowed, key=lambda card: (card.points, card.height))


def play_out(hands: Sequence[Sequence[Card]], leader: int = 0, trump: Suit | None = None) -> Iterator[Trick]:
    """Play all tricks of a deal with simple players; the winner of one leads the next."""
    held = [list(hand) for hand in hands]
    while any(held):
        trick = Trick(leader, len(held), trump)
        while not trick.is_complete:
            hand = held[trick.turn]
            trick.play(choose(trick, hand), hand)
        leader = trick.winner()
        yield trick
