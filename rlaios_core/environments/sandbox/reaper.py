"""Nothing outlives a run: find and kill every descendant of the calling process."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

_ROUND_SECONDS = 0.002


def kill_namespace() -> None:
    """Kill every other process of this pid namespace and reap them; only for its process 1."""
    if os.getpid() != 1:
        raise RuntimeError("kill_namespace is only for the first process of a pid namespace")
    try:
        os.kill(-1, signal.SIGKILL)  # one kernel walk over the whole namespace: a fork bomb cannot outrun it
    except ProcessLookupError:
        return
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def kill_descendants(deadline: float) -> bool:
    """Kill all descendants until none is left; False when ``deadline`` (monotonic seconds) came first.

    The caller must be a child subreaper, so that orphans come back to it.
    """
    while True:
        found = _descendants(os.getpid())
        # Stop first, then kill: a process that forks faster than we list must not get another turn in
        # between.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in found:
                try:
                    os.kill(pid, number)
                except (ProcessLookupError, PermissionError):
                    continue
        if not _reap() and not found:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(_ROUND_SECONDS)


def _reap() -> bool:
    """Collect the dead; True while children are left."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True


def _descendants(root: int) -> list[int]:
    found: list[int] = []
    queue = [root]
    while queue:
        for pid in _children(queue.pop()):
            found.append(pid)
            queue.append(pid)
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += [int(word) for word in (task / "children").read_text("ascii").split()]
    except OSError:  # it ended while we looked
        return children
    return children
