"""A work item's world before anything was done, as files."""

import io
import sqlite3
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing

from rlaios_core.environments.orchestrator.items import WorkItem


def world_files(item: WorkItem) -> dict[str, bytes]:
    """Every file by path, in order of path. Raises `sqlite3.Error` for statements that are no SQL."""
    files = {path: text.encode() for path, text in item.files.items()}
    files |= {path: database(statements) for path, statements in item.databases.items()}
    files |= {path: archive(members) for path, members in item.archives.items()}
    return dict(sorted(files.items()))


def database(statements: Sequence[str]) -> bytes:
    """The SQLite database that the statements make."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        return connection.serialize()


def archive(members: Mapping[str, str]) -> bytes:
    """A zip archive, the bytes that the `package` program makes of the same members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, text in members.items():
            file.writestr(zipfile.ZipInfo(name), text)
    return buffer.getvalue()


def query(statements: Sequence[str], question: str) -> list[list[object]] | None:
    """What a database that the statements make answers; `None` where the question makes no sense in it."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in statements:
            connection.execute(statement)
        try:
            return [list(row) for row in connection.execute(question)]
        except sqlite3.Error:
            return None
