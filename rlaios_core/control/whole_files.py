"""Files that are either whole or not there, and whose content is known by its hash."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rlaios_core.control.errors import StoreError


class StoredFile(NamedTuple):
    """A file of the workspace: path relative to its root, SHA-256 of its content, size, items in it."""

    path: str
    digest: str
    size_bytes: int
    items: int


def write_whole(root: Path, path: str, content: bytes, items: int) -> StoredFile:
    """Write a file under a temporary name, fsync and rename it. Raises `StoreError` when it cannot."""
    target = root / path
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise StoreError(
            f"cannot write {target} ({error.strerror}): free space or mend the folder, then start again"
        ) from error
    return StoredFile(path, hashlib.sha256(content).hexdigest(), len(content), items)


def read_whole(root: Path, stored: StoredFile) -> bytes:
    """The content of a file. Raises `StoreError` when it is missing or is not what was written."""
    target = root / stored.path
    try:
        content = target.read_bytes()
    except OSError as error:
        raise StoreError(
            f"cannot read {target} ({error.strerror}): restore the file from a backup"
        ) from error
    if hashlib.sha256(content).hexdigest() != stored.digest:
        raise StoreError(
            f"{target} is corrupt (its content is not what was recorded): restore it from a backup"
        )
    return content


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
