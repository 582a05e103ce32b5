"""Checkpoints by id: their records, their files, which of them are kept."""

from pathlib import Path

from sqlalchemy import Connection, select, update

from rlaios_core.control import tables
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.database import upsert
from rlaios_core.control.errors import CampaignError
from rlaios_core.control.learner import Learner
from rlaios_core.control.state import ControlState
from rlaios_core.schema import CheckpointRecord, Policy
from rlaios_core.student import CheckpointError

_C = tables.checkpoints


class CheckpointRegistry:
    """Knows every checkpoint of a store; a pointed-to or pinned file is never removed."""

    def __init__(self, store: ControlStateStore, directory: Path, learner: Learner) -> None:
        self._store = store
        self._directory = directory
        self._learner = learner

    @property
    def directory(self) -> Path:
        """Where checkpoint files are."""
        return self._directory

    def register(self, connection: Connection, record: CheckpointRecord) -> None:
        """Note a written checkpoint; noting it again changes nothing."""
        known = select(_C.c.checkpoint_id).where(_C.c.checkpoint_id == record.checkpoint_id)
        if connection.execute(known).first() is None:
            upsert(
                connection,
                _C,
                {
                    "checkpoint_id": record.checkpoint_id,
                    "campaign": record.campaign,
                    "epoch": record.epoch,
                    "record": record.model_dump_json(by_alias=True),
                    "pinned": False,
                    "file_kept": True,
                },
            )

    def record(self, checkpoint_id: str) -> CheckpointRecord:
        """A checkpoint's record. Raises `CampaignError` for an unknown id."""
        with self._store.reading() as connection:
            text = connection.scalar(select(_C.c.record).where(_C.c.checkpoint_id == checkpoint_id))
        if text is None:
            raise CampaignError(f"there is no checkpoint {checkpoint_id!r}")
        return CheckpointRecord.model_validate_json(text)

    def path(self, checkpoint_id: str) -> Path:
        """Where a checkpoint's file is; the workspace may have moved since it was written."""
        return self._directory / Path(self.record(checkpoint_id).path).name

    def policy(self, checkpoint_id: str) -> Policy:
        """The policy of a checkpoint. Raises `CheckpointError` when its file is missing or corrupt."""
        return self._learner.policy(self.path(checkpoint_id), checkpoint_id)

    def restore(self, checkpoint_id: str) -> str:
        """Load a checkpoint's weights and return their hash, verified against the record.

        Raises `CheckpointError` when the file is missing or corrupt, or the hash is another.
        """
        record = self.record(checkpoint_id)
        path = self.path(checkpoint_id)
        found = self._learner.weights_hash(path, checkpoint_id)
        if found != record.weights_hash:
            raise CheckpointError(
                f"the weights in {path} hash to {found}, recorded is {record.weights_hash}: "
                "restore the file from a backup"
            )
        return found

    def pin(self, campaign: str, checkpoint_id: str, *, pinned: bool = True) -> None:
        """Keep a checkpoint's file whatever its age, or no longer."""
        record = self.record(checkpoint_id)
        if record.campaign != campaign:
            raise CampaignError(f"checkpoint {checkpoint_id} belongs to campaign {record.campaign!r}")
        with self._store.writing(campaign) as connection:
            connection.execute(update(_C).where(_C.c.checkpoint_id == checkpoint_id).values(pinned=pinned))

    def retain(self, state: ControlState, keep: int) -> list[str]:
        """Remove the files of all but the newest `keep` checkpoints; ids whose files went.

        What a pointer or a pending rollback names and what is pinned stays. Records stay for ever, so no
        id is ever used again.
        """
        lineage, pending = state.lineage, state.pending
        protected = {lineage.active, lineage.pre_update_ref, lineage.last_stable}
        if pending is not None:
            protected |= {pending.from_checkpoint, pending.to_checkpoint}
        with self._store.writing(state.campaign) as connection:
            rows = connection.execute(
                select(_C.c.checkpoint_id, _C.c.pinned)
                .where(_C.c.campaign == state.campaign, _C.c.file_kept)
                .order_by(_C.c.epoch.desc(), _C.c.checkpoint_id)
            ).all()
            gone = [row.checkpoint_id for row in rows[keep:] if not row.pinned]
            gone = [checkpoint_id for checkpoint_id in gone if checkpoint_id not in protected]
            if gone:
                connection.execute(update(_C).where(_C.c.checkpoint_id.in_(gone)).values(file_kept=False))
        for checkpoint_id in gone:
            self.path(checkpoint_id).unlink(missing_ok=True)
        return gone
