"""The box: the one folder tested code may write to, how it is made, emptied and swept."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path

RUN, TEMPORARY = "run", "tmp"
_PREFIX = "rlaios-box-"
_LOCK = "lock"


def _parent() -> Path:
    shared_memory = Path("/dev/shm")
    return shared_memory if os.access(shared_memory, os.W_OK) else Path(tempfile.gettempdir())


def create(owner: int | None) -> str:
    """Make a box on the disk, in memory where possible; it is alive while this process or a child of it is.

    Boxes of dead servers are swept first. ``owner`` is the user id that may write to it.
    """
    _sweep(_parent())
    home = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_parent()))
    # Never closed: the kernel drops the lock with the last process that holds it.
    mark = os.open(home / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(mark, fcntl.LOCK_EX)
    box = home / "box"
    box.mkdir(mode=0o700)
    if owner is not None:
        os.chown(box, owner, owner)
        home.chmod(0o711)
    return str(box)


def _sweep(parent: Path) -> None:
    for home in parent.glob(f"{_PREFIX}*"):
        try:
            mark = os.open(home / _LOCK, os.O_RDWR | os.O_CLOEXEC)
        except OSError:  # being made right now, or another user's
            continue
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # its server lives
            continue
        else:
            remove(str(home / "box"))
        finally:
            os.close(mark)


def remove(box: str) -> None:
    """Remove a box made by `create` and everything in it."""
    home = Path(box).parent
    empty(str(home))
    home.rmdir()


def empty(folder: str) -> None:
    """Delete everything in ``folder``, however deep and whatever its modes; never follows a link.

    Sub-folders are moved up and queued instead of entered, so depth costs neither stack nor path length.
    """
    top, number = Path(folder), 0
    queue = [top]
    while queue:
        here = queue.pop()
        try:
            entries = list(os.scandir(here))
        except PermissionError:
            here.chmod(0o700)
            entries = list(os.scandir(here))
        if entries:
            here.chmod(0o700)
        for entry in entries:
            path = Path(entry.path)
            if not entry.is_dir(follow_symlinks=False):
                path.unlink()
            elif here == top:
                queue.append(path)
            else:
                number += 1
                path.chmod(0o700)  # moving a folder needs write permission on it
                queue.append(path.rename(top / f".trash-{os.getpid()}-{number}"))
        if here != top:
            here.rmdir()


def size(folder: str) -> int:
    """Bytes used by everything in ``folder``."""
    total = 0
    queue = [folder]
    while queue:
        try:
            entries = list(os.scandir(queue.pop()))
        except OSError:
            continue
        for entry in entries:
            try:
                total += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    queue.append(entry.path)
            except OSError:
                continue
    return total
