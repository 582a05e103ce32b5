"""Ballots are lists of option names, best first."""


class BallotError(ValueError):
    pass


def parse_ballot(text):
    """'Ann > bob>Cy' -> ['ann', 'bob', 'cy']; empty places are dropped."""
    names = [part.strip().lower() for part in text.split(">")]
    return [name for name in names if name]


def check_ballot(ballot, options, max_ranks=None):
    if not ballot:
        raise BallotError("ballot is empty")
    if len(set(ballot)) < len(ballot):
        raise BallotError("option named twice")
    unknown = [name for name in ballot if name not in options]
    if unknown:
        raise BallotError("unknown option: " + unknown[0])
    if max_ranks is not None and len(ballot) > max_ranks:
        raise BallotError("too many ranks")


def valid_ballots(ballots, options, max_ranks=None):
    kept = []
    for ballot in ballots:
        try:
            check_ballot(ballot, options, max_ranks)
        except BallotError:
            continue
        kept.append(ballot)
    return kept


def options_of(ballots):
    return sorted({name for ballot in ballots for name in ballot})


def without(ballot, removed):
    return [name for name in ballot if name not in removed]


def compress(ballots):
    """[(ballot, times)] by falling number, equal ones in ballot order."""
    counts = {}
    for ballot in ballots:
        key = tuple(ballot)
        counts[key] = counts.get(key, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def turnout(cast, entitled):
    """Percentage with one decimal place."""
    if entitled <= 0:
        raise ValueError("nobody may vote")
    if not 0 <= cast <= entitled:
        raise ValueError("impossible number of votes")
    return round(100 * cast / entitled, 1)
