"""The forked child on its way to becoming a test run: confined, connected, and told what to run."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from rlaios_core.environments.sandbox.confinement import Confinement, confine_run
from rlaios_core.environments.sandbox.ledger import SharedLedger
from rlaios_core.environments.sandbox.levels import Limits
from rlaios_core.environments.shell.verification.recorder import Recorder
from rlaios_core.environments.shell.verification.tracing import LineTracer

# Plugins that wrap every phase of every test, and the words without which no file can be making use of them.
_ON_DEMAND = {
    "capturemanager": ("capsys", "capfd"),
    "logging-plugin": ("logging", "caplog"),
    "warnings": ("warn",),
    "subtests": ("subTest", "subtests"),
}
_HIGHEST_DESCRIPTOR = 1 << 16


@dataclass(frozen=True)
class Run:
    """One run as the server planned it."""

    workspace: str
    """Folder that holds the tree; the working directory of the tests."""
    temporary: str
    """Folder for temporary files."""
    tree: Mapping[str, str]
    """Every file: relative path to text."""
    tests: tuple[str, ...]
    """The paths of test files."""
    trace: bool
    """Record executed lines."""
    reverse: bool
    """Run the tests in reverse order."""
    wall_seconds: float
    """Wall-clock bound in seconds."""
    hash_seed: int
    """The seed Python was started with; also seeds `random`."""
    preloaded: frozenset[str]
    """Modules imported only to save time."""
    secret: str
    """Leads every honest record."""

    @property
    def sources(self) -> list[str]:
        """The paths that are not tests."""
        return [path for path in self.tree if path not in self.tests]


def become(
    run: Run,
    session: pytest.Session,
    ledger: SharedLedger,
    output: int,
    confinement: Confinement,
    limits: Limits,
) -> None:
    """Turn the calling process, just forked, into ``run``: it need only go on with ``session``."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(run.workspace)
    confine_run(confinement, limits, run.wall_seconds)
    # New streams, because the old ones were made for files. By lines, so that a kill loses little.
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        stream = os.fdopen(
            descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.path.insert(0, run.workspace)
    os.environ.update(HOME=run.workspace, TMPDIR=run.temporary)
    random.seed(run.hash_seed)
    _configure(run, session.config, ledger)
    # The server's modules stay alive in what refers to them, but cannot be imported by tested code.
    hidden = {name for name in sys.modules if name.partition(".")[0] == "rlaios_core"}
    # A project may have a module of the same name; had we imported nothing, it would find its own.
    own = {path.partition("/")[0].removesuffix(".py") for path in run.tree}
    hidden |= {name for name in run.preloaded if name.partition(".")[0] in own}
    for name in hidden & sys.modules.keys():
        del sys.modules[name]


def _configure(run: Run, config: pytest.Config, ledger: SharedLedger) -> None:
    manager = config.pluginmanager
    for name, words in _ON_DEMAND.items():
        used = any(word in text for text in run.tree.values() for word in words)
        if not used and manager.has_plugin(name):
            manager.unregister(name=name)
    tracer = None
    if run.trace:
        tracer = LineTracer(f"{run.workspace}/{path}" for path in run.sources)
        manager.register(tracer)
    manager.register(Recorder(ledger, run.secret, run.workspace, tracer, run.reverse))
    config.args = [path for path in run.tests if path.endswith(".py")]


def close_descriptors() -> None:
    """Leave the run its standard streams only."""
    os.closerange(3, _HIGHEST_DESCRIPTOR)
