"""Where files are kept: a local folder, or an object store by its URL; whole or not there, known by hash.

Locally a file is written under a temporary name, fsynced and renamed. An object store makes an object
visible when all of it has arrived, which is the same promise.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import fsspec
from fsspec.implementations.local import LocalFileSystem

from rlaios_core import files
from rlaios_core.control.errors import StoreError


class StoredFile(NamedTuple):
    """A recorded file: path relative to the artifacts' root, SHA-256 of its content, size, items in it."""

    path: str
    digest: str
    size_bytes: int
    items: int


class Artifacts:
    """The files of a store below one root. Every method raises `StoreError` that names file and mend."""

    def __init__(self, url: str) -> None:
        try:
            self._files, self._root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise StoreError(
                f"the artifacts' URL {url} cannot be used ({error}): install the file system's driver, "
                "or write a folder or a URL such as s3://bucket/folder"
            ) from error
        self.local = isinstance(self._files, LocalFileSystem)

    def where(self, path: str) -> str:
        """The file's full name, as messages show it."""
        name = f"{self._root}/{path}"
        return name if self.local else str(self._files.unstrip_protocol(name))

    def write(self, path: str, content: bytes, items: int) -> StoredFile:
        """Write a whole file or nothing."""
        with self._named(path, "write", "free space or mend the folder, then start again"):
            if self.local:
                files.write_whole(Path(self._root, path), content)
            else:
                self._files.pipe_file(f"{self._root}/{path}", content)
        return StoredFile(path, hashlib.sha256(content).hexdigest(), len(content), items)

    def read(self, path: str) -> bytes:
        """A file's content, unverified."""
        with self._named(path, "read", "restore the file from a backup"):
            content: bytes = self._files.cat_file(f"{self._root}/{path}")
        return content

    def read_stored(self, stored: StoredFile) -> bytes:
        """A recorded file's content, verified by its hash."""
        content = self.read(stored.path)
        if hashlib.sha256(content).hexdigest() != stored.digest:
            raise StoreError(
                f"{self.where(stored.path)} is corrupt (its content is not what was recorded): "
                "restore it from a backup"
            )
        return content

    def remove(self, path: str) -> None:
        """Remove a file; one that is gone already is no error."""
        with self._named(path, "remove", "mend the folder's permissions, then start again"):
            if self._files.exists(f"{self._root}/{path}"):
                self._files.rm_file(f"{self._root}/{path}")

    def below(self, folder: str) -> list[str]:
        """Paths of all files below a folder, in order; none when there is no such folder."""
        with self._named(folder, "list", "mend the folder's permissions, then start again"):
            self._files.invalidate_cache()
            found = self._files.find(f"{self._root}/{folder}")
        return sorted(str(name)[len(self._root) :].lstrip("/") for name in found)

    @contextmanager
    def _named(self, path: str, verb: str, mend: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            cause = error.strerror or " ".join(str(error).split()) or type(error).__name__
            raise StoreError(f"cannot {verb} {self.where(path)} ({cause}): {mend}") from error
        except Exception as error:
            if self.local:
                raise
            # Drivers of object stores have errors of their own, which have no common base.
            cause = " ".join(f"{type(error).__name__}: {error}".split())
            raise StoreError(f"cannot {verb} {self.where(path)} ({cause}): {mend}") from error
