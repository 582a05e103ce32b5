"""The few system calls the standard library does not offer, by ctypes, without knowing what they are for."""

from __future__ import annotations

import ctypes
import os
import platform
import sys

LINUX = sys.platform == "linux"
MACHINE = platform.machine()
SUPPORTED = LINUX and MACHINE in {"x86_64", "aarch64"}

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

# System calls numbered alike on every architecture (all later than 424).
SYS_OPEN_TREE = 428
SYS_MOVE_MOUNT = 429
SYS_MOUNT_SETATTR = 442
SYS_LANDLOCK_CREATE_RULESET = 444
SYS_LANDLOCK_ADD_RULE = 445
SYS_LANDLOCK_RESTRICT_SELF = 446
SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}.get(MACHINE, -1)
SYS_CAPSET = {"x86_64": 126, "aarch64": 91}.get(MACHINE, -1)

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def syscall(number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None, what: str) -> int:
    """Make one raw system call; raises OSError naming ``what`` when the kernel refuses."""
    # Every integer is widened: a variadic C function would otherwise read garbage in the upper half.
    words = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return _checked(int(_libc.syscall(ctypes.c_long(number), *words)), what)


def prctl(option: int, argument: int | bytes = 0, second: int = 0) -> None:
    """``prctl(2)``; raises OSError when refused."""
    first = ctypes.c_ulong(argument) if isinstance(argument, int) else ctypes.c_char_p(argument)
    zero = ctypes.c_ulong(0)
    _checked(_libc.prctl(option, first, ctypes.c_ulong(second), zero, zero), "prctl")


def prctl_pointer(option: int, argument: int, pointer: ctypes.c_void_p) -> None:
    """``prctl(2)`` whose third argument is an address."""
    _checked(
        _libc.prctl(option, ctypes.c_ulong(argument), pointer, ctypes.c_ulong(0), ctypes.c_ulong(0)), "prctl"
    )


def unshare(flags: int) -> None:
    """``unshare(2)``; raises OSError when refused."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    """``mount(2)``; raises OSError when refused."""
    _checked(
        _libc.mount(
            source.encode(),
            os.fsencode(target),
            kind.encode() if kind else None,
            ctypes.c_ulong(flags),
            data.encode() if data else None,
        ),
        f"mount {target}",
    )


def detach(target: str) -> None:
    """Unmount ``target`` lazily (``umount2`` with MNT_DETACH)."""
    _checked(_libc.umount2(os.fsencode(target), 2), f"umount {target}")
