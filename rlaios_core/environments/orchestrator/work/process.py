"""The forked child on its way to becoming a program: confined, connected, and told what to run."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rlaios_core.environments.sandbox.confinement import Confinement, confine_run
from rlaios_core.environments.sandbox.levels import Limits

Program = Callable[[list[str]], int]
"""A built-in program: arguments in, exit code out."""

PYTHON = "python"
"""First argument of a Python script of the world's own."""
_HIGHEST_DESCRIPTOR = 1 << 16
_CANNOT_RUN, _NOT_FOUND = 126, 127


@dataclass(frozen=True)
class Run:
    """One program as the server planned it."""

    world: str
    """Folder of the world: the working directory."""
    temporary: str
    """Folder for temporary files."""
    arguments: tuple[str, ...]
    """Command line: a built-in program's name, `python` and a script, or an executable's path."""
    environment: Mapping[str, str]
    """What is added to the clean environment."""
    stdin: bytes
    """What the program can read from standard input."""
    wall_seconds: float
    """Wall-clock bound in seconds."""


def become(
    run: Run, output: int, confinement: Confinement, limits: Limits, programs: Mapping[str, Program]
) -> None:
    """Turn the calling process, just forked, into the program; does not return."""
    status = _CANNOT_RUN
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.dup2(_stdin(run.stdin), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(run.world)
        confine_run(confinement, limits, run.wall_seconds)
        os.closerange(3, _HIGHEST_DESCRIPTOR)
        os.environ.update(HOME=run.world, TMPDIR=run.temporary, **run.environment)
        status = _carry_out(run.arguments, programs)
    except BaseException:  # noqa: BLE001 - a forked child has nowhere else to say it
        os.write(2, traceback.format_exc().encode(errors="replace"))
    finally:
        os._exit(status)


def _stdin(content: bytes) -> int:
    if not content:
        return os.open(os.devnull, os.O_RDONLY)
    descriptor = os.memfd_create("stdin")
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _carry_out(arguments: tuple[str, ...], programs: Mapping[str, Program]) -> int:
    # New streams, because the old ones were made for files. By lines, so that a kill loses little.
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        stream = os.fdopen(descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
        setattr(sys, name, stream)
    sys.stdin = os.fdopen(0, encoding="utf-8", errors="backslashreplace")
    name, *rest = arguments
    if name in programs:
        return _status(lambda: programs[name](rest))
    if name == PYTHON and rest:
        sys.argv = rest
        sys.path[:0] = [rest[0].rpartition("/")[0] or "."]
        return _status(lambda: _run_script(rest[0]))
    try:
        os.execvp(name, arguments)
    except OSError as error:
        print(f"{name}: {error.strerror}")
        return _NOT_FOUND


def _run_script(path: str) -> int:
    """A script as `__main__`, without the detours of `runpy`, which cost more than most scripts."""
    main = types.ModuleType("__main__")
    main.__file__ = path
    sys.modules["__main__"] = main
    exec(compile(Path(path).read_bytes(), path, "exec", dont_inherit=True), main.__dict__)
    return 0


def _status(call: Callable[[], int | None]) -> int:
    """Run Python code as a program would be run: its exit code, a traceback on standard error."""
    try:
        code = call() or 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:  # noqa: BLE001 - as an interpreter would
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code & 0xFF
