"""Answering queries from zones, with a cache in front."""

from __future__ import annotations

from resolver.names import DomainName
from resolver.zone import Record, Zone

OK, NO_DATA, NO_NAME, REFERRAL, REFUSED, LOOP = "ok", "no data", "no name", "referral", "refused", "loop"


class Answer:
    def __init__(self, status: str, records: list[Record]) -> None:
        self.status = status
        self.records = records

    def values(self) -> list[str]:
        return [record.value for record in self.records]

    def ttl(self, default: int = 0) -> int:
        """Seconds for which the whole answer may be kept."""
        if not self.records:
            return default
        return min(record.ttl for record in self.records)


class AnswerCache:
    """Answers until they expire; `now` is whatever clock the caller keeps."""

    def __init__(self, capacity: int = 100, negative_ttl: int = 60) -> None:
        self.capacity = capacity
        self.negative_ttl = negative_ttl
        self._entries: dict[tuple[DomainName, str], tuple[int, Answer]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, name: DomainName, kind: str, now: int) -> Answer | None:
        until, answer = self._entries.get((name, kind), (0, None))
        if answer is None or until <= now:
            return None
        return answer

    def put(self, name: DomainName, kind: str, answer: Answer, now: int) -> None:
        lifetime = answer.ttl(self.negative_ttl)
        if lifetime == 0:
            return
        if (name, kind) not in self._entries and len(self) >= self.capacity:
            self._make_room(now)
        self._entries[name, kind] = (now + lifetime, answer)

    def _make_room(self, now: int) -> None:
        """Drop what has expired, or else the entry that expires first."""
        if self.purge(now) == 0:
            soonest = min(self._entries, key=lambda key: self._entries[key][0])
            del self._entries[soonest]

    def purge(self, now: int) -> int:
        """Drop what has expired; the answer is how many entries that were."""
        dead = [key for key, (until, _) in self._entries.items() if until <= now]
        for key in dead:
            del self._entries[key]
        return len(dead)


class Resolver:
    MAX_ALIASES = 8

    def __init__(self, zones: list[Zone], cache: AnswerCache | None = None) -> None:
        self.zones = list(zones)
        self.cache = cache

    def zone_for(self, name: DomainName) -> Zone | None:
        """The zone with the longest origin that holds the name."""
        holding = [zone for zone in self.zones if name.is_within(zone.origin)]
        return max(holding, key=lambda zone: len(zone.origin), default=None)

    def resolve(self, text: str, kind: str = "A", now: int = 0) -> Answer:
        name = DomainName.parse(text)
        if self.cache is None:
            return self._follow(name, kind)
        answer = self.cache.get(name, kind, now)
        if answer is None:
            answer = self._follow(name, kind)
            if answer.status in (OK, NO_DATA, NO_NAME):
                self.cache.put(name, kind, answer, now)
        return answer

    def _follow(self, name: DomainName, kind: str) -> Answer:
        """Collect the chain of aliases and what stands at its end."""
        chain: list[Record] = []
        while len(chain) <= self.MAX_ALIASES:
            step = self._ask(name, kind)
            chain.extend(step.records)
            if step.status != OK or chain[-1].kind == kind:
                return Answer(step.status, chain)
            name = DomainName.parse(chain[-1].value)
        return Answer(LOOP, chain)

    def _ask(self, name: DomainName, kind: str) -> Answer:
        zone = self.zone_for(name)
        if zone is None:
            return Answer(REFUSED, [])
        servers = zone.delegation(name)
        if servers:
            return Answer(REFERRAL, servers)
        found = zone.find(name, kind)
        if found:
            return Answer(OK, found)
        if zone.exists(name) or zone.wildcard_for(name):
            return Answer(NO_DATA, [])
        return Answer(NO_NAME, [])

    def mail_hosts(self, text: str, now: int = 0) -> list[str]:
        """Hosts that take mail for a name, the preferred first; without any, the name itself."""
        answer = self.resolve(text, "MX", now)
        hosts = [record.value for record in answer.records if record.kind == "MX"]
        if not hosts and answer.status == NO_DATA:
            return [text]
        return hosts
