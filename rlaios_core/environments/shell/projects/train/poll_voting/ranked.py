"""Instant runoff and pairwise comparison."""

from ballots import options_of, without
from simple import has_majority, plurality


def weakest(ballots, options):
    """Option with the fewest first choices; the last by name on ties."""
    counts = plurality(ballots)
    fewest = min(counts.get(name, 0) for name in options)
    return max(name for name in options if counts.get(name, 0) == fewest)


def runoff_rounds(ballots):
    """First-choice counts of every round until somebody has a majority."""
    rounds = []
    options = options_of(ballots)
    for _ in options:
        counts = plurality(ballots)
        rounds.append(counts)
        if any(has_majority(counts, name) for name in counts):
            break
        loser = weakest(ballots, options)
        options = without(options, [loser])
        ballots = [without(ballot, [loser]) for ballot in ballots]
    return rounds


def runoff_winner(ballots):
    rounds = runoff_rounds(ballots)
    if not rounds:
        return None
    return max(rounds[-1], key=rounds[-1].get)


def prefers(ballot, first, second):
    """Whether the ballot puts first above second; unnamed options are last."""
    if first not in ballot:
        return False
    return second not in ballot or ballot.index(first) < ballot.index(second)


def duel(ballots, first, second):
    """(votes for first, votes for second)."""
    wins = sum(prefers(ballot, first, second) for ballot in ballots)
    losses = sum(prefers(ballot, second, first) for ballot in ballots)
    return wins, losses


def copeland(ballots, options):
    """Won duels minus lost duels of each option."""
    scores = dict.fromkeys(options, 0)
    for index, first in enumerate(options):
        for second in options[index + 1:]:
            wins, losses = duel(ballots, first, second)
            if wins > losses:
                scores[first] += 1
                scores[second] -= 1
            elif losses > wins:
                scores[first] -= 1
                scores[second] += 1
    return scores


def condorcet_winner(ballots, options):
    """The option that wins all its duels, or None."""
    scores = copeland(ballots, options)
    for name in options:
        if scores[name] == len(options) - 1:
            return name
    return None
