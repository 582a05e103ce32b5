"""Distribution of seats in proportion to votes."""

from fractions import Fraction


def above_threshold(votes, percent):
    """Parties with at least the given share of all votes."""
    total = sum(votes.values())
    return {name: count for name, count in votes.items() if count * 100 >= percent * total}


def highest_quotients(votes, seats, divisors):
    """Give seats one by one; divisors(n) belongs to the seat after n seats."""
    won = {name: 0 for name in votes}
    for _ in range(seats):
        winner = max(sorted(votes), key=lambda name: Fraction(votes[name], divisors(won[name])))
        won[winner] += 1
    return won


def dhondt(votes, seats):
    return highest_quotients(votes, seats, lambda n: n + 1)


def sainte_lague(votes, seats):
    return highest_quotients(votes, seats, lambda n: 2 * n + 1)


def largest_remainder(votes, seats):
    """Whole quotas first, then the largest remainders; names break ties."""
    total = sum(votes.values())
    won = {name: count * seats // total for name, count in votes.items()}
    left = seats - sum(won.values())
    order = sorted(votes, key=lambda name: (-(votes[name] * seats % total), name))
    for name in order[:left]:
        won[name] += 1
    return won


def smallest_coalitions(seats):
    """All smallest sets of parties that hold more than half of the seats."""
    needed = sum(seats.values()) // 2 + 1
    groups = [()]
    for _ in seats:
        groups = [group + (name,) for group in groups for name in sorted(seats)
                  if not group or name > group[-1]]
        winning = [group for group in groups if sum(seats[name] for name in group) >= needed]
        if winning:
            return winning
    return []
