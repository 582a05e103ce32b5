"""What a worker started, on record by pid and start time, so that the next start can sweep it.

A process killed outright cannot clean up behind itself. Its record names the processes and the scratch
folder it owned; a later worker ends and removes them when the owner is no longer alive. A pid that was
given to another process since has another start time, and is left alone.
"""

import contextlib
import json
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from rlaios_core.files import write_whole
from rlaios_core.process_table import descendants as ids_below
from rlaios_core.process_table import parent as id_of_parent
from rlaios_core.process_table import pids, stat_fields


class Process(NamedTuple):
    """A process: `started` is its start time in clock ticks since boot, which tells reused pids apart."""

    pid: int
    started: int


def folder() -> Path:
    """Where this user's records and scratch folders are; nobody else may enter."""
    path = Path(tempfile.gettempdir()) / f"rlaios-browser-{os.getuid()}"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.stat().st_uid != os.getuid():
        raise PermissionError(f"{path} belongs to somebody else; set TMPDIR to a folder of your own")
    return path


def identify(pid: int) -> Process | None:
    """The living process with this pid; `None` when it is gone or a zombie."""
    fields = stat_fields(pid)
    return None if fields is None or fields[0] == "Z" else Process(pid, int(fields[19]))


def parent(process: Process) -> int:
    """Pid of the process's parent; 0 when the process is gone."""
    return id_of_parent(process.pid) or 0


def alive(process: Process) -> bool:
    """Whether exactly this process still runs."""
    return identify(process.pid) == process


def descendants(pid: int) -> list[Process]:
    """All living processes below `pid`, parents first."""
    known = (identify(child) for child in ids_below(pid))
    return [process for process in known if process is not None]


def belonging_to(scratch: Path) -> list[Process]:
    """Every process that was started with this scratch folder as its TMPDIR, and all below them.

    This finds drivers whose start was given up half-way, and what a dead parent left to init.
    """
    mark = f"TMPDIR={scratch}".encode()
    found: dict[int, Process] = {}
    for pid in pids():
        if pid in found:
            continue
        try:
            marked = mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            continue
        known = identify(pid) if marked else None
        if known is not None:
            found[known.pid] = known
            found.update((process.pid, process) for process in descendants(known.pid))
    return list(found.values())


def memory_bytes(processes: list[Process]) -> int:
    """Resident memory of these processes together; shared pages count once per process."""
    page = os.sysconf("SC_PAGE_SIZE")
    total = 0
    for process in processes:
        with contextlib.suppress(OSError, ValueError, IndexError):
            total += int(Path(f"/proc/{process.pid}/statm").read_text("ascii").split()[1]) * page
    return total


def kill(processes: list[Process], seconds: float = 2.0) -> bool:
    """End these processes, and only these; whether all are gone within `seconds`."""
    for process in processes:
        if alive(process):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
    deadline = time.monotonic() + seconds
    while any(alive(process) for process in processes):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


class Record:
    """One worker's record and its scratch folder."""

    def __init__(self) -> None:
        name = f"{os.getpid()}-{time.monotonic_ns()}"
        self._path = folder() / f"{name}.json"
        self.scratch = folder() / f"{name}.scratch"
        self.scratch.mkdir(mode=0o700)
        self.write([])

    def write(self, processes: list[Process]) -> None:
        """Note what the worker owns at the moment."""
        owner = identify(os.getpid())
        assert owner is not None
        data = {"owner": owner, "processes": processes, "scratch": str(self.scratch)}
        write_whole(self._path, json.dumps(data).encode())

    def remove(self) -> None:
        """The worker is closed: nothing of it is left."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        self._path.unlink(missing_ok=True)


def sweep() -> int:
    """End and remove what dead owners left behind; how many records there were."""
    swept = 0
    for path in folder().glob("*.json"):
        try:
            data = json.loads(path.read_text("utf-8"))
            owner = Process(*data["owner"])
            processes = [Process(*entry) for entry in data["processes"]]
            scratch = Path(data["scratch"])
        except (OSError, ValueError, KeyError, TypeError):
            # Half a record cannot be: records are written whole. It is foreign or was just removed.
            continue
        if alive(owner):
            continue
        kill([*processes, *belonging_to(scratch)])
        if scratch.parent == folder():
            shutil.rmtree(scratch, ignore_errors=True)
        path.unlink(missing_ok=True)
        swept += 1
    return swept
