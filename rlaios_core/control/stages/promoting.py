"""Stage 6: gates, then pointers, in one transaction with the events that say why; the epoch closes."""

from sqlalchemy import Connection

from rlaios_core.control import rules
from rlaios_core.control.batches import BatchMark, mark_batch
from rlaios_core.control.control_state_store import moves_between
from rlaios_core.control.episode_store import move_batch
from rlaios_core.control.errors import CampaignError
from rlaios_core.control.events import (
    CampaignPaused,
    EpochClosed,
    Event,
    GateFinding,
    RollbackTriggered,
    StableConfirmed,
    UpdateCompleted,
    UpdateFailed,
)
from rlaios_core.control.reports import (
    BenchmarkReport,
    CandidateReport,
    CandidateStatus,
    CollectionReport,
    ComparisonReport,
    ConfirmationReport,
    LaneReport,
    PointerMove,
    PromotionReport,
    Stage,
)
from rlaios_core.control.stages.confirming import confirm
from rlaios_core.control.stages.desk import Desk, Epoch, Progress, Stopwatch, open_epoch, require_open, silent
from rlaios_core.control.state import ControlState, Mode
from rlaios_core.schema import EpochRecord, EpochStatus, Lane, RelativeOutcome


def promote(desk: Desk, key: str, progress: Progress = silent) -> PromotionReport:
    """Close the epoch: confirm, promote, update or call for a rollback."""
    epoch = open_epoch(desk, key)
    stored = desk.ledger.report(key, Stage.PROMOTION, PromotionReport)
    if stored is not None:
        return stored
    require_open(epoch)
    watch = Stopwatch()
    candidate = desk.ledger.require(key, Stage.CANDIDATE, CandidateReport)
    confirmations = confirm(desk, epoch, progress)
    with desk.store.writing(epoch.name.campaign) as connection:
        closing = _Closing(desk, connection, epoch)
        gates = _gates(closing.state, confirmations)
        if closing.state.due is not None:
            _call_for_rollback(closing, candidate)
        else:
            _promote(closing, gates, confirmations)
            _update(closing, candidate)
        closing.append(
            EpochClosed(campaign=epoch.name.campaign, epoch=epoch.name.epoch, kind=epoch.record.kind)
        )
        _pause_if_due(closing)
        report = PromotionReport(
            key=key,
            moves=tuple(closing.moves),
            gates=gates,
            promoted=any(isinstance(event, StableConfirmed) for event in closing.events),
            confirmations=tuple(confirmation.result for confirmation in confirmations),
            verdict=_verdict(desk, key),
            streak=closing.state.streak,
            rollback=closing.state.pending.reason if closing.state.pending else None,
            paused=closing.state.mode is Mode.PAUSED,
            next_kind=rules.next_epoch_kind(closing.state),
            seconds=watch.seconds,
        )
        desk.ledger.put(connection, _closed_record(desk, epoch, candidate, confirmations, watch))
        desk.ledger.put_report(connection, key, Stage.PROMOTION, report)
    desk.registry.retain(epoch.name.campaign, epoch.settings.retention.checkpoints)
    return report


class _Closing:
    """The closing transaction: appends events and gathers the moves they make."""

    def __init__(self, desk: Desk, connection: Connection, epoch: Epoch) -> None:
        self._desk = desk
        self.connection = connection
        self.epoch = epoch
        state = desk.store.state_in(connection, epoch.name.campaign)
        if state is None:
            raise CampaignError(f"there is no campaign {epoch.name.campaign!r}")
        self.state: ControlState = state
        self.events: list[Event] = []
        self.moves: list[PointerMove] = []

    def append(self, event: Event) -> None:
        """Apply an event inside the transaction."""
        before = self.state.lineage
        self.state = self._desk.store.append(self.connection, event)
        self.events.append(event)
        for move in moves_between(before, self.state.lineage, event):
            parent = None
            if move.checkpoint_id is not None:
                parent = self._desk.registry.record(move.checkpoint_id).parent
            self.moves.append(move.model_copy(update={"parent": parent}))


def _gates(state: ControlState, confirmations: list[ConfirmationReport]) -> tuple[GateFinding, ...]:
    """All gates that could be asked, in order: without a confirmation only the early ones."""
    early = rules.early_gates(state)
    if not confirmations:
        return early
    newest = confirmations[-1]
    late = rules.late_gates(
        newest.result,
        state.rules,
        first_promotion=state.promotions == 0,
        violation_rates=newest.violations,
    )
    return (*early, *late)


def _promote(
    closing: _Closing, gates: tuple[GateFinding, ...], confirmations: list[ConfirmationReport]
) -> None:
    if len(confirmations) != 1 or not all(gate.passed for gate in gates):
        return
    name, lineage = closing.epoch.name, closing.state.lineage
    closing.append(
        StableConfirmed(
            campaign=name.campaign,
            epoch=name.epoch,
            checkpoint_id=lineage.active,
            previous=lineage.last_stable,
            gates=gates,
        )
    )


def _update(closing: _Closing, candidate: CandidateReport) -> None:
    name, connection = closing.epoch.name, closing.connection
    if candidate.batch_id is None:
        return
    if candidate.status is CandidateStatus.FAILED:
        closing.append(
            UpdateFailed(
                campaign=name.campaign,
                epoch=name.epoch,
                batch_id=candidate.batch_id,
                reason=candidate.reason,
            )
        )
        mark_batch(connection, candidate.batch_id, BatchMark.UPDATE_FAILED)
        move_batch(connection, candidate.batch_id, Lane.DIAGNOSTIC_ONLY)
    elif candidate.checkpoint_id is not None and candidate.parent is not None:
        closing.append(
            UpdateCompleted(
                campaign=name.campaign,
                epoch=name.epoch,
                batch_id=candidate.batch_id,
                previous=candidate.parent,
                new=candidate.checkpoint_id,
            )
        )
        mark_batch(connection, candidate.batch_id, BatchMark.LEARNED, candidate.checkpoint_id)


def _call_for_rollback(closing: _Closing, candidate: CandidateReport) -> None:
    name, state = closing.epoch.name, closing.state
    if state.due is None:
        raise CampaignError("no rollback is due")
    target = rules.rollback_target(state, state.due)
    if target is None:
        raise CampaignError(f"campaign {name.campaign!r} has no checkpoint to roll back to")
    closing.append(
        RollbackTriggered(
            campaign=name.campaign,
            epoch=name.epoch,
            ordinal=state.rollbacks,
            reason=state.due,
            from_checkpoint=state.lineage.active,
            to_checkpoint=target,
        )
    )
    if candidate.batch_id is not None:
        mark_batch(closing.connection, candidate.batch_id, BatchMark.ABANDONED)


def _pause_if_due(closing: _Closing) -> None:
    state = closing.state
    if rules.pause_due(state):
        closing.append(
            CampaignPaused(
                campaign=state.campaign,
                epoch=closing.epoch.name.epoch,
                ordinal=state.stops,
                reason=f"{state.failed_in_a_row} comparisons failed in a row",
            )
        )


def _verdict(desk: Desk, key: str) -> RelativeOutcome | None:
    result = desk.ledger.require(key, Stage.COMPARISON, ComparisonReport).result
    return None if result is None else result.relative_outcome


def _closed_record(
    desk: Desk,
    epoch: Epoch,
    candidate: CandidateReport,
    confirmations: list[ConfirmationReport],
    watch: Stopwatch,
) -> EpochRecord:
    """The epoch's record as the ledger keeps it."""
    ledger, key = desk.ledger, epoch.key
    benchmark = ledger.require(key, Stage.BENCHMARK, BenchmarkReport)
    collected = [
        ledger.require(key, Stage.EPISODES, CollectionReport, environment)
        for environment in epoch.settings.environments
    ]
    comparison = ledger.require(key, Stage.COMPARISON, ComparisonReport)
    lanes = ledger.require(key, Stage.LANES, LaneReport)
    result = comparison.result
    confirming = sum(confirmation.seconds for confirmation in confirmations)
    seconds = {
        Stage.BENCHMARK.value: sum(part.seconds for part in benchmark.environments),
        **{f"{Stage.EPISODES.value}:{part.environment}": part.seconds for part in collected},
        Stage.COMPARISON.value: comparison.seconds,
        Stage.LANES.value: lanes.seconds,
        Stage.CANDIDATE.value: candidate.seconds,
        Stage.CONFIRMATION.value: confirming,
        Stage.PROMOTION.value: max(0.0, watch.seconds - confirming),
    }
    return epoch.record.model_copy(
        update={
            "status": EpochStatus.CLOSED,
            "verdict": None if result is None else result.relative_outcome,
            "comparison_failed": result is not None and result.relative_outcome is None,
            "candidate_checkpoint": candidate.checkpoint_id,
            "episodes": sum(part.episodes for part in collected),
            "faults": sum(part.faults + part.reference_faults for part in collected),
            "successes": sum(part.successes for part in collected),
            "mean_reward": lanes.mean_reward,
            "seconds": {name: round(value, 3) for name, value in seconds.items()},
        }
    )
