"""Each fault of a store is named by its check, with its place and its mend; a sound store has none."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, make_url, text, update

from rlaios_core.control import Diagnosis, Workspace, examine, tables
from rlaios_core.control.database import make_engine, writing
from rlaios_core.control.doctor import Check
from rlaios_core.control.leases import LeaseKeeper
from rlaios_core.processes import Owner
from tests.control.bench import Bench, campaign
from tests.control.fakes import FakeLearner
from tests.control.test_schema_revision import extract_first_store


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound store with a few epochs in it, to be copied."""
    root = tmp_path_factory.mktemp("played") / "var"
    with Bench(root).controller() as controller:
        controller.open_campaign(campaign(episodes_per_epoch=6))
        for _ in range(3):
            controller.run_epoch("alpha")
    return root


@pytest.fixture
def workspace(played: Path, tmp_path: Path) -> Workspace:
    shutil.copytree(played, tmp_path / "var")
    return Workspace.open(tmp_path / "var")


def diagnose(workspace: Workspace) -> Diagnosis:
    return examine(workspace, FakeLearner())


def only_fault(workspace: Workspace, check: Check) -> str:
    """The one fault found, as a line; it has a mend."""
    (fault,) = diagnose(workspace).faults
    assert fault.check is check
    assert fault.mend
    return f"{fault.where}: {fault.what}: {fault.mend}"


def change(workspace: Workspace, *statements: Any) -> None:
    engine = make_engine(workspace.database_url)
    with writing(engine) as connection:
        for statement in statements:
            connection.execute(statement)
    engine.dispose()


def file_of(workspace: Workspace, pattern: str) -> Path:
    return next(iter(sorted(workspace.root.rglob(pattern))))


def test_a_sound_store_has_no_fault(workspace: Workspace) -> None:
    diagnosis = diagnose(workspace)
    assert diagnosis.sound
    assert diagnosis.campaigns == ("alpha",)
    assert set(diagnosis.examined) == {check.value for check in Check} - {Check.LEASES.value}


def test_a_store_on_postgresql_is_examined(tmp_path: Path, postgres: Any) -> None:
    bench = Bench(tmp_path / "var", database_url=postgres.new_database())
    with bench.controller() as controller:
        controller.open_campaign(campaign(episodes_per_epoch=6))
        controller.run_epoch("alpha")
    diagnosis = diagnose(bench.workspace)
    assert diagnosis.faults == ()
    assert diagnosis.examined[Check.DATABASE.value] == len(tables.metadata.tables)
    name = make_url(bench.workspace.database_url).database
    path = file_of(bench.workspace, "fake.parquet")
    path.unlink()
    change(bench.workspace, update(tables.snapshots).values(position=1))
    found = {fault.check for fault in diagnose(bench.workspace).faults}
    assert found == {Check.SNAPSHOTS, Check.FILES}
    with postgres.connect(name) as connection:
        connection.execute("DROP TABLE held_out")
    assert "lacks the table held_out" in only_fault(bench.workspace, Check.SCHEMA)


def test_nothing_is_changed(workspace: Workspace) -> None:
    def contents() -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in workspace.root.rglob("*") if p.is_file()}

    change(workspace, update(tables.snapshots).values(digest="x"))
    before = contents()
    diagnose(workspace)
    assert contents() == before


def test_a_store_that_is_not_there(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path / "var")
    assert "there is no file" in only_fault(workspace, Check.DATABASE)
    assert not (workspace.root / "store.db").exists()


def test_a_corrupt_database(workspace: Workspace) -> None:
    path = workspace.root / "store.db"
    content = bytearray(path.read_bytes())
    for page in range(3, len(content) // 4096):
        content[page * 4096 : page * 4096 + 100] = os.urandom(100)
    path.write_bytes(content)
    faults = diagnose(workspace).faults
    assert {fault.check for fault in faults} == {Check.DATABASE}
    assert any("restore" in fault.mend for fault in faults)


@pytest.mark.parametrize(("revision", "what"), [("0001", "brings it up"), ("9001", "update rlaios")])
def test_a_schema_of_another_program(workspace: Workspace, revision: str, what: str) -> None:
    change(workspace, text(f"UPDATE {tables.VERSION_TABLE} SET version_num = '{revision}'"))
    assert what in only_fault(workspace, Check.SCHEMA)


def test_a_lost_column(workspace: Workspace) -> None:
    change(workspace, text("ALTER TABLE held_out DROP COLUMN score"))
    assert "score" in only_fault(workspace, Check.SCHEMA)


def test_a_lease_of_a_dead_process(workspace: Workspace) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    owner = Owner(socket.gethostname(), gone.pid, "1", "somebody")
    LeaseKeeper(make_engine(workspace.database_url), owner).acquire("alpha")
    line = only_fault(workspace, Check.LEASES)
    assert f"process {gone.pid} of somebody" in line
    assert "takes the lease over" in line


_EVENTS, _SNAPSHOTS, _MOVES = tables.events, tables.snapshots, tables.pointer_moves


@pytest.mark.parametrize(
    ("damage", "check", "what"),
    [
        (lambda: delete(_EVENTS).where(_EVENTS.c.position == 3), Check.EVENTS, "event 3"),
        (
            lambda: update(_EVENTS).where(_EVENTS.c.position == 2).values(payload="{}"),
            Check.EVENTS,
            "event 2",
        ),
        (lambda: delete(_EVENTS), Check.EVENTS, "has no event"),
        (lambda: update(_SNAPSHOTS).values(digest="x"), Check.SNAPSHOTS, "was altered"),
        (lambda: update(_SNAPSHOTS).values(position=1), Check.SNAPSHOTS, "does not agree"),
        (lambda: delete(_SNAPSHOTS), Check.SNAPSHOTS, "is missing"),
        (
            lambda: update(_MOVES).where(_MOVES.c.pointer == "last_stable").values(checkpoint_id="ck-x"),
            Check.POINTERS,
            "last_stable of campaign alpha",
        ),
        (
            lambda: update(tables.epochs).where(tables.epochs.c.epoch == 2).values(status="open"),
            Check.EPOCHS,
            "has 2 closed epochs",
        ),
        (lambda: update(tables.campaigns).values(settings="{}"), Check.EVENTS, "settings"),
        (
            lambda: delete(tables.episodes).where(tables.episodes.c.place == 1, tables.episodes.c.epoch == 1),
            Check.FILES,
            "are indexed",
        ),
    ],
)
def test_rows_that_were_altered(
    workspace: Workspace, damage: Callable[[], Any], check: Check, what: str
) -> None:
    change(workspace, damage())
    assert what in only_fault(workspace, check)


@pytest.mark.parametrize("pattern", ["fake.parquet", "fake.tasks.gz"])
@pytest.mark.parametrize("harm", ["alter", "remove"])
def test_a_lost_or_altered_file(workspace: Workspace, pattern: str, harm: str) -> None:
    path = file_of(workspace, pattern)
    if harm == "remove":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-1] + b"\0\0")
    assert str(path) in only_fault(workspace, Check.FILES)


def active(workspace: Workspace) -> str:
    with Bench(workspace.root).controller() as controller:
        return controller.state("alpha").lineage.active


def test_a_corrupt_checkpoint_under_a_pointer(workspace: Workspace) -> None:
    path = workspace.checkpoints / f"{active(workspace)}.json"
    path.write_bytes(b"{}")
    line = only_fault(workspace, Check.POINTERS)
    assert line.startswith("active (")
    assert str(path) in line


def test_weights_that_are_not_the_recorded_ones(workspace: Workspace) -> None:
    table, checkpoint_id = tables.checkpoints, active(workspace)
    change(
        workspace,
        text(
            'UPDATE checkpoints SET record = replace(record, \'"weightsHash":"w-\', \'"weightsHash":"v-\') '
            f"WHERE {table.c.checkpoint_id.name} = '{checkpoint_id}'"
        ),
    )
    assert "has weights that hash to w-" in only_fault(workspace, Check.POINTERS)


def test_a_pointer_without_a_checkpoint(workspace: Workspace) -> None:
    table, checkpoint_id = tables.checkpoints, active(workspace)
    change(workspace, update(table).where(table.c.checkpoint_id == checkpoint_id).values(file_kept=False))
    found = {(fault.check, fault.what) for fault in diagnose(workspace).faults}
    assert (Check.POINTERS, "has a record that says its file was removed") in found
    change(workspace, delete(table).where(table.c.checkpoint_id == checkpoint_id))
    found = {(fault.check, fault.what) for fault in diagnose(workspace).faults}
    assert (Check.POINTERS, "has no record") in found


def test_files_that_nothing_knows(workspace: Workspace) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (workspace.checkpoints / f".ck-1.safetensors.{gone.pid}.tmp").write_bytes(b"half")
    assert "which is gone" in only_fault(workspace, Check.LEFTOVERS)
    (workspace.checkpoints / f".ck-1.safetensors.{gone.pid}.tmp").unlink()
    (workspace.checkpoints / f".ck-1.safetensors.{os.getpid()}.tmp").write_bytes(b"being written")
    assert diagnose(workspace).sound
    (workspace.checkpoints / "ck-2.json").write_bytes(b"{}")
    assert "checkpoints/ck-2.json: is not recorded" in only_fault(workspace, Check.LEFTOVERS)
    (workspace.checkpoints / "ck-2.json").unlink()
    (workspace.episodes("alpha") / "alpha.t00009").mkdir()
    (workspace.episodes("alpha") / "alpha.t00009" / "fake.parquet").write_bytes(b"")
    assert "alpha.t00009/fake.parquet: is not recorded" in only_fault(workspace, Check.LEFTOVERS)


def test_a_campaign_that_was_killed_in_the_middle_of_an_epoch_is_sound(workspace: Workspace) -> None:
    with Bench(workspace.root).controller() as controller:
        key = controller.plan_epoch("alpha").key
        controller.generate_benchmark(key)
    (workspace.episodes("alpha") / key / "fake.parquet").write_bytes(b"written, not recorded")
    assert diagnose(workspace).sound


def test_an_older_store_is_not_brought_up(tmp_path: Path) -> None:
    extract_first_store(tmp_path)
    workspace = Workspace.open(tmp_path / "var")
    assert "brings it up" in only_fault(workspace, Check.SCHEMA)
    assert diagnose(workspace).revision == "0001"
    with Bench(workspace.root).controller() as controller:
        controller.campaigns()
    assert diagnose(workspace).sound
