"""Reading back: who was which pointer when and why, and what the verdicts were."""

from datetime import UTC, datetime

from sqlalchemy import select

from rlaios_core.control import tables
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.reports import PointerMove
from rlaios_core.schema import CheckpointRecord, ComparisonResult, Pointer

_M, _C, _R = tables.pointer_moves, tables.checkpoints, tables.comparisons


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
