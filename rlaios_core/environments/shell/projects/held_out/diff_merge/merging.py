"""Three-way merge.

A merge is a list of chunks. A chunk is either a plain list of lines or a
Conflict with the three versions of the lines.
"""

from collections import namedtuple

from matching import common_prefix, common_suffix, matching_pairs

Conflict = namedtuple("Conflict", "ours base theirs")


def anchors(base, ours, theirs):
    """Index triples of base lines kept by both sides, then the three ends."""
    kept_ours = dict(matching_pairs(base, ours))
    kept_theirs = dict(matching_pairs(base, theirs))
    found = [
        (i, kept_ours[i], kept_theirs[i])
        for i in range(len(base))
        if i in kept_ours and i in kept_theirs
    ]
    return found + [(len(base), len(ours), len(theirs))]


def add_lines(chunks, lines):
    """Append lines to the last chunk when it is a plain one."""
    if not lines:
        return
    if chunks and not isinstance(chunks[-1], Conflict):
        chunks[-1].extend(lines)
    else:
        chunks.append(list(lines))


def add_region(chunks, ours, base, theirs):
    """Settle one region that at least one side may have changed."""
    if ours == theirs or theirs == base:
        add_lines(chunks, ours)
    elif ours == base:
        add_lines(chunks, theirs)
    else:
        head = common_prefix(ours, theirs)
        tail = common_suffix(ours, theirs, head)
        add_lines(chunks, ours[:head])
        chunks.append(Conflict(ours[head:len(ours) - tail], base, theirs[head:len(theirs) - tail]))
        add_lines(chunks, ours[len(ours) - tail:])


def merge(base, ours, theirs):
    """Merge two versions of `base` into chunks."""
    chunks = []
    start_base = start_ours = start_theirs = 0
    for i, j, k in anchors(base, ours, theirs):
        add_region(chunks, ours[start_ours:j], base[start_base:i], theirs[start_theirs:k])
        add_lines(chunks, base[i:i + 1])
        start_base, start_ours, start_theirs = i + 1, j + 1, k + 1
    return chunks


def count_conflicts(chunks):
    return sum(isinstance(chunk, Conflict) for chunk in chunks)


def choose(chunks, side):
    """Lines of the merge with every conflict settled for one side, or "both"."""
    lines = []
    for chunk in chunks:
        if not isinstance(chunk, Conflict):
            lines.extend(chunk)
        elif side == "both":
            lines.extend(chunk.ours + chunk.theirs)
        else:
            lines.extend(getattr(chunk, side))
    return lines


def mark(chunks, ours="ours", theirs="theirs", show_base=False):
    """Lines of the merge with markers around the conflicts."""
    lines = []
    for chunk in chunks:
        if isinstance(chunk, Conflict):
            middle = ["|||||||", *chunk.base] if show_base else []
            lines += ["<<<<<<< " + ours, *chunk.ours, *middle]
            lines += ["=======", *chunk.theirs, ">>>>>>> " + theirs]
        else:
            lines += chunk
    return lines


def marked_ranges(lines):
    """Pairs of first and last index of the conflicts in marked lines."""
    ranges = []
    start = None
    for index, line in enumerate(lines):
        if line.startswith("<<<<<<<"):
            start = index
        elif line.startswith(">>>>>>>") and start is not None:
            ranges.append((start, index))
            start = None
    return ranges
