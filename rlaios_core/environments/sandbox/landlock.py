"""Landlock by raw system calls: which files a process may touch, which processes it may signal."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from rlaios_core.environments.sandbox import syscalls

_READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read file, read directory
_WRITE_DEVICE = 1 << 1 | 1 << 2  # write file, read file
_FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # rights that make sense on a plain file
_NO_DEVICE_NODES = ~(1 << 6 | 1 << 11)  # making character and block devices is never granted
_VERSION_QUESTION = 1
_PATH_RULE, _PORT_RULE = 1, 2
_CONNECT = 1 << 1
NETWORK_ABI = 4
"""First version that can restrict TCP."""


def abi() -> int:
    """The kernel's Landlock version, 0 without Landlock."""
    if not syscalls.SUPPORTED:
        return 0
    try:
        return syscalls.syscall(
            syscalls.SYS_LANDLOCK_CREATE_RULESET, None, 0, _VERSION_QUESTION, what="landlock version"
        )
    except OSError:
        return 0


def _handled_files(version: int) -> int:
    bits = 13 if version < 2 else 14 if version < 3 else 15 if version < 5 else 16
    return (1 << bits) - 1


def build(
    *, readable: Iterable[str], devices: Iterable[str], writable: str, connect_port: int | None = None
) -> int:
    """Make a rule set and return its descriptor: read and execute below ``readable``, all below ``writable``.

    ``devices`` may be read and written. TCP is denied from version 4 (but for connecting to
    ``connect_port``), abstract sockets and signals to processes outside the sandbox from version 6. Paths
    that do not exist are left out.
    """
    version = abi()
    if version == 0:
        raise OSError("this kernel has no Landlock")
    files = _handled_files(version)
    attributes = struct.pack("=Q", files)
    if version >= NETWORK_ABI:
        attributes += struct.pack("=Q", 0b11)
    if version >= 6:
        attributes += struct.pack("=Q", 0b11)
    ruleset = syscalls.syscall(
        syscalls.SYS_LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0, what="landlock rule set"
    )
    for path in readable:
        _allow(ruleset, path, _READ & files)
    for path in devices:
        _allow(ruleset, path, (_WRITE_DEVICE | 1 << 14 | 1 << 15) & files)
    _allow(ruleset, writable, files & _NO_DEVICE_NODES)
    if connect_port is not None and version >= NETWORK_ABI:
        rule = ctypes.create_string_buffer(struct.pack("=QQ", _CONNECT, connect_port), 16)
        _add(ruleset, _PORT_RULE, rule, f"port {connect_port}")
    return ruleset


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _FILE_RIGHTS
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, descriptor), 12)
        _add(ruleset, _PATH_RULE, rule, path)
    finally:
        os.close(descriptor)


def _add(ruleset: int, kind: int, rule: ctypes.Array[ctypes.c_char], what: str) -> None:
    syscalls.syscall(syscalls.SYS_LANDLOCK_ADD_RULE, ruleset, kind, rule, 0, what=f"landlock rule {what}")


def enforce(ruleset: int) -> None:
    """Put the calling process under the rule set for good; it is inherited by every child."""
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    syscalls.syscall(syscalls.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0, what="landlock restrict")
