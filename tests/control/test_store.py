import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from rlaios_core.control import (
    CampaignError,
    ComparisonSettings,
    LeaseError,
    StoreError,
    TransitionError,
    Workspace,
    tables,
)
from rlaios_core.control import events as e
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.database import make_engine
from rlaios_core.control.database_errors import plain_errors
from rlaios_core.control.leases import LeaseKeeper
from rlaios_core.processes import Owner, process_start, this_process
from rlaios_core.schema import EpochKind, Pointer

OPENED = e.CampaignOpened(
    campaign="alpha",
    epoch=0,
    checkpoint_id="ck-0",
    environments=("fake",),
    rules=ComparisonSettings(),
    settings_hash="h",
)
RECORDED = e.EpisodesRecorded(
    campaign="alpha",
    epoch=1,
    kind=EpochKind.TRAINING,
    environment="fake",
    active_checkpoint="ck-0",
    reference_checkpoint=None,
    episodes=3,
    faults=0,
)


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'store.db'}"


def append(store: ControlStateStore, *events: e.Event) -> None:
    for event in events:
        with store.writing(event.campaign) as connection:
            store.append(connection, event)


@pytest.fixture
def store(database_url: str) -> Iterator[ControlStateStore]:
    made = ControlStateStore(database_url)
    append(made, OPENED)
    yield made
    made.close()


def test_an_event_is_applied_exactly_once(store: ControlStateStore, database_url: str) -> None:
    append(store, RECORDED, RECORDED, OPENED)
    assert store.state("alpha").position == 2
    assert store.events("alpha") == [OPENED, RECORDED]
    store.close()
    again = ControlStateStore(database_url)
    append(again, RECORDED)
    assert again.state("alpha").position == 2
    again.close()


def test_ids_depend_on_content_and_position() -> None:
    assert RECORDED.event_id == RECORDED.model_copy().event_id
    assert RECORDED.event_id != RECORDED.model_copy(update={"epoch": 2}).event_id
    assert RECORDED.event_id != RECORDED.model_copy(update={"episodes": 4}).event_id


def test_a_refused_event_leaves_no_trace(store: ControlStateStore) -> None:
    with pytest.raises(TransitionError, match=r"episodes\.recorded of epoch 2 is refused"):
        append(store, RECORDED.model_copy(update={"epoch": 2}))
    assert store.events("alpha") == [OPENED]


def test_several_events_are_one_transaction(store: ControlStateStore) -> None:
    def both() -> None:
        with store.writing("alpha") as connection:
            store.append(connection, RECORDED)
            store.append(connection, RECORDED.model_copy(update={"environment": "unknown"}))

    with pytest.raises(TransitionError):
        both()
    assert store.events("alpha") == [OPENED]


@pytest.mark.parametrize(
    "damage", [{"state": "{}"}, {"state": "no json"}, {"position": 1}, {"digest": "another"}]
)
def test_a_corrupt_snapshot_is_rebuilt_from_the_events(
    store: ControlStateStore, damage: dict[str, object]
) -> None:
    append(store, RECORDED)
    expected = store.state("alpha")
    with store.engine.begin() as connection:
        connection.execute(update(tables.snapshots).values(**damage))
    assert store.state("alpha") == expected


def test_an_altered_log_is_refused(store: ControlStateStore) -> None:
    append(store, RECORDED)
    with store.engine.begin() as connection:
        text = RECORDED.model_dump_json(by_alias=True).replace('"episodes":3', '"episodes":4')
        connection.execute(update(tables.events).where(tables.events.c.position == 2).values(payload=text))
        connection.execute(update(tables.snapshots).values(digest="x"))
    with pytest.raises(StoreError, match="event 2 of campaign 'alpha'"):
        store.state("alpha")


def test_pointer_moves_are_noted_with_their_event(store: ControlStateStore) -> None:
    with store.reading() as connection:
        rows = connection.execute(tables.pointer_moves.select()).all()
    assert [(row.pointer, row.checkpoint_id) for row in rows] == [
        (Pointer.ACTIVE.value, "ck-0"),
        (Pointer.LAST_STABLE.value, "ck-0"),
    ]
    assert {row.event_id for row in rows} == {OPENED.event_id}


def test_unknown_campaigns(store: ControlStateStore) -> None:
    with pytest.raises(CampaignError, match="no campaign 'beta'"):
        store.state("beta")
    with pytest.raises(CampaignError, match="no campaign 'beta'"):
        store.settings("beta")


def test_a_corrupt_database_names_the_file_and_the_mend(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(b"this is not a database at all" * 100)
    with pytest.raises(StoreError, match=r"store\.db cannot be used .*restore it from a backup"):
        ControlStateStore(url(tmp_path)).state("alpha")


def test_a_missing_folder_names_the_mend(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="its folder is missing"):
        ControlStateStore(url(tmp_path / "nowhere")).state("alpha")


def test_a_workspace_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="set RLAIOS_HOME"):
        Workspace.open(tmp_path / "file" / "var")


@pytest.mark.parametrize(
    ("message", "mend"),
    [
        ("database is locked", "another program holds it"),
        ("database or disk is full", "free some space"),
        ("database disk image is malformed", "restore it from a backup"),
        ("attempt to write a readonly database", "mend its permissions"),
    ],
)
def test_errors_of_the_database_are_made_plain(message: str, mend: str) -> None:
    with pytest.raises(StoreError, match=mend), plain_errors("sqlite:////var/store.db"):
        raise sqlite3.OperationalError(message)


def test_a_full_disk_is_made_plain() -> None:
    with pytest.raises(StoreError, match="free some space"), plain_errors("sqlite:////var/store.db"):
        raise OSError(28, "No space left on device", "/var/store.db")


def keeper(database_url: str, *, pid: int, host: str | None = None, seconds: float = 60.0) -> LeaseKeeper:
    owner = Owner(host or f"host{pid}", pid, "1", "someone")
    return LeaseKeeper(make_engine(database_url), owner, seconds)


def test_a_second_writer_is_refused_by_the_owners_name(store: ControlStateStore, database_url: str) -> None:
    store.close()
    first, second = keeper(database_url, pid=1), keeper(database_url, pid=2)
    first.acquire("alpha")
    first.acquire("alpha")
    with pytest.raises(LeaseError, match="process 1 of someone on host1"):
        second.acquire("alpha")
    second.acquire("beta")
    first.release()
    second.acquire("alpha")
    second.release()


def test_an_expired_lease_is_taken_over_and_its_old_owner_writes_nothing_more(
    store: ControlStateStore, database_url: str
) -> None:
    store.close()
    slow = ControlStateStore(database_url, keeper(database_url, pid=1, seconds=-1.0))
    with slow.writing("alpha"):
        pass
    quick = keeper(database_url, pid=2)
    quick.acquire("alpha")
    with pytest.raises(LeaseError, match="taken over by process 2"):
        append(slow, RECORDED)
    quick.release()
    slow.close()


def test_a_lease_of_a_process_that_is_gone_is_taken_over_at_once(
    store: ControlStateStore, database_url: str
) -> None:
    store.close()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    mine = this_process()
    keeper(database_url, pid=gone.pid, host=mine.host).acquire("alpha")
    after = LeaseKeeper(make_engine(database_url))
    after.acquire("alpha")
    after.release()
    assert process_start(gone.pid) is None
    assert process_start(mine.pid) == mine.started


def test_one_process_may_write_through_two_controllers(store: ControlStateStore, database_url: str) -> None:
    other = ControlStateStore(database_url)
    append(other, RECORDED)
    other.close()
    with pytest.raises(LeaseError):
        keeper(database_url, pid=1).acquire("alpha")
    store.close()
    late = keeper(database_url, pid=1)
    late.acquire("alpha")
    late.release()


def test_a_held_lease_is_kept_alive(store: ControlStateStore, database_url: str) -> None:
    store.close()
    busy = keeper(database_url, pid=1, seconds=1.5)
    busy.acquire("alpha")
    time.sleep(2.0)
    with pytest.raises(LeaseError):
        keeper(database_url, pid=2).acquire("alpha")
    busy.release()
