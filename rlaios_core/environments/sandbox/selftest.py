"""Runs in a child process: go all the way into confinement and try what it promises to prevent."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from typing import Any

from rlaios_core.environments.sandbox import box as boxes
from rlaios_core.environments.sandbox.confinement import (
    Confinement,
    confine_run,
    confine_server,
    prepare,
)
from rlaios_core.environments.sandbox.levels import IsolationLevel, Limits, SandboxError


def main(arguments: dict[str, Any]) -> None:
    """Exit 0 when the level holds; else print the reason on standard error and exit 1."""
    confinement = None
    try:
        confinement = prepare(IsolationLevel(arguments["level"]), Limits(), tuple(arguments["interpreter"]))
        status = _in_child(confinement, arguments["canary"])
    except (OSError, SandboxError) as error:
        print(error, file=sys.stderr)
        status = 1
    finally:
        if confinement is not None and confinement.owned_box:
            boxes.remove(confinement.box)
    sys.exit(status)


def _in_child(confinement: Confinement, canary: str) -> int:
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    complaint = ""
    try:
        confine_server(confinement)
        confine_run(confinement, Limits(), 1.0)
        complaint = _broken_promise(confinement, canary)
    except (OSError, SandboxError) as error:
        complaint = str(error)
    if complaint:
        os.write(2, f"{complaint}\n".encode())
    os._exit(1 if complaint else 0)


def _broken_promise(confinement: Confinement, canary: str) -> str:
    Path(confinement.box, "probe").write_text("x", "ascii")
    if confinement.level is IsolationLevel.RLIMITS:
        return ""
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
    except PermissionError:
        pass
    else:
        return "a network socket could be opened"
    try:
        Path(canary).read_bytes()
    except OSError:
        pass
    else:
        return "a file outside the sandbox could be read"
    if confinement.private_processes and os.getpid() != 1:
        return "the process namespace is not private"
    return ""
