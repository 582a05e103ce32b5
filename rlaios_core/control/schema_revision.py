"""Which schema a store has, and bringing it to this program's: under a lock, whole or not at all.

A store without a revision table but with `meta` is one of the first release, revision 0001.
"""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text

from rlaios_core.control import migrations, tables
from rlaios_core.control.database import migrating, reading
from rlaios_core.control.database_errors import shown
from rlaios_core.control.errors import StoreError

FIRST = "0001"


def open_schema(engine: Engine) -> None:
    """Bring an empty or older store to this program's schema. Raises `StoreError` for a newer one."""
    if _revision(engine) == newest_revision():
        return
    with migrating(engine) as connection:
        found = revision_of(connection)  # another process may have brought it up meanwhile
        if found is not None:
            require_known(engine, found)
        if found != newest_revision():
            _upgrade(connection, found)


def newest_revision() -> str:
    """The revision this program reads and writes."""
    return str(_script().get_current_head())


def known_revisions() -> tuple[str, ...]:
    """All revisions this program can bring up, oldest first."""
    return tuple(reversed([revision.revision for revision in _script().walk_revisions()]))


def require_known(engine: Engine, revision: str) -> None:
    """Raise `StoreError` for a revision of a newer program."""
    if revision not in known_revisions():
        raise StoreError(
            f"the campaign store {shown(str(engine.url))} has schema revision {revision}, this program knows "
            f"{newest_revision()} and older: update rlaios, or use the version that wrote it"
        )


def revision_of(connection: Connection) -> str | None:
    """The store's revision; null for a database without a store."""
    inspector = inspect(connection)
    if inspector.has_table(tables.VERSION_TABLE):
        return str(connection.scalar(text(f"SELECT version_num FROM {tables.VERSION_TABLE}")))
    if inspector.has_table("meta") and inspector.has_table("campaigns"):
        version = connection.scalar(text("SELECT value FROM meta WHERE name = 'store_version'"))
        return FIRST if version == "1" else f"unversioned ({version})"
    return None


def _revision(engine: Engine) -> str | None:
    with reading(engine) as connection:
        return revision_of(connection)


def _upgrade(connection: Connection, found: str | None) -> None:
    config = Config()
    config.set_main_option("script_location", str(_folder()))
    config.attributes["connection"] = connection
    if found == FIRST and not inspect(connection).has_table(tables.VERSION_TABLE):
        command.stamp(config, FIRST)
    command.upgrade(config, "head")


@cache
def _script() -> ScriptDirectory:
    return ScriptDirectory(str(_folder()))


def _folder() -> Path:
    return Path(migrations.__path__[0])
