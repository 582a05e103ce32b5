"""The warm server: pytest imported, configured and holding an open session; it forks once per verification.

It lives inside a pytest session: `pytest_collection` is where it waits for requests, and a fork is a process
that returns from that hook and goes on to collect and run tests as pytest always does. That saves not only
the imports but also option parsing, plugin set-up and the session's start, with public hooks only.
"""

from __future__ import annotations

import fnmatch
import gc
import importlib
import io
import os
import select
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from _pytest._io import TerminalWriter

from rlaios_core.environments.sandbox import box as boxes
from rlaios_core.environments.sandbox import wire
from rlaios_core.environments.sandbox.confinement import Confinement
from rlaios_core.environments.sandbox.ledger import SharedLedger
from rlaios_core.environments.sandbox.levels import Limits
from rlaios_core.environments.sandbox.supervision import Observation, Supervisor
from rlaios_core.environments.shell.verification.codecache import ProjectCode, TestCode
from rlaios_core.environments.shell.verification.run import Run, become, close_descriptors

# Not needed to run tests, or writing where nothing may be written. What provides fixtures or marks stays.
_PLUGINS_OFF = (
    "cacheprovider", "doctest", "faulthandler", "junitxml", "legacypath", "pastebin", "setuponly",
    "setupplan", "stepwise", "terminal", "terminalprogress", "threadexception", "unraisableexception",
)  # fmt: skip
# Imported by pytest, unittest or ordinary tests on first use: paid once here instead of in every run.
_PRELOADED = (
    "asyncio", "bdb", "bisect", "calendar", "cmd", "code", "collections", "contextlib", "copy", "csv",
    "dataclasses", "datetime", "decimal", "difflib", "enum", "faulthandler", "fractions", "functools",
    "hashlib", "heapq", "html", "io", "itertools", "json", "logging", "math", "numbers", "operator",
    "pdb", "pprint", "queue", "random", "re", "readline", "shlex", "statistics", "string", "subprocess",
    "tempfile", "textwrap", "threading", "traceback", "typing", "unittest", "unittest.mock", "uuid",
    "zoneinfo", "_pytest.python_api", "_pytest.raises",
)  # fmt: skip
_SEND_SECONDS = 30.0


def preload() -> frozenset[str]:
    """Import what runs will need; returns the names of the modules that were not there before."""
    before = frozenset(sys.modules)
    for name in _PRELOADED:
        try:
            importlib.import_module(name)
        except ImportError:  # not in this build of Python or this release of pytest
            continue
    return frozenset(sys.modules) - before


def pytest_arguments(workspace: str) -> list[str]:
    """The command line of every session; nothing in the workspace can add to it."""
    arguments = [
        "--rootdir", workspace, "--confcutdir", workspace, "-c", os.devnull, "--noconftest", "-s",
        "--continue-on-collection-errors", "--import-mode=prepend",
    ]  # fmt: skip
    for name in _PLUGINS_OFF:
        arguments += ["-p", f"no:{name}"]
    return arguments


class _SilentReporter:
    """Before pytest 9 the explanation of a failed comparison asks the reporter for a writer, or fails."""

    def __init__(self) -> None:
        self._tw = TerminalWriter(io.StringIO())


class WarmServer:
    """A pytest plugin whose `pytest_collection` serves requests and returns only in forked children."""

    def __init__(
        self,
        channel: socket.socket,
        confinement: Confinement,
        limits: Limits,
        *,
        hash_seed: int,
        preloaded: frozenset[str],
    ) -> None:
        self._channel = channel
        self._confinement = confinement
        self._limits = limits
        self._hash_seed = hash_seed
        self._preloaded = preloaded
        self._workspace = f"{confinement.box}/{boxes.RUN}"
        self._temporary = f"{confinement.box}/{boxes.TEMPORARY}"
        self._project = ProjectCode()
        self._tests = TestCode()
        self._supervisor = Supervisor(
            limits,
            confinement.box,
            private_processes=confinement.private_processes,
            shared_disk=confinement.owned_box,
        )

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Put something in the place of the terminal reporter, which is switched off."""
        config.pluginmanager.register(_SilentReporter(), "terminalreporter")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Serve until the other side hangs up; returns in each child, which then runs its tests."""
        self._project.install(self._workspace)
        self._tests.install()
        os.chdir("/")
        boxes.empty(self._confinement.box)  # the session needed its folder to exist once
        for pattern in (*session.config.getini("norecursedirs"), *session.config.getini("python_files")):
            fnmatch.fnmatch("", pattern)  # compiled patterns are kept; collection uses all of these
        gc.collect()
        gc.freeze()  # the children's collections then leave our pages shared
        wire.send(self._channel, {"ready": os.getpid()}, deadline=time.monotonic() + _SEND_SECONDS)
        while True:
            try:
                request, _ = wire.receive(self._channel, deadline=None)
            except wire.WireError:
                os._exit(0)
            if self._serve(request, session):
                return

    def _serve(self, request: dict[str, Any], session: pytest.Session) -> bool:
        """Answer one request; True in the child."""
        run = Run(
            workspace=self._workspace,
            temporary=self._temporary,
            tree=request["tree"],
            tests=tuple(request["tests"]),
            trace=request["trace"],
            reverse=request["reverse"],
            wall_seconds=request["wall_seconds"],
            hash_seed=self._hash_seed,
            preloaded=self._preloaded,
            secret=os.urandom(8).hex(),
        )
        sources = {path: run.tree[path] for path in run.sources}
        self._fill(run.tree)
        self._project.offer(self._workspace, sources)
        self._tests.offer(self._workspace, {path: run.tree[path] for path in run.tests}, session.config)
        ledger = SharedLedger()
        output, output_end = os.pipe()
        begun, begun_end = os.pipe()
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            become(run, session, ledger, output_end, self._confinement, self._limits)
            # From here on whatever goes wrong is the tested code's doing, and nothing it does can unsay this.
            os.write(begun_end, b"x")
            close_descriptors()
            return True
        os.close(output_end)
        os.close(begun_end)
        seen = self._supervisor.watch(pid, output, run.wall_seconds, started, self._hung_up)
        has_begun = bool(os.read(begun, 1))
        os.close(begun)
        self._answer(seen, run.secret, ledger.read(), has_begun)
        ledger.close()
        boxes.empty(self._confinement.box)
        if not seen.stopped and seen.status == 0:
            self._project.learn(self._workspace, sources)
        return False

    def _fill(self, tree: Mapping[str, str]) -> None:
        for folder in (self._workspace, self._temporary):
            Path(folder).mkdir()
        for path, text in tree.items():
            target = Path(self._workspace, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode("utf-8", "surrogatepass"))

    def _hung_up(self) -> bool:
        """The other side is gone (it sends nothing while it waits, so anything readable is the end)."""
        ready, _, _ = select.select([self._channel], [], [], 0)
        return bool(ready)

    def _answer(self, seen: Observation, secret: str, records: bytes, has_begun: bool) -> None:
        message = {
            "begun": has_begun,
            "status": seen.status,
            "stopped": seen.stopped,
            "wall": seen.wall,
            "cpu": seen.cpu,
            "rss": seen.rss,
            "dropped": seen.dropped,
            "secret": secret,
        }
        deadline = time.monotonic() + _SEND_SECONDS
        try:
            wire.send(self._channel, message, records, seen.output, deadline=deadline)
        except wire.WireError:
            os._exit(0)
