"""Set algebra on lists of intervals.

A list is "normal" if it is sorted and its intervals neither touch nor overlap.
"""


def normalize(intervals):
    """Sort, drop empty intervals and join those that touch or overlap."""
    result = []
    for start, end in sorted(intervals):
        if start == end:
            continue
        if result and start <= result[-1][1]:
            last_start, last_end = result.pop()
            result.append((last_start, max(last_end, end)))
        else:
            result.append((start, end))
    return result


def union(first, second):
    return normalize(list(first) + list(second))


def intersection(first, second):
    """Common part of two normal lists."""
    result = []
    i = j = 0
    while i < len(first) and j < len(second):
        start = max(first[i][0], second[j][0])
        end = min(first[i][1], second[j][1])
        if start < end:
            result.append((start, end))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return result


def complement(intervals, lo, hi):
    """Parts of [lo, hi) that a normal list leaves free."""
    free = []
    cursor = lo
    for start, end in intervals:
        if start >= hi:
            break
        if cursor < start:
            free.append((cursor, start))
        cursor = max(cursor, end)
    if cursor < hi:
        free.append((cursor, hi))
    return free


def difference(first, second):
    """Points of first that are not in second (both normal lists)."""
    result = []
    for start, end in first:
        result.extend(complement(second, start, end))
    return result


def symmetric_difference(first, second):
    return normalize(difference(first, second) + difference(second, first))


def gaps(intervals):
    """Spaces between neighbours of a normal list."""
    return [(left[1], right[0]) for left, right in zip(intervals, intervals[1:])]
