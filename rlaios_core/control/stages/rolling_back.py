"""The rollback: weights restored and verified, the batch marked, and a diagnosis of what went wrong."""

from collections import defaultdict

import numpy as np
from pydantic import TypeAdapter
from sqlalchemy import Connection, func, insert, select

from rlaios_core.control import tables
from rlaios_core.control.batches import BatchMark, batch_that_produced, mark_batch
from rlaios_core.control.database import moment
from rlaios_core.control.episode_store import move_batch
from rlaios_core.control.epoch_ledger import require_running
from rlaios_core.control.errors import CampaignError
from rlaios_core.control.events import RollbackCompleted, RollbackFailed, RollbackTriggered
from rlaios_core.control.reports import CandidateReport, Stage
from rlaios_core.control.stages.desk import Desk
from rlaios_core.control.state import ControlState, Mode, PendingRollback
from rlaios_core.schema import (
    ComparisonResult,
    EpochKind,
    Lane,
    PairOutcome,
    RollbackReason,
    RollbackRecord,
    content_hash,
    epoch_key,
)
from rlaios_core.student import CheckpointError

Diagnosis = dict[str, float | int | str | list[str]]
_PAIRS: TypeAdapter[list[PairOutcome]] = TypeAdapter(list[PairOutcome])
_WORST_FAMILIES = 5


def roll_back(
    desk: Desk, campaign: str, reason: RollbackReason | None = None, note: str = ""
) -> RollbackRecord:
    """Carry out the pending rollback; with a reason and none pending, call for one first.

    The record says whether the restored weights could be verified. When they could not, the campaign
    is frozen and its pointers are where they were.
    """
    state = desk.store.state(campaign)
    if state.mode is not Mode.ROLLBACK_PENDING:
        state = _request(desk, state, reason, note)
    if state.pending is None:
        raise CampaignError(f"campaign {campaign!r} has no rollback pending")
    pending = state.pending
    ordinal = state.rollbacks + state.stops
    diagnosis = diagnose(desk, state, pending)
    try:
        weights_hash, failure = desk.registry.restore(pending.to_checkpoint), ""
    except CheckpointError as error:
        weights_hash, failure = "", str(error)
    record = RollbackRecord(
        rollback_id="rb-" + content_hash([campaign, ordinal, pending.to_json()]),
        campaign=campaign,
        epoch=pending.epoch,
        reason=pending.reason,
        from_checkpoint=pending.from_checkpoint,
        to_checkpoint=pending.to_checkpoint,
        weights_hash=weights_hash,
        verified=not failure,
        batch_id=state.active_batch,
        diagnosis={**diagnosis, **({"failure": failure} if failure else {})},
    )
    with desk.store.writing(campaign) as connection:
        if failure:
            desk.store.append(
                connection,
                RollbackFailed(campaign=campaign, epoch=pending.epoch, ordinal=ordinal, reason=failure),
            )
        else:
            desk.store.append(
                connection,
                RollbackCompleted(
                    campaign=campaign,
                    epoch=pending.epoch,
                    ordinal=ordinal,
                    restored=pending.to_checkpoint,
                    weights_hash=weights_hash,
                ),
            )
            _undo_batches(desk, connection, pending, campaign)
        newest = select(func.max(tables.rollbacks.c.recorded_at)).where(
            tables.rollbacks.c.campaign == campaign
        )
        connection.execute(
            insert(tables.rollbacks).values(
                rollback_id=record.rollback_id,
                campaign=campaign,
                epoch=record.epoch,
                recorded_at=moment(connection.scalar(newest)),
                record=record.model_dump_json(by_alias=True),
            )
        )
    return record


def rollback_records(desk: Desk, campaign: str) -> list[RollbackRecord]:
    """A campaign's rollbacks, oldest first."""
    table = tables.rollbacks
    query = select(table.c.record).where(table.c.campaign == campaign).order_by(table.c.recorded_at)
    with desk.store.reading() as connection:
        return [RollbackRecord.model_validate_json(text) for text in connection.scalars(query)]


def _request(desk: Desk, state: ControlState, reason: RollbackReason | None, note: str) -> ControlState:
    """A person calls for a rollback to the policy before the last update, else to the last stable one."""
    require_running(state)
    if reason is None:
        raise CampaignError(f"campaign {state.campaign!r} has no rollback pending")
    target = state.lineage.pre_update_ref or state.lineage.last_stable
    if target == state.lineage.active:
        raise CampaignError(f"campaign {state.campaign!r} has nothing to roll back to: active is last_stable")
    if state.open_epoch is not None:
        raise CampaignError(f"an epoch of campaign {state.campaign!r} is under way: finish it first")
    event = RollbackTriggered(
        campaign=state.campaign,
        epoch=state.epoch,
        ordinal=state.rollbacks,
        reason=RollbackReason.REQUESTED,
        from_checkpoint=state.lineage.active,
        to_checkpoint=target,
        note=note or reason.value,
    )
    with desk.store.writing(state.campaign) as connection:
        return desk.store.append(connection, event)


def _undo_batches(desk: Desk, connection: Connection, pending: PendingRollback, campaign: str) -> None:
    """Mark every batch between the rolled-back checkpoint and the restored one; never imitate them."""
    checkpoint: str | None = pending.from_checkpoint
    while checkpoint is not None and checkpoint != pending.to_checkpoint:
        batch = batch_that_produced(connection, campaign, checkpoint)
        if batch is not None:
            mark_batch(connection, batch, BatchMark.ROLLBACK_BATCH)
            move_batch(connection, batch, Lane.NEGATIVE)
        checkpoint = desk.registry.record(checkpoint).parent


def diagnose(desk: Desk, state: ControlState, pending: PendingRollback) -> Diagnosis:
    """Where the rolled-back policy lost: environments, families, pairs, and its update's losses."""
    table = tables.comparisons
    born = desk.registry.record(pending.from_checkpoint).epoch
    query = (
        select(table.c.result, table.c.pairs)
        .where(table.c.campaign == state.campaign, table.c.epoch >= born)
        .order_by(table.c.epoch, table.c.against, table.c.repetition)
    )
    with desk.store.reading() as connection:
        rows = connection.execute(query).all()
    pairs = [
        pair
        for row in rows
        if ComparisonResult.model_validate_json(row.result).active_checkpoint == pending.from_checkpoint
        for pair in _PAIRS.validate_json(row.pairs)
    ]
    differences: defaultdict[str, list[float]] = defaultdict(list)
    families: defaultdict[str, list[float]] = defaultdict(list)
    for pair in pairs:
        if pair.active_score is not None and pair.reference_score is not None:
            difference = pair.active_score - pair.reference_score
            differences[pair.environment].append(difference)
            families[f"{pair.environment}/{pair.family}"].append(difference)
    diagnosis: Diagnosis = {
        "pairs": len(pairs),
        "lostPairs": sum(value < 0 for values in differences.values() for value in values),
    }
    for environment, values in sorted(differences.items()):
        diagnosis[f"meanDifference.{environment}"] = round(float(np.mean(values)), 4)
    losing = sorted(
        (round(float(np.mean(values)), 4), name, len(values)) for name, values in families.items()
    )
    diagnosis["worstFamilies"] = [
        f"{name}: {mean:+.3f} over {count} pairs"
        for mean, name, count in losing[:_WORST_FAMILIES]
        if mean < 0
    ]
    if losing:
        diagnosis["worstEnvironment"] = min(differences, key=lambda name: float(np.mean(differences[name])))
    return {**diagnosis, **_losses(desk, state.campaign, pending.from_checkpoint)}


def _losses(desk: Desk, campaign: str, checkpoint_id: str) -> Diagnosis:
    """The numbers of the update that made the checkpoint."""
    record = desk.registry.record(checkpoint_id)
    if record.epoch == 0:
        return {}
    key = epoch_key(campaign, record.epoch, EpochKind.TRAINING)
    report = desk.ledger.report(key, Stage.CANDIDATE, CandidateReport)
    numbers = (report.update if report is not None else None) or {}
    return {f"update.{name}": value for name, value in numbers.items()}
