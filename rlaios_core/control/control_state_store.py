"""The store of control state: an append-only log of events, each applied exactly once.

Appending is one transaction: the lease is checked, the event is applied, inserted with its position,
the snapshot replaced and the pointers' moves noted. Snapshots are a cache: one that does not fit the
log or its own digest is ignored and rebuilt from the events.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from pydantic import ValidationError
from sqlalchemy import Connection, Engine, insert, select, update

from rlaios_core.control import tables
from rlaios_core.control.database import make_engine, moment, now, reading, upsert, writing
from rlaios_core.control.database_errors import plain_errors, shown
from rlaios_core.control.errors import CampaignError, StoreError, TransitionError
from rlaios_core.control.events import (
    CampaignOpened,
    Event,
    RollbackCompleted,
    StableConfirmed,
    UpdateCompleted,
    event_id_of,
    parse_event,
)
from rlaios_core.control.leases import LeaseKeeper
from rlaios_core.control.reports import PointerMove
from rlaios_core.control.schema_revision import open_schema
from rlaios_core.control.settings import CampaignSettings
from rlaios_core.control.state import ControlState
from rlaios_core.control.transitions import apply
from rlaios_core.schema import Lineage, Pointer

_EVENTS, _SNAPSHOTS, _MOVES = tables.events, tables.snapshots, tables.pointer_moves


class _Head(NamedTuple):
    """The newest event's place and moment, and what the snapshot says; null where there is none."""

    position: int
    recorded_at: float
    snapshot_position: int | None
    state: str | None
    digest: str | None


class ControlStateStore:
    """Campaigns, their events and their state in one database. Connects on first use."""

    def __init__(self, database_url: str, leases: LeaseKeeper | None = None) -> None:
        self._where = shown(database_url)
        with plain_errors(database_url):
            self._engine = make_engine(database_url)
        self._leases = leases or LeaseKeeper(self._engine)
        self._ready = False

    @property
    def engine(self) -> Engine:
        """The engine, with its schema brought up."""
        if not self._ready:
            open_schema(self._engine)
            self._ready = True
        return self._engine

    def close(self) -> None:
        """Release the leases held and close every connection."""
        try:
            self._leases.release()
        finally:
            self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A read transaction."""
        with reading(self.engine) as connection:
            yield connection

    @contextmanager
    def writing(self, campaign: str) -> Iterator[Connection]:
        """A write transaction of the campaign's one writer. Raises `LeaseError` for any other."""
        engine = self.engine
        self._leases.acquire(campaign)
        with writing(engine) as connection:
            self._leases.check(connection, campaign)
            yield connection

    def other_writer(self, campaign: str) -> str | None:
        """Who else writes to the campaign now; null when nobody does. Takes no lease."""
        with self.reading() as connection:
            return self._leases.other(connection, campaign)

    def campaigns(self) -> list[str]:
        """Names of all campaigns, oldest first."""
        table = tables.campaigns
        with self.reading() as connection:
            return list(connection.scalars(select(table.c.name).order_by(table.c.opened_at, table.c.name)))

    def settings(self, campaign: str) -> CampaignSettings:
        """The campaign's settings. Raises `CampaignError` for an unknown campaign."""
        table = tables.campaigns
        with self.reading() as connection:
            text = connection.scalar(select(table.c.settings).where(table.c.name == campaign))
        if text is None:
            raise CampaignError(f"there is no campaign {campaign!r} in {self._where}")
        try:
            return CampaignSettings.model_validate_json(text)
        except ValidationError as error:
            raise StoreError(
                f"the settings of campaign {campaign!r} in {self._where} are not readable: "
                "restore the store from a backup"
            ) from error

    def put_settings(self, connection: Connection, settings: CampaignSettings) -> None:
        """Write the campaign's settings; when it was first opened is kept."""
        table, text = tables.campaigns, settings.model_dump_json(by_alias=True)
        same = table.c.name == settings.name
        if connection.execute(update(table).where(same).values(settings=text)).rowcount == 0:
            connection.execute(
                insert(table).values(name=settings.name, settings=text, opened_at=now(connection))
            )

    def state(self, campaign: str) -> ControlState:
        """The campaign's state. Raises `CampaignError` for an unknown campaign."""
        with self.reading() as connection:
            state = self.state_in(connection, campaign)
        if state is None:
            raise CampaignError(f"there is no campaign {campaign!r} in {self._where}")
        return state

    def state_in(self, connection: Connection, campaign: str) -> ControlState | None:
        """The state as this transaction sees it: the snapshot, or a fold of the log when that is stale."""
        head = self._head(connection, campaign)
        return None if head is None else self._state_at(connection, campaign, head)

    def _head(self, connection: Connection, campaign: str) -> _Head | None:
        """The campaign's newest event and its snapshot, by one look-up each whatever came before."""
        query = (
            select(
                _EVENTS.c.position,
                _EVENTS.c.recorded_at,
                _SNAPSHOTS.c.position.label("snapshot_position"),
                _SNAPSHOTS.c.state,
                _SNAPSHOTS.c.digest,
            )
            .outerjoin(_SNAPSHOTS, _SNAPSHOTS.c.campaign == _EVENTS.c.campaign)
            .where(_EVENTS.c.campaign == campaign)
            .order_by(_EVENTS.c.position.desc())
            .limit(1)
        )
        row = connection.execute(query).one_or_none()
        return None if row is None else _Head(*row)

    def _state_at(self, connection: Connection, campaign: str, head: _Head) -> ControlState | None:
        if head.snapshot_position == head.position and head.digest == _digest(head.state or ""):
            try:
                return ControlState.model_validate_json(head.state or "")
            except ValidationError:
                return self.fold(connection, campaign)
        return self.fold(connection, campaign)

    def fold(self, connection: Connection, campaign: str) -> ControlState | None:
        """The state from the events alone. Raises `StoreError` when an event is missing or altered."""
        state: ControlState | None = None
        for position, event in enumerate(self._events(connection, campaign), start=1):
            try:
                state = apply(state, event)
            except TransitionError as error:
                raise self._broken_log(campaign, position) from error
        return state

    def events(self, campaign: str) -> list[Event]:
        """The campaign's events in order."""
        with self.reading() as connection:
            return list(self._events(connection, campaign))

    def append(self, connection: Connection, event: Event) -> ControlState:
        """Apply an event, once: one that is in the log already changes nothing."""
        known = connection.scalar(select(_EVENTS.c.position).where(_EVENTS.c.event_id == event.event_id))
        head = self._head(connection, event.campaign)
        state = None if head is None else self._state_at(connection, event.campaign, head)
        if known is not None and state is not None:
            return state
        if isinstance(event, UpdateCompleted) and self._was_used(connection, event.campaign, event.new):
            raise TransitionError(f"checkpoint id {event.new} was used before in {event.campaign!r}")
        changed = apply(state, event)
        recorded_at = moment(None if head is None else head.recorded_at)
        connection.execute(
            insert(_EVENTS).values(
                event_id=event.event_id,
                campaign=event.campaign,
                position=changed.position,
                epoch=event.epoch,
                type=event.type,
                payload=event.model_dump_json(by_alias=True),
                recorded_at=recorded_at,
            )
        )
        for move in moves_between(state.lineage if state else None, changed.lineage, event):
            connection.execute(
                insert(_MOVES).values(
                    campaign=event.campaign,
                    recorded_at=recorded_at,
                    **move.model_dump(mode="json", exclude={"parent", "recorded_at"}),
                )
            )
        text = changed.model_dump_json(by_alias=True)
        upsert(
            connection,
            _SNAPSHOTS,
            {
                "campaign": event.campaign,
                "position": changed.position,
                "state": text,
                "digest": _digest(text),
            },
        )
        return changed

    def _events(self, connection: Connection, campaign: str) -> Iterator[Event]:
        query = (
            select(_EVENTS.c.event_id, _EVENTS.c.position, _EVENTS.c.payload)
            .where(_EVENTS.c.campaign == campaign)
            .order_by(_EVENTS.c.position)
        )
        for expected, row in enumerate(connection.execute(query), start=1):
            try:
                event = parse_event(row.payload)
            except ValidationError as error:
                raise self._broken_log(campaign, expected) from error
            if row.position != expected or event_id_of(row.payload) != row.event_id:
                raise self._broken_log(campaign, expected)
            yield event

    def _broken_log(self, campaign: str, position: int) -> StoreError:
        return StoreError(
            f"event {position} of campaign {campaign!r} in {self._where} is missing or was altered: "
            "restore the store from a backup"
        )

    def _was_used(self, connection: Connection, campaign: str, checkpoint_id: str) -> bool:
        query = select(_MOVES.c.move_id).where(
            _MOVES.c.campaign == campaign, _MOVES.c.checkpoint_id == checkpoint_id
        )
        return connection.execute(query.limit(1)).first() is not None


def moves_between(before: Lineage | None, after: Lineage, event: Event) -> list[PointerMove]:
    """What an event moved, with the reason in words."""
    return [
        PointerMove(
            pointer=pointer,
            previous=getattr(before, pointer.value, None),
            checkpoint_id=getattr(after, pointer.value),
            reason=reason_of(event),
            event_id=event.event_id,
            epoch=event.epoch,
        )
        for pointer in Pointer
        if getattr(before, pointer.value, None) != getattr(after, pointer.value)
    ]


def reason_of(event: Event) -> str:
    """Why an event moves pointers, in words."""
    match event:
        case CampaignOpened():
            return "campaign opened with an untrained student"
        case UpdateCompleted():
            return f"update from batch {event.batch_id}"
        case StableConfirmed():
            return "confirmed: " + "; ".join(f"{gate.gate}: {gate.detail}" for gate in event.gates)
        case RollbackCompleted():
            return f"rolled back; weights verified as {event.weights_hash}"
    return event.type


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
