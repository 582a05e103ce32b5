import sqlite3
import tarfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, inspect, text

from rlaios_core.control import StoreError, examine, schema_revision, tables
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.database import make_engine
from rlaios_core.schema import EpochStatus
from tests.control.bench import Bench, ledger
from tests.control.fakes import FakeLearner

FIRST_STORE = Path(__file__).parent / "stores" / "first.tar.xz"


def extract_first_store(folder: Path) -> None:
    """Put the first release's store into `folder/var`."""
    with tarfile.open(FIRST_STORE) as archive:
        archive.extractall(folder, filter="data")


def primary_keys(connection: Connection) -> dict[str, list[str]]:
    inspector = inspect(connection)
    return {name: inspector.get_pk_constraint(name)["constrained_columns"] for name in tables.metadata.tables}


def table_names(engine: Engine) -> set[str]:
    with engine.connect() as connection:
        return set(inspect(connection).get_table_names())


def test_models_and_migrations_agree(database_url: str) -> None:
    engine = make_engine(database_url)
    schema_revision.open_schema(engine)
    with engine.connect() as connection:
        options = {"compare_type": True, "version_table": tables.VERSION_TABLE}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, tables.metadata) == []
        modelled = {
            name: [column.name for column in table.primary_key]
            for name, table in tables.metadata.tables.items()
        }
        assert primary_keys(connection) == modelled
    engine.dispose()


def test_opening_again_changes_nothing(database_url: str) -> None:
    for _ in range(2):
        engine = make_engine(database_url)
        schema_revision.open_schema(engine)
        with engine.connect() as connection:
            assert schema_revision.revision_of(connection) == schema_revision.newest_revision()
        engine.dispose()


def test_a_newer_store_is_refused_in_one_line(database_url: str) -> None:
    ControlStateStore(database_url).campaigns()
    engine = make_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {tables.VERSION_TABLE} SET version_num = '9001'"))
    with pytest.raises(StoreError, match=r"has schema revision 9001.*update rlaios") as refused:
        ControlStateStore(database_url).campaigns()
    assert "\n" not in str(refused.value)
    engine.dispose()


def test_a_store_of_an_unknown_version_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    engine = make_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE campaigns (name TEXT)"))
        connection.execute(text("CREATE TABLE meta (name TEXT, value TEXT)"))
        connection.execute(text("INSERT INTO meta VALUES ('store_version', '7')"))
    with pytest.raises(StoreError, match=r"revision unversioned \(7\)"):
        ControlStateStore(url).campaigns()
    engine.dispose()


def test_a_migration_is_whole_or_not_at_all(database_url: str) -> None:
    """Another program's table stops it near the end: nothing of ours is left behind."""
    engine = make_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE held_out (something INTEGER)"))
    with pytest.raises(StoreError, match="give this one a database of its own"):
        ControlStateStore(database_url).campaigns()
    assert table_names(engine) == {"held_out"}
    engine.dispose()


def test_programs_that_open_an_empty_store_at_once_make_it_once(database_url: str) -> None:
    barrier = threading.Barrier(4)

    def open_store(_: int) -> list[str]:
        store = ControlStateStore(database_url)
        barrier.wait(timeout=30)
        try:
            return store.campaigns()
        finally:
            store.close()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(open_store, range(4))) == [[]] * 4


def test_a_file_that_another_program_is_writing_its_first_words_in_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.3, other.rollback).start()
    store = ControlStateStore(f"sqlite:///{path}")
    assert store.campaigns() == []
    store.close()
    other.close()


def test_an_older_store_is_brought_up_and_its_campaign_goes_on(tmp_path: Path) -> None:
    """The first release's store, in the middle of epoch 4 after a rollback, runs on by its own settings."""
    extract_first_store(tmp_path)
    bench = Bench(tmp_path / "var", FakeLearner(first=0.9, skill_at={1: 0.05}))
    with bench.controller() as controller:
        assert controller.state("alpha").epoch == 3
        before, rollbacks = ledger(controller)[:3], controller.rollbacks("alpha")
        controller.open_campaign(controller.settings("alpha"))
        controller.run_epoch("alpha")
        controller.run_epoch("alpha")
        assert ledger(controller)[:3] == before
        assert controller.rollbacks("alpha") == rollbacks
        assert [record.status for record in controller.epochs("alpha")] == [EpochStatus.CLOSED] * 5
        assert controller.state("alpha").epoch == 5
    assert examine(bench.workspace, bench.learner).faults == ()
