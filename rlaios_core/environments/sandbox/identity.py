"""Which user tested code runs as, and how every privilege is given up on the way there."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from rlaios_core.environments.sandbox import syscalls

# A range no distribution or container manager hands out; adding the process id makes the user the server's
# own, so servers can neither signal each other nor eat each other's process limit.
_FIRST_UID = 0x70000000
_CAPABILITY_VERSION_3 = 0x20080522
_LAST_CAPABILITY = 63


def unprivileged_uid() -> int | None:
    """A user id of this process's own to drop to, or None when it is not (or cannot stop being) root."""
    if os.geteuid() != 0:
        return None
    if not syscalls.LINUX:
        return None
    wanted = _FIRST_UID + os.getpid()
    usable = []
    for line in Path("/proc/self/uid_map").read_text("ascii").splitlines():
        inside, _, count = (int(word) for word in line.split())
        if inside <= wanted < inside + count:
            return wanted
        usable.append(inside + count - 1)
    # Inside a container only part of the range exists; its last user is the least likely to own anything.
    return max(usable) if usable and max(usable) != 0 else None


def drop_to(uid: int | None) -> None:
    """Become ``uid`` (None: stay who we are) and give up every capability for good."""
    for capability in range(_LAST_CAPABILITY + 1):
        try:
            syscalls.prctl(syscalls.PR_CAPBSET_DROP, capability)
        except OSError:  # past the kernel's last capability, or an ordinary user who has none to drop
            break
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    syscalls.prctl(syscalls.PR_CAP_AMBIENT, syscalls.PR_CAP_AMBIENT_CLEAR_ALL)
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    syscalls.syscall(syscalls.SYS_CAPSET, header, bytes(24), what="drop capabilities")
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)


def blocked_directories(paths: tuple[str, ...]) -> dict[str, list[str]]:
    """The topmost directories a foreign user may not enter, each with the paths that lie behind it."""
    blocked: dict[str, list[str]] = {}
    for path in paths:
        for ancestor in reversed(Path(path).parents):
            if not ancestor.stat().st_mode & 0o001:
                blocked.setdefault(str(ancestor), []).append(path)
                break
    return blocked
