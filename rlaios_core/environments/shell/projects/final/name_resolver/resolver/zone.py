"""Records, and the zone that owns them."""

from __future__ import annotations

from resolver.names import DomainName


class ZoneError(ValueError):
    """A record that its zone cannot hold."""


class Record:
    KINDS = ("A", "CNAME", "MX", "NS", "TXT")

    def __init__(self, name: DomainName, kind: str, value: str, ttl: int, priority: int = 0) -> None:
        if kind not in self.KINDS:
            raise ZoneError(f"unknown kind {kind!r}")
        if ttl < 0:
            raise ZoneError("the time to live is negative")
        self.name = name
        self.kind = kind
        self.value = value
        self.ttl = ttl
        self.priority = priority

    def repeats(self, other: Record) -> bool:
        return self.kind == other.kind and self.value == other.value

    def renamed(self, name: DomainName) -> Record:
        """A copy for another owner."""
        return Record(name, self.kind, self.value, self.ttl, self.priority)


class Zone:
    """All records at and below one origin, without those of delegated children."""

    def __init__(self, origin: str, default_ttl: int = 3600) -> None:
        self.origin = DomainName.parse(origin)
        self.default_ttl = default_ttl
        self.serial = 0
        self._records: dict[DomainName, list[Record]] = {}

    def __len__(self) -> int:
        return sum(len(found) for found in self._records.values())

    def add(self, name: str, kind: str, value: str, ttl: int | None = None, priority: int = 0) -> Record:
        """Add a record and raise the serial; a repeated record takes the place of the old one."""
        owner = DomainName.parse(name, self.origin)
        if not owner.is_within(self.origin):
            raise ZoneError(f"{owner} is outside of {self.origin}")
        record = Record(owner, kind, value, self.default_ttl if ttl is None else ttl, priority)
        present = self._records.get(owner, [])
        kept = [known for known in present if not known.repeats(record)]
        self._check_alias(record, kept)
        self._records[owner] = kept + [record]
        self.serial += 1
        return record

    def _check_alias(self, record: Record, others: list[Record]) -> None:
        if others and record.kind == "CNAME":
            raise ZoneError(f"{record.name} has other records")
        if any(other.kind == "CNAME" for other in others):
            raise ZoneError(f"{record.name} is an alias")

    def remove(self, name: str, kind: str | None = None) -> int:
        """Remove the records of a name, of one kind or of all; the answer is how many there were."""
        owner = DomainName.parse(name, self.origin)
        present = self._records.get(owner, [])
        kept = [record for record in present if kind is not None and record.kind != kind]
        removed = len(present) - len(kept)
        if removed == 0:
            return 0
        if kept:
            self._records[owner] = kept
        else:
            del self._records[owner]
        self.serial += 1
        return removed

    def names(self) -> list[str]:
        """Owners relative to the origin, in canonical order."""
        return [name.relative_to(self.origin) for name in sorted(self._records)]

    def at(self, name: DomainName, kind: str) -> list[Record]:
        """Records of exactly this name and kind, the smallest priority first."""
        found = [record for record in self._records.get(name, []) if record.kind == kind]
        return sorted(found, key=lambda record: record.priority)

    def exists(self, name: DomainName) -> bool:
        """Whether the name has records, or lies on the way to one that has."""
        return any(known.is_within(name) for known in self._records)

    def delegation(self, name: DomainName) -> list[Record]:
        """Server records of the highest cut between the origin and the name."""
        cut: list[Record] = []
        for candidate in [name, *name.ancestors()]:
            if not candidate.is_below(self.origin):
                break
            cut = self.at(candidate, "NS") or cut
        return cut

    def wildcard_for(self, name: DomainName) -> DomainName | None:
        """The wildcard that stands for a missing name: the one below its closest existing ancestor."""
        for ancestor in name.ancestors():
            if not ancestor.is_within(self.origin):
                break
            star = DomainName(("*", *ancestor.labels))
            if star in self._records:
                return star
            if self.exists(ancestor):
                break
        return None

    def find(self, name: DomainName, kind: str) -> list[Record]:
        """Records that answer a query, or else an alias; those of a wildcard take the asked name."""
        owner = name
        if not self.exists(name):
            star = self.wildcard_for(name)
            if star is None:
                return []
            owner = star
        found = self.at(owner, kind) or self.at(owner, "CNAME")
        return [record.renamed(name) for record in found]
