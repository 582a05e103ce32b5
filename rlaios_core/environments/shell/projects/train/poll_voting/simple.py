"""Methods that add up votes or points."""


def plurality(ballots):
    """First choices for every option that is somebody's first choice."""
    counts = {}
    for ballot in ballots:
        if not ballot:
            continue
        counts[ballot[0]] = counts.get(ballot[0], 0) + 1
    return counts


def approval(ballots, ranks=None):
    """Each option gets a vote from every ballot that names it early enough."""
    counts = {}
    for ballot in ballots:
        for name in ballot[:ranks]:
            counts[name] = counts.get(name, 0) + 1
    return counts


def borda(ballots, options):
    """The last of n options gets 0 points and the first one n - 1."""
    points = {name: 0 for name in options}
    for ballot in ballots:
        for place, name in enumerate(ballot):
            points[name] += len(options) - 1 - place
    return points


def leaders(counts):
    """All options with the highest count, sorted."""
    if not counts:
        return []
    top = max(counts.values())
    return sorted(name for name, count in counts.items() if count == top)


def has_majority(counts, name):
    """More than half of all votes."""
    return 2 * counts.get(name, 0) > sum(counts.values())


def standings(counts):
    """[(rank, name, count)]; equal counts share a rank."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    table = []
    for place, (name, count) in enumerate(ordered, start=1):
        rank = table[-1][0] if table and table[-1][2] == count else place
        table.append((rank, name, count))
    return table


def margin(counts):
    """Lead of the first option over the second."""
    values = sorted(counts.values(), reverse=True)
    if not values:
        return 0
    if len(values) == 1:
        return values[0]
    return values[0] - values[1]


def shares(counts, digits=1):
    total = sum(counts.values())
    return {name: round(100 * count / total, digits) for name, count in counts.items()}
