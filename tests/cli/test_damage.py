"""Damaged stores: each gives one line that names the file and the mend."""

import os
import socket
import subprocess
from pathlib import Path

import pytest

from rlaios_core.control import Workspace
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.leases import LeaseKeeper
from rlaios_core.processes import Owner, process_start
from tests.cli.conftest import Run, complaint, tiny

pytestmark = pytest.mark.usefixtures("toy")
TRAIN = ("shell", "train", "--runner", "direct", "--quiet")


@pytest.fixture
def trained(rlaios: Run, home: Path) -> Path:
    assert rlaios(*TRAIN, *tiny("--epochs", "1")).code == 0
    return home


def test_a_corrupt_database_is_named(rlaios: Run, trained: Path) -> None:
    for path in trained.glob("store.db*"):
        path.unlink()
    (trained / "store.db").write_bytes(b"this is no database " * 400)
    for arguments in (["status"], ["shell", "eval"], [*TRAIN, *tiny("--epochs", "1")]):
        assert "store.db" in complaint(rlaios(*arguments))


@pytest.mark.parametrize("harm", ["truncate", "flip", "remove"])
def test_a_corrupt_checkpoint_is_named(rlaios: Run, trained: Path, harm: str) -> None:
    files = [path for path in (trained / "checkpoints").rglob("*") if path.is_file()]
    assert files
    for path in files:
        content = bytearray(path.read_bytes())
        if harm == "remove":
            path.unlink()
        else:
            content[-8:] = b"" if harm == "truncate" else bytes(b ^ 0xFF for b in content[-8:])
            path.write_bytes(bytes(content))
    line = complaint(rlaios("shell", "eval", "--episodes", "2", "--quiet"))
    assert str(trained / "checkpoints") in line


def test_an_unknown_checkpoint_is_refused(rlaios: Run, trained: Path) -> None:
    assert "nothing-like-it" in complaint(
        rlaios("shell", "eval", "--checkpoint", "nothing-like-it", "--quiet")
    )


def test_a_second_writer_is_refused_with_the_first_ones_name(rlaios: Run, trained: Path) -> None:
    """The lease of another living process: this one's parent."""
    parent = os.getppid()
    owner = Owner(socket.gethostname(), parent, process_start(parent) or "0", "somebody")
    store = ControlStateStore(Workspace.open(trained).database_url)
    keeper = LeaseKeeper(store.engine, owner)
    keeper.acquire("shell")
    try:
        line = complaint(
            rlaios("shell", "train", "--resume", "--epochs", "3", "--runner", "direct", "--quiet")
        )
    finally:
        keeper.release()
        store.close()
    assert f"process {parent} of somebody" in line


def test_a_home_that_cannot_be_made_is_named(rlaios: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "file" in complaint(rlaios("--home", str(tmp_path / "file" / "var"), "status"))


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="mounts a small file system")
def test_a_full_disk_is_named_and_the_next_start_goes_on(rlaios: Run, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8M", "tmpfs", disk], check=False)
    if mounted.returncode:
        pytest.skip("no file system may be mounted here")
    try:
        command = ("--home", str(disk / "var"), *TRAIN)
        assert rlaios(*command, *tiny("--epochs", "1")).code == 0
        free = os.statvfs(disk)
        (disk / "filler").write_bytes(b"\0" * max(0, free.f_bavail * free.f_bsize - 20_000))
        assert str(disk) in complaint(rlaios(*command, "--resume", "--epochs", "2"))
        assert not list(disk.rglob("*.tmp"))
        (disk / "filler").unlink()
        assert rlaios(*command, "--resume", "--epochs", "2").code == 0
    finally:
        subprocess.run(["umount", disk], check=True)
