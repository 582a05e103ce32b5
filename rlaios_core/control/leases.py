"""One writer per campaign: a database row with an owner and an expiry.

A lease is kept alive by a thread while it is held, checked inside every write transaction, and taken
over when it has expired or when its owner, a process of this machine, is gone. Time is the database's,
so machines whose clocks differ agree.
"""

import threading
import time
from typing import NamedTuple

from sqlalchemy import Connection, Engine, Row, delete, select, update

from rlaios_core.control import tables
from rlaios_core.control.database import insert_if_new, now, upsert, writing
from rlaios_core.control.errors import LeaseError, StoreError
from rlaios_core.processes import Owner, died, this_process

LEASE_SECONDS = 60.0
"""How long a lease outlives its owner's last sign of life."""

_OVERLONG = 1.1
"""Times the length of a lease: one that expires later was written before the clock went back."""
_LEASES = tables.leases
_held: dict[tuple[str, str], int] = {}
_held_lock = threading.Lock()


class _Holder(NamedTuple):
    """Who has a lease that was asked for; `overlong` when it expires later than any lease written now."""

    owner: str
    expires_at: float
    overlong: bool


class LeaseKeeper:
    """Holds the leases of one store for this process."""

    def __init__(self, engine: Engine, owner: Owner | None = None, seconds: float = LEASE_SECONDS) -> None:
        self._engine = engine
        self._owner = owner or this_process()
        self._seconds = seconds
        self._mine: frozenset[str] = frozenset()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def acquire(self, campaign: str) -> None:
        """Take the campaign's lease. Raises `LeaseError` while another living process holds it."""
        if campaign in self._mine:
            return
        holder = self._take(campaign)
        if holder is not None and holder.overlong:
            # The clock went back since. An owner that lives writes a new expiry within a third of a lease.
            time.sleep(self._seconds / 2)
            holder = self._take(campaign, silent_since=holder.expires_at)
        if holder is not None:
            raise LeaseError(
                f"campaign {campaign!r} is being written by {holder.owner}: "
                "wait until it ends, or end it, then start again"
            )
        self._mine |= {campaign}
        with _held_lock:
            key = self._key(campaign)
            _held[key] = _held.get(key, 0) + 1
        self._keep_alive()

    def _take(self, campaign: str, silent_since: float | None = None) -> _Holder | None:
        """Write this owner's lease and return null, or return who holds it."""
        with writing(self._engine) as connection:
            time_now = now(connection)
            ours = {
                "campaign": campaign,
                "token": self._owner.token,
                "owner": self._owner.name,
                "host": self._owner.host,
                "pid": self._owner.pid,
                "started": self._owner.started,
                "expires_at": time_now + self._seconds,
            }
            if insert_if_new(connection, _LEASES, ours):
                return None
            row = self._row(connection, campaign)
            if row is not None and row.token != self._owner.token:
                silent = row.expires_at < time_now or row.expires_at == silent_since
                if not silent and not died(row.host, row.pid, row.started, self._owner.host):
                    ahead = row.expires_at - time_now
                    return _Holder(row.owner, row.expires_at, ahead > _OVERLONG * self._seconds)
            upsert(connection, _LEASES, ours)
            return None

    def other(self, connection: Connection, campaign: str) -> str | None:
        """The name of another living owner of the campaign's lease; null when it is free or ours."""
        row = self._row(connection, campaign, locked=False)
        if row is None or row.token == self._owner.token or row.expires_at < now(connection):
            return None
        gone = died(row.host, row.pid, row.started, self._owner.host)
        owner: str = row.owner
        return None if gone else owner

    def check(self, connection: Connection, campaign: str) -> None:
        """Inside a write transaction: refuse to go on when the lease was lost meanwhile."""
        row = self._row(connection, campaign)
        if row is None or row.token != self._owner.token:
            owner = "another process" if row is None else row.owner
            self._mine -= {campaign}
            raise LeaseError(f"campaign {campaign!r} was taken over by {owner}: nothing more was written")

    def release(self) -> None:
        """Give up every lease of this keeper that no other keeper of this process still uses."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        for campaign in sorted(self._mine):
            with _held_lock:
                key = self._key(campaign)
                _held[key] -= 1
                last = _held[key] == 0
            if last:
                with writing(self._engine) as connection:
                    connection.execute(
                        delete(_LEASES).where(
                            _LEASES.c.campaign == campaign, _LEASES.c.token == self._owner.token
                        )
                    )
        self._mine = frozenset()

    def _row(
        self, connection: Connection, campaign: str, *, locked: bool = True
    ) -> Row[tuple[object, ...]] | None:
        found = select(_LEASES).where(_LEASES.c.campaign == campaign)
        return connection.execute(found.with_for_update() if locked else found).one_or_none()

    def _key(self, campaign: str) -> tuple[str, str]:
        return (f"{self._engine.url}|{self._owner.token}", campaign)

    def _keep_alive(self) -> None:
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._beat, name="lease", daemon=True)
            self._thread.start()

    def _beat(self) -> None:
        while not self._stop.wait(self._seconds / 3):
            try:
                with writing(self._engine) as connection:
                    connection.execute(
                        update(_LEASES)
                        .where(
                            _LEASES.c.campaign.in_(sorted(self._mine)),
                            _LEASES.c.token == self._owner.token,
                        )
                        .values(expires_at=now(connection) + self._seconds)
                    )
            except StoreError:
                # The next beat tries again; a lease that is lost meanwhile is noticed by `check`.
                continue
