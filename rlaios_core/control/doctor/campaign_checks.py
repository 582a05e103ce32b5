"""One campaign: its log, its state, its pointers, its checkpoints, its ledger."""

import hashlib

from pydantic import ValidationError
from sqlalchemy import Connection, func, select

from rlaios_core.control import tables
from rlaios_core.control.checkpoint_files import CheckpointFiles
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.doctor.findings import Check, Findings
from rlaios_core.control.errors import StoreError
from rlaios_core.control.learner import Learner
from rlaios_core.control.settings import CampaignSettings
from rlaios_core.control.state import ControlState
from rlaios_core.schema import CheckpointRecord, EpochStatus, Pointer
from rlaios_core.student import CheckpointError

_RESTORE = "restore the store from a backup"
_REBUILT = "nothing to do: it is a cache, and is rebuilt from the events"


class CampaignChecks:
    """Examines campaigns of one store; nothing is written."""

    def __init__(
        self,
        connection: Connection,
        store: ControlStateStore,
        files: CheckpointFiles,
        learner: Learner,
        findings: Findings,
    ) -> None:
        self._connection = connection
        self._store = store
        self._files = files
        self._learner = learner
        self._findings = findings

    def check(self, campaign: str) -> None:
        """Examine one campaign."""
        self._settings(campaign)
        state = self._fold(campaign)
        self._checkpoints(campaign, state)
        if state is not None:
            self._snapshot(state)
            self._moves(state)
            self._epochs(state)

    def _settings(self, campaign: str) -> None:
        table = tables.campaigns
        text = self._connection.scalar(select(table.c.settings).where(table.c.name == campaign))
        try:
            CampaignSettings.model_validate_json(text or "")
        except ValidationError as error:
            what = f"has settings that cannot be read ({error.errors()[0]['msg']})"
            self._findings.fault(Check.EVENTS, f"campaign {campaign}", what, _RESTORE)

    def _fold(self, campaign: str) -> ControlState | None:
        where = f"campaign {campaign}"
        try:
            state = self._store.fold(self._connection, campaign)
        except StoreError as error:
            what, _, mend = str(error).rpartition(": ")
            self._findings.fault(Check.EVENTS, where, what, mend)
            return None
        if state is None:
            self._findings.fault(Check.EVENTS, where, "has no event", _RESTORE)
            return None
        self._findings.count(Check.EVENTS, state.position)
        return state

    def _snapshot(self, state: ControlState) -> None:
        table = tables.snapshots
        self._findings.count(Check.SNAPSHOTS)
        row = self._connection.execute(select(table).where(table.c.campaign == state.campaign)).one_or_none()
        if row is None:
            what = "is missing"
        elif hashlib.sha256(row.state.encode()).hexdigest() != row.digest:
            what = "was altered"
        elif row.position != state.position or not _tells(row.state, state):
            what = f"does not agree with the fold of its {state.position} events"
        else:
            return
        self._findings.fault(Check.SNAPSHOTS, f"snapshot of campaign {state.campaign}", what, _REBUILT)

    def _moves(self, state: ControlState) -> None:
        """The newest move of each pointer leads where the log says it stands."""
        table = tables.pointer_moves
        for pointer in Pointer:
            self._findings.count(Check.POINTERS)
            query = select(table.c.checkpoint_id).where(
                table.c.campaign == state.campaign, table.c.pointer == pointer.value
            )
            moved = self._connection.scalar(query.order_by(table.c.move_id.desc()).limit(1))
            stands = getattr(state.lineage, pointer.value)
            if moved != stands:
                self._findings.fault(
                    Check.POINTERS,
                    f"{pointer.value} of campaign {state.campaign}",
                    f"stands at {stands} by the log, at {moved} by its moves",
                    _RESTORE,
                )

    def _checkpoints(self, campaign: str, state: ControlState | None) -> None:
        table = tables.checkpoints
        rows = self._connection.execute(select(table).where(table.c.campaign == campaign)).all()
        named = {} if state is None else _named(state)
        known = {row.checkpoint_id for row in rows}
        for checkpoint_id in sorted(set(named) - known):
            self._findings.fault(Check.POINTERS, named[checkpoint_id], "has no record", _RESTORE)
        for row in rows:
            record = CheckpointRecord.model_validate_json(row.record)
            if row.checkpoint_id in named:
                self._pointed_to(record, named[row.checkpoint_id], kept=row.file_kept)
            elif row.file_kept:
                self._kept(record)

    def _kept(self, record: CheckpointRecord) -> None:
        self._findings.count(Check.CHECKPOINTS)
        try:
            self._files.verified(record)
        except (CheckpointError, StoreError) as error:
            what, _, mend = str(error).rpartition(": ")
            self._findings.fault(Check.CHECKPOINTS, f"checkpoint {record.checkpoint_id}", what, mend)

    def _pointed_to(self, record: CheckpointRecord, where: str, *, kept: bool) -> None:
        self._findings.count(Check.POINTERS)
        if not kept:
            what = "has a record that says its file was removed"
            self._findings.fault(Check.POINTERS, where, what, _RESTORE)
            return
        try:
            self._files.verified(record)
            found = self._learner.weights_hash(self._files.path(record), record.checkpoint_id)
        except (CheckpointError, StoreError) as error:
            what, _, mend = str(error).rpartition(": ")
            self._findings.fault(Check.POINTERS, where, what, mend)
            return
        if found != record.weights_hash:
            what = f"has weights that hash to {found}, recorded is {record.weights_hash}"
            self._findings.fault(Check.POINTERS, where, what, "restore the file from a backup")

    def _epochs(self, state: ControlState) -> None:
        table = tables.epochs
        query = select(func.count()).where(
            table.c.campaign == state.campaign, table.c.status == EpochStatus.CLOSED.value
        )
        closed = self._connection.scalar(query) or 0
        self._findings.count(Check.EPOCHS, closed)
        if closed != state.epoch:
            self._findings.fault(
                Check.EPOCHS,
                f"campaign {state.campaign}",
                f"has {closed} closed epochs in its ledger, {state.epoch} in its log",
                _RESTORE,
            )


def _named(state: ControlState) -> dict[str, str]:
    """What names each checkpoint that must be there."""
    lineage, of = state.lineage, f"of campaign {state.campaign}"
    named = {
        checkpoint_id: f"{pointer.value} ({checkpoint_id}) {of}"
        for pointer in Pointer
        if (checkpoint_id := getattr(lineage, pointer.value)) is not None
    }
    if state.pending is not None:
        target = state.pending.to_checkpoint
        named.setdefault(target, f"the pending rollback's target ({target}) {of}")
    return named


def _tells(text: str, state: ControlState) -> bool:
    """Whether a snapshot's text is the state; older versions wrote fewer fields."""
    try:
        return ControlState.model_validate_json(text) == state
    except ValidationError:
        return False
