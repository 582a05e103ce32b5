"""Processes by machine, pid and start time, so that a later process with the same pid is told apart."""

import getpass
import os
import socket
from dataclasses import dataclass
from pathlib import Path

from rlaios_core.process_table import stat_fields


@dataclass(frozen=True)
class Owner:
    """The process that writes: re-entrant for itself, told apart from a later one with the same pid."""

    host: str
    pid: int
    started: str
    user: str

    @property
    def token(self) -> str:
        """What identifies the owner in the database."""
        return f"{self.host}/{self.pid}/{self.started}"

    @property
    def name(self) -> str:
        """The owner as a person would look for it."""
        return f"process {self.pid} of {self.user} on {self.host}"


def this_process() -> Owner:
    """This process as an owner."""
    return Owner(socket.gethostname(), os.getpid(), process_start(os.getpid()) or "0", _user())


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid {os.getuid()}"


def process_start(pid: int) -> str | None:
    """When a process of this machine started, in clock ticks since boot; null when it is gone.

    Where there is no /proc the answer of a living process is "0".
    """
    fields = stat_fields(pid)
    if fields is not None:
        return None if fields[0] == "Z" else fields[19]
    if Path("/proc/self/stat").exists():
        return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return "0"
    return "0"


def died(host: str, pid: int, started: str, here: str) -> bool:
    """Whether an owner was a process of this machine, called `here`, that is gone."""
    return host == here and process_start(pid) != started
