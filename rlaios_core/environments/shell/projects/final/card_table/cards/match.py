"""The score of a match over several deals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cards.tricks import Trick


@dataclass(frozen=True)
class Bid:
    player: int
    tricks: int
    doubled: bool = False

    def score(self, taken: int) -> int:
        """Ten for each bid trick and one for each one above; a bid that fails loses what it would win."""
        if taken < self.tricks:
            result = -10 * self.tricks
        else:
            result = 10 * self.tricks + (taken - self.tricks)
        return 2 * result if self.doubled else result


def tricks_taken(tricks: Iterable[Trick], players: int) -> list[int]:
    taken = [0] * players
    for trick in tricks:
        taken[trick.winner()] += 1
    return taken


@dataclass
class Match:
    players: list[str]
    goal: int = 100
    deals: list[list[int]] = field(default_factory=list)

    def record(self, bids: Iterable[Bid], taken: list[int]) -> list[int]:
        """Add a deal's score; players without a bid get one point for each trick."""
        if len(taken) != len(self.players):
            raise ValueError("every player needs a count of tricks")
        if self.is_over:
            raise ValueError("the match is over")
        scores = list(taken)
        for bid in bids:
            scores[bid.player] = bid.score(taken[bid.player])
        self.deals.append(scores)
        return scores

    @property
    def dealer(self) -> str:
        """Who deals next."""
        return self.players[len(self.deals) % len(self.players)]

    @property
    def totals(self) -> list[int]:
        return [sum(deal[index] for deal in self.deals) for index in range(len(self.players))]

    @property
    def is_over(self) -> bool:
        """Whether exactly one player has the most points and has reached the goal."""
        totals = self.totals
        top = max(totals)
        return top >= self.goal and totals.count(top) == 1

    def standings(self) -> Iterator[tuple[int, str, int]]:
        """Place, name and points, the best first; equal points share a place."""
        ranked = sorted(zip(self.players, self.totals), key=lambda pair: -pair[1])
        place, before = 0, None
        for position, (name, points) in enumerate(ranked, start=1):
            if points != before:
                place = position
            before = points
            yield place, name, points
