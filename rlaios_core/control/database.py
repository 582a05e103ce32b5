"""The engine behind the store: SQLite or PostgreSQL, durable, patient for a bounded time.

A write is one transaction. SQLite takes its write lock at once. On PostgreSQL a writer runs at READ
COMMITTED and locks its campaign's lease first, so that it reads what the writer before it left; readers
run at REPEATABLE READ, so that several queries see one moment, as they do on SQLite.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, func, make_url, select, text
from sqlalchemy.dialects import postgresql, sqlite

from rlaios_core.control.database_errors import plain_errors
from rlaios_core.control.errors import StoreError

BUSY_SECONDS = 15.0
"""How long a writer waits for another one before it gives up."""
MIGRATION_SECONDS = 600.0
"""How long a program that opens a store waits for another one to bring it up."""
IDLE_SECONDS = 60.0
"""How long PostgreSQL keeps the locks of a writer that stopped in the middle of a transaction."""
_WRITES = "rlaios_writes"
_PATIENCE = "rlaios_patience"
_SNAPSHOT: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_SCHEMA_LOCK = 0x726C61696F73
"""Key of PostgreSQL's advisory lock on the schema: "rlaios" in ASCII."""
_TICK = 1e-6
"""Seconds between two moments that differ."""

_POSTGRESQL = {
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
    "tcp_user_timeout": "60000",
    "options": f"-c lock_timeout={BUSY_SECONDS:.0f}s -c synchronous_commit=on "
    f"-c idle_in_transaction_session_timeout={IDLE_SECONDS:.0f}s",
}


def make_engine(url: str) -> Engine:
    """An engine that is not connected yet. Raises `StoreError` for a database that is not supported."""
    parsed = make_url(url)
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        return _sqlite_engine(parsed)
    if backend not in ("postgresql", "postgres"):
        raise StoreError(f"a campaign store in {backend} is not supported: use sqlite or postgresql")
    if parsed.drivername in ("postgresql", "postgres"):
        parsed = parsed.set(drivername="postgresql+psycopg")
    ours = {name: value for name, value in _POSTGRESQL.items() if name not in parsed.query}
    return create_engine(parsed, pool_pre_ping=True, connect_args=ours)


def _sqlite_engine(url: URL) -> Engine:
    """SQLite in WAL mode, synchronous FULL: a commit is on the disk before it returns."""
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions are begun by `_begin_sqlite`
    cursor = connection.cursor()
    _write_ahead(cursor)
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.close()


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    """Switch to write-ahead logging.

    While another program writes to a file that is not in this mode yet, SQLite turns this one away without
    waiting; so the waiting is done here. Raises `sqlite3.OperationalError`.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    # A write transaction takes its lock at once: one that upgrades later may fail half-way.
    options = connection.get_execution_options()
    patience = options.get(_PATIENCE, BUSY_SECONDS)
    connection.exec_driver_sql(f"PRAGMA busy_timeout={1000 * patience:.0f}")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(_WRITES, False) else "BEGIN")


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A read transaction: every query in it sees the same moment."""
    with plain_errors(str(engine.url)), engine.connect() as plain:
        connection = plain.execution_options(**_SNAPSHOT) if on_postgresql(plain) else plain
        with connection.begin():
            yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A write transaction: all of it or nothing, durable when the block ends."""
    with plain_errors(str(engine.url)), engine.connect() as plain:
        connection = plain.execution_options(**{_WRITES: True})
        with connection.begin():
            yield connection


@contextmanager
def migrating(engine: Engine) -> Iterator[Connection]:
    """A write transaction that changes the schema: one at a time, waited for as long as it may take."""
    with plain_errors(str(engine.url)), engine.connect() as plain:
        connection = plain.execution_options(**{_WRITES: True, _PATIENCE: MIGRATION_SECONDS})
        with connection.begin():
            if on_postgresql(connection):
                connection.execute(text(f"SET LOCAL lock_timeout = '{MIGRATION_SECONDS:.0f}s'"))
                connection.execute(select(func.pg_advisory_xact_lock(_SCHEMA_LOCK)))
            yield connection


def on_postgresql(connection: Connection) -> bool:
    """Whether the connection is to PostgreSQL; otherwise it is to SQLite."""
    return connection.dialect.name == "postgresql"


def upsert(connection: Connection, table: Table, values: dict[str, Any]) -> None:
    """Insert a row, or replace the row with the same primary key."""
    keys = [column.name for column in table.primary_key]
    rest = {name: value for name, value in values.items() if name not in keys}
    statement = _insert(connection, table).values(**values)
    if rest:
        connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=rest))
    else:
        connection.execute(statement.on_conflict_do_nothing(index_elements=keys))


def insert_if_new(connection: Connection, table: Table, values: dict[str, Any]) -> bool:
    """Insert a row unless its primary key is there, waiting for whoever inserts it; whether it was new."""
    return (
        connection.execute(_insert(connection, table).values(**values).on_conflict_do_nothing()).rowcount == 1
    )


def _insert(connection: Connection, table: Table) -> Any:
    dialect = postgresql if on_postgresql(connection) else sqlite
    return dialect.insert(table)


def now(connection: Connection) -> float:
    """Seconds since 1970 by the clock that all users of the database share: the server's own."""
    if on_postgresql(connection):
        return float(connection.scalar(select(func.extract("epoch", func.clock_timestamp()))) or 0.0)
    return time.time()


def moment(newest: float | None) -> float:
    """Now by this machine's clock, but after `newest`: a clock that goes backwards reorders nothing."""
    return time.time() if newest is None else max(time.time(), newest + _TICK)
