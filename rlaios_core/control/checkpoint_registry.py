"""Checkpoints by id: their records, their files, which of them are kept."""

from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, select, update

from rlaios_core.control import tables
from rlaios_core.control.checkpoint_files import CheckpointFiles
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.database import insert_if_new, writing
from rlaios_core.control.errors import CampaignError
from rlaios_core.control.learner import Learner
from rlaios_core.control.state import ControlState
from rlaios_core.schema import CheckpointRecord, Policy
from rlaios_core.student import CheckpointError

_C = tables.checkpoints


class Retention(NamedTuple):
    """Checkpoints of a campaign, newest first: whose files went, and whose are kept."""

    removed: tuple[CheckpointRecord, ...]
    kept: tuple[CheckpointRecord, ...]


class CheckpointRegistry:
    """Knows every checkpoint of a store; a pointed-to or pinned file is never removed."""

    def __init__(self, store: ControlStateStore, files: CheckpointFiles, learner: Learner) -> None:
        self._store = store
        self._files = files
        self._learner = learner

    @property
    def directory(self) -> Path:
        """Where checkpoint files are made and used."""
        return self._files.directory

    def publish(self, record: CheckpointRecord) -> None:
        """Put a written checkpoint where all machines find it; `register` makes it known."""
        self._files.publish(record)

    def register(self, connection: Connection, record: CheckpointRecord) -> None:
        """Note a published checkpoint; noting it again changes nothing."""
        insert_if_new(
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
        """A checkpoint's file on this machine. Raises `CheckpointError` when it cannot be fetched."""
        return self._files.path(self.record(checkpoint_id))

    def policy(self, checkpoint_id: str) -> Policy:
        """The policy of a checkpoint. Raises `CheckpointError` when its file is missing or corrupt."""
        return self._learner.policy(self.path(checkpoint_id), checkpoint_id)

    def restore(self, checkpoint_id: str) -> str:
        """Load a checkpoint's weights and return their hash, verified against the record.

        Raises `CheckpointError` when the file is missing or corrupt, or the hash is another.
        """
        record = self.record(checkpoint_id)
        path = self._files.path(record)
        found = self._learner.weights_hash(path, checkpoint_id)
        if found != record.weights_hash:
            raise CheckpointError(
                f"the weights in {path} hash to {found}, recorded is {record.weights_hash}: "
                "restore the file from a backup"
            )
        return found

    def pin(self, campaign: str, checkpoint_id: str, *, pinned: bool = True) -> None:
        """Keep a checkpoint's file whatever its age, or no longer; also while the campaign is running.

        Raises `CampaignError` for a checkpoint of another campaign, or one whose file is gone.
        """
        record = self.record(checkpoint_id)
        if record.campaign != campaign:
            raise CampaignError(f"checkpoint {checkpoint_id} belongs to campaign {record.campaign!r}")
        change = update(_C).where(_C.c.checkpoint_id == checkpoint_id, _C.c.file_kept).values(pinned=pinned)
        with writing(self._store.engine) as connection:
            changed = connection.execute(change).rowcount
        if not changed:
            raise CampaignError(f"the file of checkpoint {checkpoint_id} was removed by retention before")

    def retain(self, campaign: str, keep: int, *, dry_run: bool = False) -> Retention:
        """Remove the files of all but the newest `keep` checkpoints, by what is true at that moment.

        What a pointer, a pending rollback or an update under way names and what is pinned stays. Records
        stay for ever, so no id is ever used again.
        """
        query = (
            select(_C)
            .where(_C.c.campaign == campaign, _C.c.file_kept)
            .order_by(_C.c.epoch.desc(), _C.c.checkpoint_id)
            .with_for_update()
        )
        with self._store.writing(campaign) as connection:
            state = self._store.state_in(connection, campaign)
            if state is None:
                raise CampaignError(f"there is no campaign {campaign!r}")
            rows = connection.execute(query).all()
            named = _named(state)
            gone = {
                row.checkpoint_id
                for row in rows[keep:]
                if not (row.pinned or row.checkpoint_id in named or row.epoch > state.epoch)
            }
            if gone and not dry_run:
                connection.execute(update(_C).where(_C.c.checkpoint_id.in_(gone)).values(file_kept=False))
        records = [CheckpointRecord.model_validate_json(row.record) for row in rows]
        removed = tuple(record for record in records if record.checkpoint_id in gone)
        if not dry_run:
            for record in removed:
                self._files.remove(record)
        return Retention(removed, tuple(r for r in records if r.checkpoint_id not in gone))

    def leftovers(self, campaign: str) -> list[CheckpointRecord]:
        """Checkpoints whose files are there although retention gave them up: it was killed in between."""
        query = select(_C.c.record).where(_C.c.campaign == campaign, _C.c.file_kept.is_(False))
        with self._store.reading() as connection:
            records = [CheckpointRecord.model_validate_json(text) for text in connection.scalars(query)]
        return self._files.present(records)

    def remove_leftovers(self, campaign: str) -> list[CheckpointRecord]:
        """Remove the files of `leftovers`."""
        found = self.leftovers(campaign)
        for record in found:
            self._files.remove(record)
        return found


def _named(state: ControlState) -> set[str | None]:
    lineage, pending = state.lineage, state.pending
    named = {lineage.active, lineage.pre_update_ref, lineage.last_stable}
    if pending is not None:
        named |= {pending.from_checkpoint, pending.to_checkpoint}
    return named
