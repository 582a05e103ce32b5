"""The guardian: prepares the confinement, starts a warm server in it, outlives it a moment to clean up.

It watches two ends: when the trusted side hangs up (or dies), and when the server dies, everything below is
killed and the box is removed. It handles no data of tested code.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from rlaios_core.environments.sandbox import box as boxes
from rlaios_core.environments.sandbox import reaper, syscalls, wire
from rlaios_core.environments.sandbox.confinement import Confinement, confine_server, prepare
from rlaios_core.environments.sandbox.levels import IsolationLevel, Limits, SandboxError

_KILL_SECONDS = 10.0
_PARENT_CHECK_MILLISECONDS = 1000

Serve = Callable[[socket.socket, Confinement, Limits], None]
"""Answers requests from the socket, confined already; never returns while there is something to do."""


def run(arguments: dict[str, Any], serve: Serve) -> None:
    """Run until either end goes away; standard input is the socket to the trusted side.

    `arguments` holds `level`, `limits`, `interpreter` and, for a server whose runs may talk to a service of
    its own, `loopback`.
    """
    parent = os.getppid()
    channel = socket.socket(fileno=0)
    limits = Limits(**arguments["limits"])
    try:
        _prefer_as_oom_victim()
        if syscalls.LINUX:
            syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)
        confinement = prepare(
            IsolationLevel(arguments["level"]),
            limits,
            tuple(arguments["interpreter"]),
            loopback=arguments.get("loopback", False),
        )
    except (OSError, SandboxError) as error:
        wire.send(channel, {"error": str(error)}, deadline=time.monotonic() + 5)
        sys.exit(1)
    pid = os.fork()
    if pid == 0:
        _serve(channel, confinement, limits, serve)
    status = _guard(pid, channel, parent)
    if confinement.owned_box:
        boxes.remove(confinement.box)
    os._exit(status)


def _prefer_as_oom_victim() -> None:
    """When memory runs out the kernel should take a test run, not the trainer."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
    except OSError:  # not Linux, or not allowed: a preference only
        return


def _serve(channel: socket.socket, confinement: Confinement, limits: Limits, serve: Serve) -> None:
    try:
        confine_server(confinement)
        if syscalls.LINUX:
            _die_with_guardian(private_processes=confinement.private_processes)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        serve(channel, confinement, limits)
    except (OSError, ImportError, SandboxError) as error:
        wire.send(channel, {"error": f"{type(error).__name__}: {error}"}, deadline=time.monotonic() + 5)
    finally:
        os._exit(1)


def _die_with_guardian(*, private_processes: bool) -> None:
    if private_processes:  # process 1 takes its whole namespace along
        syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
        return

    def take_all_along(_number: int, _frame: FrameType | None) -> None:
        reaper.kill_descendants(time.monotonic() + _KILL_SECONDS)
        os._exit(1)

    syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, take_all_along)
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGTERM)


def _guard(child: int, channel: socket.socket, parent: int) -> int:
    poller = select.poll()
    poller.register(channel, 0)  # only hang-ups: the data is the server's
    if syscalls.LINUX:
        poller.register(os.pidfd_open(child), select.POLLIN)
    while True:
        events = poller.poll(_PARENT_CHECK_MILLISECONDS)
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            break
        # Another process that inherited the socket can keep it open after our parent's death.
        if any(descriptor == channel.fileno() for descriptor, _ in events) or os.getppid() != parent:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            break
    if syscalls.LINUX and Path("/proc/self/task").exists():
        reaper.kill_descendants(time.monotonic() + _KILL_SECONDS)
    return 0 if status == 0 else 1
