"""The engine behind the store: SQLite made durable and patient, any database's errors made plain."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, insert, make_url, select
from sqlalchemy.exc import SQLAlchemyError

from rlaios_core.control import tables
from rlaios_core.control.errors import StoreError

BUSY_SECONDS = 15.0
"""How long a writer waits for another one before it gives up."""
_WRITES = "rlaios_writes"

_MENDS = (
    ("locked", "another program holds it; end that program, or wait and start again"),
    ("busy", "another program holds it; end that program, or wait and start again"),
    ("malformed", "it is corrupt; restore it from a backup, or move it away to begin anew"),
    ("not a database", "it is corrupt; restore it from a backup, or move it away to begin anew"),
    ("full", "the disk is full; free some space and start again"),
    ("no space", "the disk is full; free some space and start again"),
    ("unable to open", "its folder is missing or may not be read; make the folder, then start again"),
    ("readonly", "it may not be written; mend its permissions"),
    ("disk i/o error", "the disk failed; mend it, then start again"),
    ("no such table", "it lacks tables of this program; restore it from a backup, or move it away"),
)


def make_engine(url: str) -> Engine:
    """An engine that is not connected yet. SQLite: WAL, synchronous FULL, immediate write transactions."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return create_engine(parsed, pool_pre_ping=True)
    engine = create_engine(parsed, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions are begun by `_begin_sqlite`
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A write transaction takes its lock at once: one that upgrades later may fail half-way.
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def plain_errors(url: str) -> Iterator[None]:
    """Turn whatever the database or its disk raises into a `StoreError` that says what to do."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise StoreError(_line(url, error)) from error


def _line(url: str, error: Exception) -> str:
    parsed = make_url(url)
    where = parsed.database if parsed.get_backend_name() == "sqlite" else parsed.render_as_string()
    cause = getattr(error, "orig", None) or error
    if isinstance(error, OSError):
        where = str(error.filename or where)
        cause = "no space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else (error.strerror or error)
    text = " ".join(str(cause).split())
    mend = next((mend for sign, mend in _MENDS if sign in text.lower()), "check it, then start again")
    return f"the campaign store {where} cannot be used ({text}): {mend}"


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A read transaction."""
    with plain_errors(str(engine.url)), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A write transaction: all of it or nothing, durable when the block ends."""
    with plain_errors(str(engine.url)), engine.connect() as plain:
        connection = plain.execution_options(**{_WRITES: True})
        with connection.begin():
            yield connection


def create_tables(engine: Engine) -> None:
    """Make the tables of a new store; refuse a store of another version."""
    with writing(engine) as connection:
        tables.metadata.create_all(connection)
        named = select(tables.meta.c.value).where(tables.meta.c.name == "store_version")
        version = connection.execute(named).scalar_one_or_none()
        if version is None:
            connection.execute(insert(tables.meta).values(name="store_version", value=tables.STORE_VERSION))
        elif version != tables.STORE_VERSION:
            raise StoreError(
                f"the campaign store {engine.url.database} has version {version}, this program reads "
                f"{tables.STORE_VERSION}: use the program version that wrote it, or move the file away"
            )


def upsert(connection: Connection, table: Any, values: dict[str, Any]) -> None:
    """Insert a row, or replace the row with the same primary key."""
    keys = [column.name for column in table.primary_key]
    same = [table.c[name] == values[name] for name in keys]
    rest = {name: value for name, value in values.items() if name not in keys}
    if not rest or connection.execute(table.update().where(*same).values(**rest)).rowcount == 0:
        connection.execute(table.insert().values(**values))
