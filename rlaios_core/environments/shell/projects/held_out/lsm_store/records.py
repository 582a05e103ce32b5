"""Records and their text form in the log."""

from typing import Iterable, NamedTuple, Optional


class Record(NamedTuple):
    """One write; a value of None marks a deleted key."""

    key: str
    seq: int
    value: Optional[str]


class CorruptLog(Exception):
    """A complete log line that cannot be read."""


def checksum(text: str) -> int:
    """A small position-dependent checksum from 0 to 9999."""
    total = 0
    for position, char in enumerate(text, start=1):
        total = (total * 31 + position * ord(char)) % 10000
    return total


def quote(text: str) -> str:
    """Hide the characters that have a meaning in the log."""
    return text.replace("%", "%25").replace("|", "%7C").replace("\n", "%0A")


def unquote(text: str) -> str:
    return text.replace("%0A", "\n").replace("%7C", "|").replace("%25", "%")


def encode(record: Record) -> str:
    """One log line: checksum, sequence number, kind, key and value."""
    kind = "D" if record.value is None else "P"
    body = f"{record.seq}|{kind}|{quote(record.key)}|{quote(record.value or '')}"
    return f"{checksum(body):04d}|{body}"


def decode(line: str) -> Record:
    """Read a log line; raises CorruptLog when anything is wrong with it."""
    mark, _, body = line.partition("|")
    fields = body.split("|")
    if len(fields) != 4 or mark != f"{checksum(body):04d}":
        raise CorruptLog(line)
    seq, kind, key, value = fields
    return Record(unquote(key), int(seq), unquote(value) if kind == "P" else None)


def replay(lines: list[str]) -> list[Record]:
    """Records of a log; a broken last line is taken for an unfinished write."""
    records = []
    for number, line in enumerate(lines, start=1):
        try:
            records.append(decode(line))
        except CorruptLog:
            if number < len(lines):
                raise
    return records


def latest(records: Iterable[Record]) -> list[Record]:
    """The newest record of every key, sorted by key."""
    newest: dict[str, Record] = {}
    for record in records:
        known = newest.get(record.key)
        if known is None or record.seq > known.seq:
            newest[record.key] = record
    return sorted(newest.values())
