"""Reading back: who was which pointer when and why, and what the verdicts were."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import zip_longest

from sqlalchemy import Connection, select

from rlaios_core.control import tables
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.events import (
    GateFinding,
    RollbackCompleted,
    RollbackTriggered,
    StableConfirmed,
    UpdateCompleted,
    parse_event,
)
from rlaios_core.control.reports import PointerMove
from rlaios_core.schema import CheckpointRecord, ComparisonResult, Model, Pointer


class Reign(Model):
    """One stretch of time in which a pointer named a checkpoint; the last one has no end."""

    pointer: Pointer
    checkpoint_id: str | None
    parent: str | None
    since: datetime | None
    since_epoch: int
    until: datetime | None = None
    until_epoch: int | None = None
    why: str
    ended_by: str = ""

    def as_last(self) -> "Reign":
        """The same while it lasted."""
        return self.model_copy(update={"until": None, "until_epoch": None, "ended_by": ""})


class Evidence(Model):
    """What a pointer move rests on: the verdicts the control plane had before it, and the gates it asked.

    `note` is what a rollback was called for.
    """

    comparisons: tuple[ComparisonResult, ...] = ()
    gates: tuple[GateFinding, ...] = ()
    note: str = ""


_M, _C, _R, _E = tables.pointer_moves, tables.checkpoints, tables.comparisons, tables.events


def pointer_history(store: ControlStateStore, campaign: str) -> list[PointerMove]:
    """Every pointer move of a campaign, oldest first, with the moved-to checkpoint's parent."""
    query = (
        select(_M, _C.c.record)
        .outerjoin(_C, _C.c.checkpoint_id == _M.c.checkpoint_id)
        .where(_M.c.campaign == campaign)
        .order_by(_M.c.move_id)
    )
    with store.reading() as connection:
        rows = connection.execute(query).all()
    return [
        PointerMove(
            pointer=Pointer(row.pointer),
            previous=row.previous,
            checkpoint_id=row.checkpoint_id,
            parent=None if row.record is None else CheckpointRecord.model_validate_json(row.record).parent,
            reason=row.reason,
            event_id=row.event_id,
            epoch=row.epoch,
            recorded_at=datetime.fromtimestamp(row.recorded_at, UTC),
        )
        for row in rows
    ]


def comparison_results(
    store: ControlStateStore, campaign: str, against: Pointer = Pointer.PRE_UPDATE_REF
) -> list[ComparisonResult]:
    """The comparisons of a campaign against one pointer, oldest first."""
    query = (
        select(_R.c.result)
        .where(_R.c.campaign == campaign, _R.c.against == against.value)
        .order_by(_R.c.epoch, _R.c.repetition)
    )
    with store.reading() as connection:
        return [ComparisonResult.model_validate_json(text) for text in connection.scalars(query)]


def reigns(moves: Sequence[PointerMove], pointer: Pointer) -> list[Reign]:
    """Who a pointer named and for how long, oldest first."""
    own = [move for move in moves if move.pointer is pointer]
    return [
        Reign(
            pointer=pointer,
            checkpoint_id=move.checkpoint_id,
            parent=move.parent,
            since=move.recorded_at,
            since_epoch=move.epoch,
            until=None if following is None else following.recorded_at,
            until_epoch=None if following is None else following.epoch,
            why=move.reason,
            ended_by="" if following is None else following.reason,
        )
        for move, following in zip_longest(own, own[1:])
    ]


def evidence(store: ControlStateStore, campaign: str, event_id: str) -> Evidence:
    """The evidence behind the event that moved a pointer.

    An update rests on the verdict of its epoch; a promotion on its gates and on the confirmation; a
    rollback on every verdict on the policy that it removes.
    """
    with store.reading() as connection:
        row = connection.execute(select(_E).where(_E.c.event_id == event_id)).one_or_none()
        event = None if row is None else parse_event(row.payload)
        match event:
            case UpdateCompleted():
                verdicts = _verdicts(connection, campaign, event.epoch, Pointer.PRE_UPDATE_REF)
                return Evidence(comparisons=tuple(r for r in verdicts if r.epoch == event.epoch))
            case StableConfirmed():
                verdicts = _verdicts(connection, campaign, event.epoch, Pointer.LAST_STABLE)
                on_it = tuple(r for r in verdicts if r.epoch == event.epoch)
                return Evidence(comparisons=on_it, gates=event.gates)
            case RollbackCompleted() if row is not None:
                return _behind_rollback(connection, campaign, row.position)
    return Evidence()


def _behind_rollback(connection: Connection, campaign: str, position: int) -> Evidence:
    """The verdicts on the policy that the rollback at `position` of the log removed."""
    query = (
        select(_E.c.payload)
        .where(_E.c.campaign == campaign, _E.c.position < position, _E.c.type == "rollback.triggered")
        .order_by(_E.c.position.desc())
        .limit(1)
    )
    called = parse_event(connection.execute(query).scalar_one())
    if not isinstance(called, RollbackTriggered):
        return Evidence()
    removed = called.from_checkpoint
    made = connection.scalar(select(_C.c.record).where(_C.c.checkpoint_id == removed))
    born = 0 if made is None else CheckpointRecord.model_validate_json(made).epoch
    on_it = tuple(r for r in _verdicts(connection, campaign, born) if r.active_checkpoint == removed)
    words = f"{called.reason.value}: {called.note}" if called.note else called.reason.value
    return Evidence(comparisons=on_it, note=words)


def _verdicts(
    connection: Connection, campaign: str, since: int, against: Pointer | None = None
) -> list[ComparisonResult]:
    """The comparisons from an epoch on, oldest first."""
    query = select(_R.c.result).where(_R.c.campaign == campaign, _R.c.epoch >= since)
    if against is not None:
        query = query.where(_R.c.against == against.value)
    ordered = query.order_by(_R.c.epoch, _R.c.against, _R.c.repetition)
    return [ComparisonResult.model_validate_json(text) for text in connection.scalars(ordered)]
