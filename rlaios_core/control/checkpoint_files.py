"""Checkpoint files: made and used in a local folder, kept among the store's artifacts."""

from collections.abc import Iterable
from pathlib import Path

from rlaios_core.control.artifacts import Artifacts
from rlaios_core.control.errors import StoreError
from rlaios_core.files import write_whole
from rlaios_core.schema import CheckpointRecord
from rlaios_core.student import CheckpointError, checkpoint_id_of

FOLDER = "checkpoints"


class CheckpointFiles:
    """Knows where a checkpoint's file is. With local artifacts the folder is theirs and nothing is copied."""

    def __init__(self, directory: Path, artifacts: Artifacts) -> None:
        self.directory = directory
        self.artifacts = artifacts
        self._copied = not (artifacts.local and artifacts.where(FOLDER) == str(directory))

    def publish(self, record: CheckpointRecord) -> None:
        """Put a written checkpoint among the artifacts. Raises `StoreError`."""
        if self._copied:
            self.artifacts.write(self.key(record), self._local(record).read_bytes(), 1)

    def path(self, record: CheckpointRecord) -> Path:
        """The file on this machine, fetched when it is not there or is not what its id says.

        Raises `CheckpointError` when the artifacts do not have it either; with local artifacts whoever
        loads the file verifies it.
        """
        path = self._local(record)
        if self._copied and not self._whole(path, record.checkpoint_id):
            write_whole(path, self.verified(record))
        return path

    def verified(self, record: CheckpointRecord) -> bytes:
        """The content among the artifacts. Raises `CheckpointError` when it is missing or corrupt."""
        try:
            content = self.artifacts.read(self.key(record))
        except StoreError as error:
            raise CheckpointError(f"checkpoint {record.checkpoint_id}: {error}") from error
        if checkpoint_id_of(content) != record.checkpoint_id:
            raise CheckpointError(
                f"checkpoint file {self.artifacts.where(self.key(record))} is corrupt (its content is not "
                f"that of {record.checkpoint_id}): restore it from a backup, or roll back to another"
            )
        return content

    def remove(self, record: CheckpointRecord) -> None:
        """Remove the file here and among the artifacts."""
        self.artifacts.remove(self.key(record))
        self._local(record).unlink(missing_ok=True)

    def present(self, records: Iterable[CheckpointRecord]) -> list[CheckpointRecord]:
        """Those of the records whose files are among the artifacts."""
        there = set(self.artifacts.below(FOLDER))
        return [record for record in records if self.key(record) in there]

    def key(self, record: CheckpointRecord) -> str:
        """The file's path among the artifacts."""
        return f"{FOLDER}/{Path(record.path).name}"

    def _local(self, record: CheckpointRecord) -> Path:
        """The workspace may have moved since the record was written."""
        return self.directory / Path(record.path).name

    def _whole(self, path: Path, checkpoint_id: str) -> bool:
        return path.exists() and checkpoint_id_of(path.read_bytes()) == checkpoint_id
