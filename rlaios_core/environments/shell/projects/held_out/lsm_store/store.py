"""The store: a table of recent writes in front of a list of segments."""

from typing import Optional, Sequence

from records import Record, encode, replay
from segment import Segment, merge_records, pick_run, split_records


class Store:
    """Segments are kept from oldest to newest; `log` covers the table only."""

    def __init__(self, table_limit: int = 8, segment_size: int = 16):
        if table_limit < 1 or segment_size < 1:
            raise ValueError("limits must be positive")
        self.table_limit = table_limit
        self.segment_size = segment_size
        self.table: dict[str, Record] = {}
        self.log: list[str] = []
        self.segments: list[Segment] = []
        self.seq = 0

    @classmethod
    def recover(cls, lines: list[str], segments: Sequence[Segment] = (), **limits) -> "Store":
        """Rebuild a store from the lines of its log and its segments."""
        store = cls(**limits)
        store.segments = list(segments)
        store.seq = max((segment.newest for segment in segments), default=0)
        for record in replay(lines):
            store.seq = max(store.seq, record.seq)
            store._remember(record)
        return store

    def _remember(self, record: Record) -> None:
        self.table[record.key] = record
        self.log.append(encode(record))
        if len(self.table) >= self.table_limit:
            self.flush()

    def _write(self, key: str, value: Optional[str]) -> int:
        if not key:
            raise ValueError("empty key")
        self.seq += 1
        self._remember(Record(key, self.seq, value))
        return self.seq

    def put(self, key: str, value: str) -> int:
        """Set a key; returns the sequence number of the write."""
        return self._write(key, value)

    def delete(self, key: str) -> bool:
        """Delete a key; False, without a write, when there is nothing to delete."""
        if self.get(key) is None:
            return False
        self._write(key, None)
        return True

    def put_if(self, key: str, value: str, expected: Optional[str]) -> bool:
        """Set a key only when it holds the expected value (None: no value)."""
        if self.get(key) != expected:
            return False
        self.put(key, value)
        return True

    def lookup(self, key: str) -> Optional[Record]:
        """Newest record of a key, which may be a deletion."""
        if key in self.table:
            return self.table[key]
        for segment in reversed(self.segments):
            record = segment.find(key) if segment.covers(key) else None
            if record is not None:
                return record
        return None

    def get(self, key: str, default: Optional[str] = None) -> Optional[str]:
        record = self.lookup(key)
        if record is None or record.value is None:
            return default
        return record.value

    def scan(self, start: str = "", stop: Optional[str] = None, limit: Optional[int] = None) -> list:
        """Live (key, value) pairs with start <= key < stop, in key order."""
        recent = [
            record
            for record in sorted(self.table.values())
            if start <= record.key and (stop is None or record.key < stop)
        ]
        sources = [segment.scan(start, stop) for segment in self.segments]
        live = merge_records([*sources, recent], drop_deleted=True)
        return [(record.key, record.value) for record in live][:limit]

    def with_prefix(self, prefix: str) -> list[str]:
        """Live keys that start with a prefix."""
        return [key for key, _ in self.scan(prefix) if key.startswith(prefix)]

    def flush(self) -> None:
        """Turn the table into a new segment and start an empty log."""
        if not self.table:
            return
        self.segments.append(Segment(list(self.table.values())))
        self.table = {}
        self.log = []

    def compact(self) -> bool:
        """Merge a run of segments of similar size; False when nothing is gained."""
        run = pick_run([len(segment) for segment in self.segments])
        if run is None:
            return False
        start, stop = run
        # older segments may still hold values that the deletions hide
        merged = merge_records(self.segments[start:stop], drop_deleted=start == 0)
        parts = split_records(merged, self.segment_size)
        if len(merged) == sum(map(len, self.segments[start:stop])) and len(parts) == stop - start:
            return False
        self.segments[start:stop] = [Segment(part) for part in parts]
        return True

    def compact_all(self) -> None:
        """Merge everything, table included, into segments of the usual size."""
        self.flush()
        merged = merge_records(self.segments, drop_deleted=True)
        self.segments = [Segment(part) for part in split_records(merged, self.segment_size)]

    def stats(self) -> dict:
        """Counts of segments and records, and the share of outdated records."""
        stored = len(self.table) + sum(len(segment) for segment in self.segments)
        live = len(self.scan())
        waste = (stored - live) / stored if stored else 0.0
        return {"segments": len(self.segments), "records": stored, "live": live, "waste": waste}
