"""Files that are either whole or not there, and whose content is known by its hash."""

import hashlib
from pathlib import Path
from typing import NamedTuple

from rlaios_core import files
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
    try:
        files.write_whole(target, content)
    except OSError as error:
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
