"""Live batches: sealed once, marked with what became of them."""

from enum import StrEnum

from pydantic import Field
from sqlalchemy import Connection, select, update

from rlaios_core.control import tables
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.schema import LiveBatch, StoredModel

_B, _E = tables.batches, tables.episodes


class BatchMark(StrEnum):
    """What became of a batch."""

    SEALED = "sealed"
    """It waits for its update."""
    LEARNED = "learned"
    """An update was made from it."""
    UPDATE_FAILED = "update_failed"
    """Its update gave nothing usable."""
    ABANDONED = "abandoned"
    """A rollback came before its update."""
    ROLLBACK_BATCH = "rollback_batch"
    """Its update was rolled back."""


class SealedBatch(StoredModel):
    """A batch with what its update reads beside it: states to hold to the reference, and what to imitate."""

    batch: LiveBatch
    negative_ids: tuple[str, ...] = ()
    earlier_reference_ids: tuple[str, ...] = Field(
        default=(), description="References of earlier epochs, rehearsed beside the batch's own."
    )
    imitated_ids: tuple[str, ...] = Field(
        default=(), description="Own successes that beat their counterpart, imitated beside references."
    )


def sealed_batch(store: ControlStateStore, campaign: str, epoch: int) -> SealedBatch | None:
    """The batch of an epoch; null when none was sealed."""
    query = select(_B.c.record).where(_B.c.campaign == campaign, _B.c.epoch == epoch)
    with store.reading() as connection:
        text = connection.scalar(query)
    return None if text is None else SealedBatch.model_validate_json(text)


def put_batch(connection: Connection, sealed: SealedBatch) -> None:
    """Seal a batch: its record, and its id on each of its live episodes."""
    batch = sealed.batch
    connection.execute(
        _B.insert().values(
            batch_id=batch.batch_id,
            campaign=batch.campaign,
            epoch=batch.epoch,
            mark=BatchMark.SEALED.value,
            record=sealed.model_dump_json(by_alias=True),
        )
    )
    for start in range(0, len(batch.episode_ids), 500):
        part = list(batch.episode_ids[start : start + 500])
        connection.execute(update(_E).where(_E.c.episode_id.in_(part)).values(batch_id=batch.batch_id))


def mark_batch(connection: Connection, batch_id: str, mark: BatchMark, produced: str | None = None) -> None:
    """Note what became of a batch, and the checkpoint it produced."""
    values: dict[str, str] = {"mark": mark.value}
    if produced is not None:
        values["produced"] = produced
    connection.execute(update(_B).where(_B.c.batch_id == batch_id).values(**values))


def batch_that_produced(connection: Connection, campaign: str, checkpoint_id: str) -> str | None:
    """The batch that a checkpoint was trained from."""
    return connection.scalar(
        select(_B.c.batch_id).where(_B.c.campaign == campaign, _B.c.produced == checkpoint_id)
    )
