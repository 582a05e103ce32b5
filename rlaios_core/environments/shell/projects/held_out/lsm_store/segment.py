"""Immutable sorted segments and how they are merged."""

import heapq
from bisect import bisect_left, bisect_right
from typing import Iterator, Optional

from records import Record, latest


class Segment:
    """Records sorted by key, one per key, with a sparse index for lookups."""

    def __init__(self, records: list[Record], every: int = 4):
        if not records:
            raise ValueError("a segment needs records")
        self._records = latest(records)
        self._every = every
        self._index = [record.key for record in self._records[::every]]

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self._records)

    @property
    def first_key(self) -> str:
        return self._records[0].key

    @property
    def last_key(self) -> str:
        return self._records[-1].key

    @property
    def newest(self) -> int:
        """Highest sequence number in the segment."""
        return max(record.seq for record in self._records)

    def covers(self, key: str) -> bool:
        """Whether the key lies between the first and the last one."""
        return self.first_key <= key <= self.last_key

    def block_for(self, key: str) -> list[Record]:
        """The only records between two index entries that can hold the key."""
        stop = bisect_right(self._index, key) * self._every
        return self._records[stop - self._every:stop]  # empty for stop 0

    def find(self, key: str) -> Optional[Record]:
        for record in self.block_for(key):
            if record.key == key:
                return record
        return None

    def scan(self, start: str, stop: Optional[str] = None) -> list[Record]:
        """Records with start <= key < stop; without stop up to the end."""
        keys = [record.key for record in self._records]
        low = bisect_left(keys, start)
        high = len(keys) if stop is None else bisect_left(keys, stop)
        return self._records[low:high]


def merge_records(sources: list, drop_deleted: bool = False) -> list[Record]:
    """Merge sorted record lists, keeping the newest version of each key."""
    merged: list[Record] = []
    for record in heapq.merge(*sources):
        if merged and merged[-1].key == record.key:
            merged.pop()
        merged.append(record)
    return [record for record in merged if not (drop_deleted and record.value is None)]


def split_records(records: list[Record], size: int) -> list[list[Record]]:
    """Cut into parts of `size`; a last part under half of that joins its neighbour."""
    parts = [records[start:start + size] for start in range(0, len(records), size)]
    if len(parts) > 1 and 2 * len(parts[-1]) < size:
        tail = parts.pop()
        parts[-1] = parts[-1] + tail
    return parts


def pick_run(sizes: list[int], minimum: int = 2, ratio: int = 2) -> Optional[tuple[int, int]]:
    """Longest run sizes[start:stop] in which no size exceeds ratio times the smallest.

    Runs shorter than `minimum` do not count; the first of equal runs wins.
    """
    best = None
    for start in range(len(sizes) - minimum + 1):
        for stop in range(start + minimum, len(sizes) + 1):
            run = sizes[start:stop]
            if max(run) > ratio * min(run):
                break
            if best is None or stop - start > best[1] - best[0]:
                best = (start, stop)
    return best
