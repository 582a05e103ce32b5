"""Going into confinement, in the three steps a server takes: prepare, confine the server, confine each run.

What can be done once is done once: namespaces, mounts, the user, capabilities and the system call filter
belong to the server and are inherited by each run; a run adds its Landlock domain (so that it cannot signal
the server) and its resource limits.
"""

from __future__ import annotations

import os
import resource
import site
import socket
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from rlaios_core.environments.sandbox import box as boxes
from rlaios_core.environments.sandbox import identity, landlock, mounts, network, seccomp, syscalls
from rlaios_core.environments.sandbox.levels import IsolationLevel, Limits, SandboxError

_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/passwd",
    "/etc/group", "/etc/nsswitch.conf", "/etc/localtime",
)  # fmt: skip
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_PRIVATE_BOX = "/box"


@dataclass(frozen=True)
class Confinement:
    """What was prepared, as far as the later steps need it."""

    level: IsolationLevel
    """The level asked for; every step either reaches it or raises."""
    box: str
    """The folder tested code may write to."""
    owned_box: bool
    """The box lies on the shared disk and must be removed by its owner."""
    uid: int | None
    """The unprivileged user to become, None to stay."""
    private_processes: bool
    """The next child is process 1 of its own pid namespace."""
    ruleset: int
    """Descriptor of the Landlock rules of a run, -1 without Landlock."""
    scopes_signals: bool
    """Landlock keeps a run from signalling its server."""
    listener: socket.socket | None = None
    """Where a service for the runs may listen: the only place a run can connect to."""


def interpreter_paths() -> tuple[str, ...]:
    """Directories the running interpreter and its installed packages need."""
    paths = [sys.prefix, sys.base_prefix, sys.exec_prefix, sysconfig.get_path("stdlib")]
    paths += site.getsitepackages()
    real = {os.path.realpath(path) for path in paths} | set(paths)
    return tuple(sorted(path for path in real if path != "/" and Path(path).exists()))


def prepare(
    level: IsolationLevel, limits: Limits, interpreter: tuple[str, ...], *, loopback: bool = False
) -> Confinement:
    """First step, in the process that will fork the server: namespaces, file tree and box.

    ``loopback``: the server offers its runs a service on the loopback address; they reach nothing else.
    Raises SandboxError or OSError when this machine cannot do what the level needs.
    """
    uid = identity.unprivileged_uid()
    if level is IsolationLevel.RLIMITS:
        if loopback:
            raise SandboxError(f"level {level} cannot keep a run to one service")
        path = _shared_box(uid, interpreter)
        return Confinement(level, path, True, uid, False, -1, False)
    if not syscalls.SUPPORTED:
        raise SandboxError(f"level {level} needs Linux on x86_64 or aarch64")
    if landlock.abi() == 0:
        raise SandboxError("this kernel has no Landlock (Linux 5.13 or later with it enabled)")
    readable = (*_SYSTEM, *interpreter)
    private = level is IsolationLevel.NAMESPACES
    if loopback and not private and landlock.abi() < landlock.NETWORK_ABI:
        raise SandboxError("this kernel's Landlock cannot restrict TCP (Linux 6.7 or later can)")
    if private:
        _unshare()
        if loopback:
            network.raise_loopback()
        owner = os.getuid() if uid is None else uid
        mounts.enter_private_tree(readable, _DEVICES, _PRIVATE_BOX, limits.workspace_bytes, owner)
        path = _PRIVATE_BOX
    else:
        path = _shared_box(uid, interpreter)
    listener = network.listen() if loopback else None
    port = listener.getsockname()[1] if listener else None
    ruleset = landlock.build(readable=readable, devices=_DEVICES, writable=path, connect_port=port)
    return Confinement(level, path, not private, uid, private, ruleset, landlock.abi() >= 6, listener)


def _shared_box(uid: int | None, interpreter: tuple[str, ...]) -> str:
    """A box on the shared disk, with a way to the interpreter for the user who will work in it."""
    if uid is not None:
        blocked = identity.blocked_directories(interpreter)
        if blocked:
            mounts.open_way(blocked)
    return boxes.create(uid)


def _unshare() -> None:
    flags = syscalls.CLONE_NEWNS | syscalls.CLONE_NEWNET | syscalls.CLONE_NEWIPC | syscalls.CLONE_NEWUTS
    flags |= syscalls.CLONE_NEWPID
    if os.geteuid() == 0:
        syscalls.unshare(flags)
        return
    uid, gid = os.getuid(), os.getgid()
    # A process that changed its user is not dumpable and may not write its own maps.
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)
    syscalls.unshare(flags | syscalls.CLONE_NEWUSER)
    Path("/proc/self/setgroups").write_text("deny", "ascii")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", "ascii")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", "ascii")


def confine_server(confinement: Confinement) -> None:
    """Second step, in the server: the unprivileged user, no capabilities, the system call filter."""
    if not syscalls.LINUX:
        return
    identity.drop_to(confinement.uid)
    if confinement.level is IsolationLevel.RLIMITS:
        return
    seccomp.install(
        protect_metadata=confinement.uid is None and confinement.owned_box,
        tcp=confinement.listener is not None,
    )


def confine_run(confinement: Confinement, limits: Limits, wall_seconds: float) -> None:
    """Third step, in the child that runs tested code: its Landlock domain and its resource limits."""
    foreign = _tasks_of_user(confinement)  # before /proc is out of reach
    if confinement.ruleset >= 0:
        landlock.enforce(confinement.ruleset)
        os.close(confinement.ruleset)
        if not confinement.scopes_signals and not confinement.private_processes:
            seccomp.install_signal_rule(os.getpid())
    cpu = limits.cpu_bound(wall_seconds)
    for kind, soft, hard in (
        (resource.RLIMIT_CORE, 0, 0),
        # The soft limit sends SIGXCPU, which tells what happened; the hard one kills whoever ignores that.
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes),
        (resource.RLIMIT_NOFILE, limits.open_files, limits.open_files),
        (resource.RLIMIT_NPROC, limits.processes + foreign, limits.processes + foreign),
        (resource.RLIMIT_AS, limits.address_space_bytes, limits.address_space_bytes),
    ):
        _, most = resource.getrlimit(kind)
        highest = hard if most == resource.RLIM_INFINITY else min(hard, most)
        resource.setrlimit(kind, (min(soft, highest), highest))


def _tasks_of_user(confinement: Confinement) -> int:
    """Tasks the kernel counts against the process limit although they are not the run's own."""
    if confinement.uid is not None or confinement.private_processes:
        return 0  # the user, or its count in the user namespace, belongs to this server alone
    if not syscalls.LINUX:
        return 0
    count, own = 0, os.getuid()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == own:
                    count += sum(1 for _ in Path(entry.path, "task").iterdir())
            except OSError:
                continue
    return count
