"""`apply(state, event)`: the one way a campaign's state changes. Pure; what may not follow is refused."""

from functools import singledispatch
from typing import NoReturn

from rlaios_core.control import events as e
from rlaios_core.control import rules
from rlaios_core.control.errors import TransitionError
from rlaios_core.control.state import ControlState, FrozenPair, Mode, OpenEpoch, PendingRollback
from rlaios_core.schema import EpochKind, Lineage, Pointer, RollbackReason


def apply(state: ControlState | None, event: e.Event) -> ControlState:
    """The state after `event`. Raises `TransitionError` when the event may not follow `state`."""
    if state is None:
        if not isinstance(event, e.CampaignOpened):
            _refuse(event, f"campaign {event.campaign!r} was not opened")
        return _opened(event)
    if event.campaign != state.campaign:
        _refuse(event, f"it belongs to campaign {event.campaign!r}, not {state.campaign!r}")
    changed = _next(event, state)
    return changed.model_copy(update={"position": state.position + 1})


def _opened(event: e.CampaignOpened) -> ControlState:
    return ControlState(
        campaign=event.campaign,
        rules=event.rules,
        environments=event.environments,
        position=1,
        lineage=Lineage(active=event.checkpoint_id, last_stable=event.checkpoint_id),
    )


@singledispatch
def _next(event: e.Event, state: ControlState) -> ControlState:
    """The state after the event, position aside; one body per kind of event."""
    _refuse(event, "the campaign is already open" if state else "it is not known")


@_next.register
def _(event: e.EpisodesRecorded, state: ControlState) -> ControlState:
    _need(event, state.mode is Mode.RUNNING, f"the campaign is {state.mode.value}")
    opened = state.open_epoch or OpenEpoch(epoch=state.epoch + 1, kind=event.kind)
    _need(event, event.epoch == opened.epoch, f"the epoch under way is {opened.epoch}")
    _need(event, event.kind is opened.kind, f"the epoch is a {opened.kind.value} epoch")
    allowed = event.kind is EpochKind.MONITORING or rules.next_epoch_kind(state) is EpochKind.TRAINING
    _need(event, state.open_epoch is not None or allowed, "the last verdict allows monitoring only")
    _need(event, event.environment in state.environments, "its environment is not active")
    _need(event, event.environment not in opened.recorded, "its environment is recorded already")
    played = (event.active_checkpoint, event.reference_checkpoint)
    _need(event, played == (state.lineage.active, state.lineage.pre_update_ref), "other checkpoints played")
    return _with_epoch(state, opened.model_copy(update={"recorded": (*opened.recorded, event.environment)}))


@_next.register
def _(event: e.ComparisonRecorded, state: ControlState) -> ControlState:
    epoch = _complete_epoch(event, state)
    _need(event, event.result.active_checkpoint == state.lineage.active, "it judged another checkpoint")
    if event.against is Pointer.LAST_STABLE:
        return _after_confirmation(event, state, epoch)
    _need(event, not epoch.compared, "the epoch is compared already")
    _need(
        event,
        state.lineage.pre_update_ref is not None
        and event.result.reference_checkpoint == state.lineage.pre_update_ref,
        "its reference is not pre_update_ref",
    )
    compared = epoch.model_copy(update={"compared": True, "verdict": event.result.relative_outcome})
    return _with_epoch(rules.after_comparison(state, event.result), compared)


def _after_confirmation(event: e.ComparisonRecorded, state: ControlState, epoch: OpenEpoch) -> ControlState:
    """The state after active was held against `last_stable`."""
    _need(event, epoch.compared or state.lineage.pre_update_ref is None, "the epoch is not compared yet")
    stable = state.lineage.last_stable
    _need(event, event.result.reference_checkpoint == stable, "its reference is not last_stable")
    _need(event, event.repetition == len(epoch.confirmations), "it is out of order")
    wanted = (
        rules.check_due(state)
        if event.repetition == 0
        else state.due is None and rules.drifted(epoch.confirmations[0], state.rules)
    )
    _need(event, wanted, "no such check is due")
    confirmations = (*epoch.confirmations, event.result)
    due = RollbackReason.DRIFT if rules.drift_due(confirmations, state.rules) else state.due
    changed = state.model_copy(update={"rounds_since_check": 0, "due": due})
    return _with_epoch(changed, epoch.model_copy(update={"confirmations": confirmations}))


@_next.register
def _(event: e.StableConfirmed, state: ControlState) -> ControlState:
    epoch = _complete_epoch(event, state)
    lineage = state.lineage
    _need(event, event.checkpoint_id == lineage.active, "the checkpoint is not active")
    _need(event, event.previous == lineage.last_stable, "last_stable has moved")
    judged = [(c.active_checkpoint, c.reference_checkpoint) for c in epoch.confirmations]
    _need(event, judged == [(lineage.active, lineage.last_stable)], "no single confirmation judged it")
    gates = (*rules.early_gates(state), *event.gates)
    failed = ", ".join(gate.gate for gate in gates if not gate.passed)
    _need(event, not failed, f"gates not passed: {failed}")
    return state.model_copy(
        update={
            "lineage": lineage.model_copy(update={"last_stable": lineage.active}),
            "covered": (),
            "promotions": state.promotions + 1,
        }
    )


@_next.register
def _(event: e.BatchSealed, state: ControlState) -> ControlState:
    epoch = _complete_epoch(event, state)
    refusal = rules.update_refusal(state)
    _need(event, refusal is None, refusal or "")
    _need(event, event.checkpoint_id == state.lineage.active, "another checkpoint collected it")
    _need(event, epoch.sealed_batch is None, "the epoch has a sealed batch already")
    return _with_epoch(state, epoch.model_copy(update={"sealed_batch": event.batch_id}))


@_next.register
def _(event: e.UpdateCompleted, state: ControlState) -> ControlState:
    epoch = _sealed_epoch(event, event.batch_id, state)
    refusal = rules.update_refusal(state)
    _need(event, refusal is None, refusal or "")
    _need(event, event.previous == state.lineage.active, "it was trained from another checkpoint")
    pointed = {state.lineage.active, state.lineage.pre_update_ref, state.lineage.last_stable}
    _need(event, event.new not in pointed, "the checkpoint id is in use")
    lineage = state.lineage.model_copy(update={"active": event.new, "pre_update_ref": event.previous})
    changed = state.model_copy(
        update={"lineage": lineage, "pair": FrozenPair(), "active_batch": event.batch_id}
    )
    return _with_epoch(changed, epoch.model_copy(update={"update_resolved": True}))


@_next.register
def _(event: e.UpdateFailed, state: ControlState) -> ControlState:
    epoch = _sealed_epoch(event, event.batch_id, state)
    return _with_epoch(state, epoch.model_copy(update={"update_resolved": True}))


@_next.register
def _(event: e.EpochClosed, state: ControlState) -> ControlState:
    epoch = state.open_epoch
    _need(event, state.mode in (Mode.RUNNING, Mode.ROLLBACK_PENDING), f"the campaign is {state.mode.value}")
    if epoch is None or event.epoch != epoch.epoch or event.kind is not epoch.kind:
        _refuse(event, "that epoch is not open")
    _need(event, set(epoch.recorded) == set(state.environments), "its episodes are not all recorded")
    judged = epoch.compared or epoch.update_resolved or state.lineage.pre_update_ref is None
    _need(event, judged, "it is not compared yet")
    settled = epoch.sealed_batch is None or epoch.update_resolved or state.mode is Mode.ROLLBACK_PENDING
    _need(event, settled, "its batch is sealed and not learned from")
    _need(event, state.due is None, "a rollback is due and not triggered")
    return state.model_copy(update={"open_epoch": None, "epoch": epoch.epoch})


@_next.register
def _(event: e.RollbackTriggered, state: ControlState) -> ControlState:
    _need(event, state.mode is Mode.RUNNING, f"the campaign is {state.mode.value}")
    _need(event, event.ordinal == state.rollbacks, "it is out of order")
    _need(event, event.from_checkpoint == state.lineage.active, "another checkpoint is active")
    _need(event, event.to_checkpoint != event.from_checkpoint, "it would restore what is active")
    if event.reason is RollbackReason.REQUESTED:
        _need(event, state.open_epoch is None, "an epoch is under way")
        targets = (state.lineage.pre_update_ref, state.lineage.last_stable)
        _need(event, event.to_checkpoint in targets, "no pointer names its target")
    else:
        _need(event, event.reason is state.due, "no such rollback is due")
        target = rules.rollback_target(state, event.reason)
        _need(event, event.to_checkpoint == target, "its target is another")
    pending = PendingRollback(
        reason=event.reason,
        from_checkpoint=event.from_checkpoint,
        to_checkpoint=event.to_checkpoint,
        epoch=event.epoch,
    )
    return state.model_copy(
        update={
            "mode": Mode.ROLLBACK_PENDING,
            "pending": pending,
            "due": None,
            "rollbacks": state.rollbacks + 1,
        }
    )


@_next.register
def _(event: e.RollbackCompleted, state: ControlState) -> ControlState:
    pending = _pending(event, event.ordinal, state)
    _need(event, event.restored == pending.to_checkpoint, "it restored another checkpoint")
    lineage = state.lineage.model_copy(update={"active": event.restored, "pre_update_ref": None})
    return state.model_copy(
        update={
            "mode": Mode.RUNNING,
            "lineage": lineage,
            "pending": None,
            "pair": FrozenPair(),
            "window": (),
            "rounds_since_check": 0,
            "active_batch": None,
        }
    )


@_next.register
def _(event: e.RollbackFailed, state: ControlState) -> ControlState:
    _pending(event, event.ordinal, state)
    return state.model_copy(update={"mode": Mode.FROZEN_FAILURE, "pause_reason": event.reason})


@_next.register
def _(event: e.CampaignPaused, state: ControlState) -> ControlState:
    _need(event, state.mode is Mode.RUNNING, f"the campaign is {state.mode.value}")
    _need(event, state.open_epoch is None, "an epoch is under way")
    _need(event, event.ordinal == state.stops, "it is out of order")
    return state.model_copy(
        update={"mode": Mode.PAUSED, "pause_reason": event.reason, "stops": state.stops + 1}
    )


@_next.register
def _(event: e.FreezeLifted, state: ControlState) -> ControlState:
    frozen = state.mode is Mode.FROZEN_FAILURE
    _need(event, frozen or state.mode is Mode.PAUSED, "the campaign is not stopped")
    _need(event, event.ordinal == state.stops, "it is out of order")
    retry = frozen and event.retry_rollback
    update: dict[str, object] = {
        "mode": Mode.ROLLBACK_PENDING if retry else Mode.RUNNING,
        "stops": state.stops + 1,
        "pause_reason": "",
        "failed_in_a_row": 0,
    }
    if frozen and not retry:
        # The person chose to go on with what is active: the pair's verdicts no longer hold it back.
        update |= {"pending": None, "pair": state.pair.model_copy(update={"streak": 0, "released": True})}
    return state.model_copy(update=update)


def _with_epoch(state: ControlState, epoch: OpenEpoch) -> ControlState:
    return state.model_copy(update={"open_epoch": epoch})


def _complete_epoch(event: e.Event, state: ControlState) -> OpenEpoch:
    """The open epoch, when the event belongs to it and all its episodes are recorded."""
    _need(event, state.mode is Mode.RUNNING, f"the campaign is {state.mode.value}")
    epoch = state.open_epoch
    if epoch is None or event.epoch != epoch.epoch:
        _refuse(event, "that epoch is not open")
    missing = sorted(set(state.environments) - set(epoch.recorded))
    _need(event, not missing, f"episodes are missing: {', '.join(missing)}")
    _need(event, not epoch.update_resolved, "the epoch's update is done")
    return epoch


def _sealed_epoch(event: e.Event, batch_id: str, state: ControlState) -> OpenEpoch:
    """The open epoch, when its sealed batch is the event's and waits for its update."""
    epoch = _complete_epoch(event, state)
    _need(event, epoch.sealed_batch is not None, "no batch is sealed")
    _need(event, epoch.sealed_batch == batch_id, "another batch is sealed")
    return epoch


def _pending(event: e.Event, ordinal: int, state: ControlState) -> PendingRollback:
    """The rollback under way, when the event is about it and no epoch is open."""
    if state.mode is not Mode.ROLLBACK_PENDING or state.pending is None:
        _refuse(event, "no rollback is pending")
    _need(event, state.open_epoch is None, "the epoch is not closed yet")
    _need(event, ordinal == state.rollbacks + state.stops, "it is out of order")
    return state.pending


def _need(event: e.Event, condition: bool, otherwise: str) -> None:
    if not condition:
        _refuse(event, otherwise)


def _refuse(event: e.Event, why: str) -> NoReturn:
    raise TransitionError(f"{event.type} of epoch {event.epoch} is refused: {why}")
