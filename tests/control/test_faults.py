"""What a store meets: locks, full disks, lost connections, clocks that go back, other writers."""

import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import make_url, select, text

from rlaios_core.control import CampaignError, LeaseError, StoreError, database, tables
from rlaios_core.control import events as e
from rlaios_core.control.artifacts import Artifacts
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.database import make_engine
from rlaios_core.control.leases import LeaseKeeper
from rlaios_core.processes import Owner
from rlaios_core.schema import RollbackReason
from rlaios_core.student import CheckpointError
from tests.control.bench import Bench, campaign
from tests.control.fakes import FakeLearner
from tests.control.test_store import OPENED, RECORDED, append, keeper
from tests.postgres import PostgresServer


def lift(ordinal: int, reason: str = "a look") -> e.Event:
    """Pause and lift in turn: events that any campaign takes for ever."""
    if ordinal % 2 == 0:
        return e.CampaignPaused(campaign="alpha", epoch=0, ordinal=ordinal, reason=reason)
    return e.FreezeLifted(campaign="alpha", epoch=0, ordinal=ordinal, reason=reason, retry_rollback=False)


@pytest.fixture
def store(database_url: str) -> Iterator[ControlStateStore]:
    made = ControlStateStore(database_url)
    append(made, OPENED)
    yield made
    made.close()


# Locks

_HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", _HOLD, str(path)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    try:
        yield holder
    finally:
        holder.kill()
        holder.communicate(timeout=30)


def test_a_locked_file_is_waited_for_and_then_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.3)
    path = tmp_path / "store.db"
    store = ControlStateStore(f"sqlite:///{path}")
    append(store, OPENED)
    with held_by_another_process(path):
        with pytest.raises(StoreError, match=r"store\.db cannot be used .*locked.*another program holds it"):
            append(store, RECORDED)
        assert store.events("alpha") == [OPENED]
    append(store, RECORDED)
    assert store.events("alpha") == [OPENED, RECORDED]
    store.close()


def test_a_lock_that_is_given_up_in_time_is_only_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = ControlStateStore(f"sqlite:///{path}")
    append(store, OPENED)
    with held_by_another_process(path) as holder:
        timer = threading.Timer(0.5, holder.kill)
        timer.start()
        append(store, RECORDED)
        timer.join()
    assert store.state("alpha").position == 2
    store.close()


def test_a_lock_on_postgresql_is_waited_for_and_then_named(postgres: PostgresServer) -> None:
    url = make_url(postgres.new_database())
    store = ControlStateStore(
        url.update_query_dict({"options": "-c lock_timeout=300ms"}).render_as_string(hide_password=False)
    )
    append(store, OPENED)
    with postgres.connect(str(url.database)) as other, other.transaction():
        other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreError, match=r"lock timeout.*another program holds it"):
            append(store, RECORDED)
    append(store, RECORDED)
    assert store.state("alpha").position == 2
    store.close()


def test_a_store_that_another_program_brings_up_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path)) as empty:
        empty.execute("PRAGMA journal_mode=WAL")
    with held_by_another_process(path) as holder:
        timer = threading.Timer(1.0, holder.kill)
        timer.start()
        assert ControlStateStore(f"sqlite:///{path}").campaigns() == []
        timer.join()


# Full disks


@contextmanager
def files_may_not_grow(limit: int) -> Iterator[None]:
    """The kernel refuses every write beyond `limit` bytes of a file, as it does on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_that_may_not_grow_loses_nothing(tmp_path: Path) -> None:
    store = ControlStateStore(f"sqlite:///{tmp_path / 'store.db'}")
    append(store, OPENED)
    with files_may_not_grow(64_000):
        with pytest.raises(StoreError, match="the disk is full"):
            append(store, lift(0, "x" * 200_000))
        with pytest.raises(StoreError, match=r"cannot write .*free space"):
            Artifacts(str(tmp_path)).write("episodes/a.parquet", b"\0" * 100_000, 1)
    assert store.events("alpha") == [OPENED]
    assert list((tmp_path / "episodes").iterdir()) == []
    append(store, lift(0, "x" * 200_000))
    assert store.state("alpha").position == 2
    store.close()


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=False)
    if mounted.returncode:
        pytest.skip("no file system may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.skipif(os.getuid() != 0, reason="mounts a small file system")
def test_a_full_disk_loses_nothing_on_sqlite(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "2M") as disk:
        store = ControlStateStore(f"sqlite:///{disk / 'store.db'}")
        append(store, OPENED)
        free = os.statvfs(disk)
        (disk / "filler").write_bytes(b"\0" * max(0, free.f_bavail * free.f_bsize - 8192))
        with pytest.raises(StoreError, match="the disk is full"):
            append(store, lift(0, "x" * 500_000))
        (disk / "filler").unlink()
        assert store.events("alpha") == [OPENED]
        append(store, lift(0, "x" * 500_000))
        assert store.state("alpha").position == 2
        store.close()


@pytest.mark.skipif(os.getuid() != 0, reason="mounts a small file system")
def test_a_full_disk_loses_nothing_on_postgresql(tmp_path: Path, postgres: PostgresServer) -> None:
    with small_disk(postgres.folder / "small", "24M") as disk:
        owner = postgres.folder.stat()
        os.chown(disk, owner.st_uid, owner.st_gid)
        with postgres.connect() as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{disk}'".encode())
            connection.execute(b"CREATE DATABASE small TABLESPACE small")
        store = ControlStateStore(postgres.url("small"))
        append(store, OPENED)
        free = os.statvfs(disk)
        filler = disk / "filler"
        filler.write_bytes(b"\0" * max(0, free.f_bavail * free.f_bsize - 8192))
        large = os.urandom(400_000).hex()
        with pytest.raises(StoreError, match="the disk is full"):
            append(store, lift(0, large))
        filler.unlink()
        assert store.events("alpha") == [OPENED]
        append(store, lift(0, large))
        assert store.state("alpha").position == 2
        store.close()
        with postgres.connect() as connection:
            connection.execute(b"DROP DATABASE small WITH (FORCE)")
            connection.execute(b"DROP TABLESPACE small")


# Lost connections


def end_backend(postgres: PostgresServer, pid: int) -> None:
    """End a connection from the server's side, and wait until it is gone."""
    with postgres.connect() as connection:
        connection.execute("SELECT pg_terminate_backend(%s, 10000)", (pid,))


@pytest.mark.parametrize("when", ["before the event", "before the commit"])
def test_a_connection_lost_in_mid_transaction_keeps_nothing_and_the_event_is_applied_once(
    postgres: PostgresServer, when: str
) -> None:
    store = ControlStateStore(postgres.new_database())
    append(store, OPENED)

    def interrupted() -> None:
        with store.writing("alpha") as connection:
            pid = connection.scalar(text("SELECT pg_backend_pid()"))
            if when == "before the event":
                end_backend(postgres, pid)
            store.append(connection, RECORDED)
            end_backend(postgres, pid)

    with pytest.raises(StoreError, match="the connection was lost and nothing of this step was kept"):
        interrupted()
    assert store.events("alpha") == [OPENED]
    append(store, RECORDED, RECORDED)
    assert store.events("alpha") == [OPENED, RECORDED]
    store.close()


def test_a_connection_lost_between_transactions_is_not_noticed(postgres: PostgresServer) -> None:
    store = ControlStateStore(postgres.new_database())
    append(store, OPENED)
    with store.reading() as connection:
        pid = connection.scalar(text("SELECT pg_backend_pid()"))
    end_backend(postgres, pid)
    append(store, RECORDED)
    assert store.state("alpha").position == 2
    store.close()


def test_an_epoch_goes_on_after_its_connections_were_lost(tmp_path: Path, postgres: PostgresServer) -> None:
    url = postgres.new_database()
    bench = Bench(tmp_path / "var", database_url=url)
    with bench.controller() as controller:
        controller.open_campaign(campaign(episodes_per_epoch=6))
        key = controller.plan_epoch("alpha").key
        controller.generate_benchmark(key)
        with postgres.connect() as connection:
            query = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s"
            connection.execute(query, (make_url(url).database,))
        assert controller.run_epoch("alpha").key == key
        assert controller.state("alpha").epoch == 1


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    url = f"postgresql+psycopg://someone:secret@/store?host={tmp_path}"
    with pytest.raises(StoreError, match="no server answers there") as refused:
        ControlStateStore(url).campaigns()
    assert "secret" not in str(refused.value)


def test_an_unknown_campaign_does_not_tell_the_password(postgres: PostgresServer) -> None:
    url = make_url(postgres.new_database()).set(password="secret")
    store = ControlStateStore(url.render_as_string(hide_password=False))
    with pytest.raises(CampaignError, match="no campaign 'beta'") as refused:
        store.state("beta")
    assert "secret" not in str(refused.value)
    store.close()


@pytest.mark.parametrize(
    ("url", "mend"),
    [("no url at all", "write sqlite:///FILE or"), ("mysql://host/store", "use sqlite or postgresql")],
)
def test_a_database_url_that_cannot_be_used(url: str, mend: str) -> None:
    with pytest.raises(StoreError, match=mend):
        ControlStateStore(url)


# Clocks that go back


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set this machine's clock for the store: `clock(-3600)` puts it back by an hour."""
    real = time.time

    def put(seconds: float) -> None:
        monkeypatch.setattr(database.time, "time", lambda: real() + seconds)

    return put


def test_a_clock_that_goes_back_reorders_nothing(
    store: ControlStateStore, clock: Callable[[float], None]
) -> None:
    for ordinal, behind in enumerate((0.0, -3600.0, -7200.0, 10.0, 0.0)):
        clock(behind)
        append(store, lift(ordinal))
    column = tables.events.c.recorded_at
    with store.reading() as connection:
        moments = list(connection.scalars(select(column).order_by(tables.events.c.position)))
    assert moments == sorted(set(moments))


def test_rollbacks_keep_their_order_when_the_clock_goes_back(
    tmp_path: Path, clock: Callable[[float], None]
) -> None:
    bench = Bench(tmp_path / "var", FakeLearner(first=0.9, skill_at={1: 0.8, 2: 0.8, 3: 0.8}))
    with bench.controller() as controller:
        controller.open_campaign(campaign(episodes_per_epoch=6))
        for behind in (0.0, -3600.0, -7200.0):
            clock(behind)
            controller.run_epoch("alpha")
            controller.rollback("alpha", reason=RollbackReason.REQUESTED)
        assert [record.epoch for record in controller.rollbacks("alpha")] == [1, 2, 3]
        moments = [move.recorded_at for move in controller.lineage_history("alpha")]
        assert moments == sorted(moments, key=str)


def test_a_lease_from_before_the_clock_went_back_is_not_held_for_ever(database_url: str) -> None:
    """Its owner, on another machine, is gone: nobody writes a new expiry, so it is taken over."""
    ControlStateStore(database_url).campaigns()
    gone = keeper(database_url, pid=1, seconds=3600.0)
    gone.acquire("alpha")
    after = keeper(database_url, pid=2, seconds=0.6)
    started = time.monotonic()
    after.acquire("alpha")
    assert 0.25 < time.monotonic() - started < 20.0
    after.release()


def test_a_living_owner_keeps_its_lease_when_the_clock_goes_back(
    tmp_path: Path, clock: Callable[[float], None]
) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    ControlStateStore(url).campaigns()
    living = keeper(url, pid=1, seconds=3.0)
    living.acquire("alpha")
    clock(-3600.0)
    with pytest.raises(LeaseError, match="process 1 of someone"):
        keeper(url, pid=2, seconds=3.0).acquire("alpha")
    living.release()


# Other writers


def test_of_many_that_ask_at_once_one_gets_the_lease(database_url: str) -> None:
    ControlStateStore(database_url).campaigns()
    barrier = threading.Barrier(5)
    keepers = [keeper(database_url, pid=number + 1) for number in range(5)]

    def ask(asking: LeaseKeeper) -> bool:
        barrier.wait(timeout=30)
        try:
            asking.acquire("alpha")
        except LeaseError:
            return False
        return True

    with ThreadPoolExecutor(5) as pool:
        assert sorted(pool.map(ask, keepers)) == [False] * 4 + [True]
    for each in keepers:
        each.release()


def test_campaigns_run_side_by_side_on_one_store(database_url: str) -> None:
    def run(name: str, number: int) -> int:
        owner = Owner(f"host{number}", number, "1", "someone")
        mine = ControlStateStore(database_url, LeaseKeeper(make_engine(database_url), owner))
        with closing(mine):
            append(mine, OPENED.model_copy(update={"campaign": name}))
            append(mine, *(lift(k).model_copy(update={"campaign": name}) for k in range(12)))
            return mine.state(name).position

    names = ("alpha", "beta", "gamma")
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(run, names, (1, 2, 3))) == [13, 13, 13]
    store = ControlStateStore(database_url)
    for name in names:
        with store.reading() as connection:
            assert store.fold(connection, name) == store.state(name)
    store.close()


# Checkpoints


def test_a_corrupt_checkpoint_under_active_stops_and_has_a_way_out(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var")
    with bench.controller() as controller:
        controller.open_campaign(campaign(episodes_per_epoch=6))
        controller.run_epoch("alpha")
        lineage = controller.state("alpha").lineage
        path = controller.checkpoint_file(lineage.active)
        path.write_bytes(b"{}")
    with bench.controller() as controller:
        with pytest.raises(CheckpointError, match="is corrupt"):
            controller.run_epoch("alpha")
        assert controller.state("alpha").lineage == lineage
        record = controller.rollback("alpha", reason=RollbackReason.REQUESTED)
        assert record.verified
        assert controller.state("alpha").lineage.active == lineage.pre_update_ref
        controller.run_epoch("alpha")
        assert controller.state("alpha").epoch == 2


def test_an_active_checkpoint_that_is_lost_in_mid_epoch_ends_in_a_rollback(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var")
    with bench.controller() as controller:
        controller.open_campaign(campaign(episodes_per_epoch=6))
        controller.run_epoch("alpha")
        lineage = controller.state("alpha").lineage
        key = controller.plan_epoch("alpha").key
        controller.generate_benchmark(key)
        controller.collect_episodes(key, "fake")
        path = controller.checkpoint_file(lineage.active)
        path.unlink()
    with bench.controller() as controller:
        record = controller.run_epoch("alpha")
        assert record.key == key
        assert record.candidate_checkpoint is None
        assert str(path) in controller.candidate_reports("alpha")[-1].reason
        with pytest.raises(CheckpointError, match=path.name):
            controller.run_epoch("alpha")
        assert controller.rollback("alpha", reason=RollbackReason.REQUESTED).verified
        assert controller.run_epoch("alpha").active_checkpoint == lineage.pre_update_ref


def test_pruning_and_pinning_see_each_other(tmp_path: Path, database_url: str) -> None:
    """A pin that comes while pruning looks is kept, or refused because the file is gone."""
    bench = Bench(tmp_path / "var", database_url=database_url)
    with bench.controller() as controller, bench.controller() as other:
        controller.open_campaign(campaign(episodes_per_epoch=6))
        for _ in range(4):
            controller.run_epoch("alpha")
        checkpoint_id = controller.prune("alpha", 0, dry_run=True).removed[0].checkpoint_id
        barrier = threading.Barrier(2)

        def pin() -> bool:
            barrier.wait(timeout=30)
            try:
                other.pin("alpha", checkpoint_id)
            except CampaignError:
                return False
            return True

        with ThreadPoolExecutor(1) as pool:
            pinned = pool.submit(pin)
            barrier.wait(timeout=30)
            removed = {record.checkpoint_id for record in controller.prune("alpha", 0).removed}
        kept = (bench.workspace.checkpoints / f"{checkpoint_id}.json").exists()
        assert kept is pinned.result() is (checkpoint_id not in removed)


def test_an_update_under_way_keeps_its_candidate(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var")
    with bench.controller() as controller:
        controller.open_campaign(campaign(episodes_per_epoch=6))
        controller.run_epoch("alpha")
        key = controller.plan_epoch("alpha").key
        controller.generate_benchmark(key)
        controller.collect_episodes(key, "fake")
        controller.compare(key)
        controller.route_lanes(key)
        candidate = controller.train_candidate(key).checkpoint_id
        assert controller.prune("alpha", 0).removed == ()
        controller.promote(key)
        assert controller.state("alpha").lineage.active == candidate


def test_what_a_killed_pruning_left_goes_with_the_next(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var")
    with bench.controller() as controller:
        controller.open_campaign(campaign(episodes_per_epoch=6))
        for _ in range(4):
            controller.run_epoch("alpha")
        gone = controller.prune("alpha", 0).removed[0]
        path = bench.workspace.checkpoints / f"{gone.checkpoint_id}.json"
        path.write_bytes(b"left")
        assert [record.checkpoint_id for record in controller.prune("alpha", 0).removed] == [
            gone.checkpoint_id
        ]
        assert not path.exists()
