"""The trusted side of a verification server: start it, ask it, and replace it when it fails."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from rlaios_core.environments.sandbox import IsolationLevel, Limits, SandboxError, obstacle, probe, wire
from rlaios_core.environments.sandbox.process import ServerProcess
from rlaios_core.environments.shell.verification.assembly import assemble
from rlaios_core.environments.shell.verification.request import workspace_of
from rlaios_core.environments.shell.verification.results import VerificationResult

_GUARDIAN = "rlaios_core.environments.shell.verification.guardian"
_GRACE_SECONDS = 20.0


class VerificationServer:
    """Runs test suites in isolation, one at a time; safe to share between threads and after a fork.

    ``level``: the isolation to use (default: the strongest available). ``min_level``: the weakest acceptable
    one; below it, and at level ``rlimits`` always, only ``generated_edits_only=True`` is served: the caller
    then vouches that no tested code was written by a model or a stranger. Raises SandboxError when that
    cannot be met.
    """

    def __init__(
        self,
        *,
        level: IsolationLevel | None = None,
        limits: Limits | None = None,
        min_level: IsolationLevel = IsolationLevel.LANDLOCK,
        generated_edits_only: bool = False,
    ) -> None:
        self.level = probe() if level is None else level
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._processes: dict[int, ServerProcess] = {}
        weak = self.level.strength < min_level.strength or self.level is IsolationLevel.RLIMITS
        if weak and not generated_edits_only:
            raise SandboxError(_too_weak(self.level, min_level))

    def verify(
        self,
        files: Mapping[str, str],
        tests: Mapping[str, str],
        *,
        trace: bool = False,
        reverse: bool = False,
        hash_seed: int = 0,
        wall_seconds: float | None = None,
    ) -> VerificationResult:
        """Run ``tests`` on the project ``files`` (both: relative path to text) in a fresh workspace.

        ``tests`` replace files of the same path, and only they are run. ``trace`` records the lines each test
        executes; ``reverse`` runs them in reverse order; ``hash_seed`` is Python's; ``wall_seconds`` bounds
        the whole run (default: the limits'). Raises ValueError for a bad argument and SandboxError when the
        sandbox failed; the next call then starts a new server.
        """
        tree = workspace_of(files, tests)
        sources = [path for path in tree if path not in tests]
        wall = self._limits.wall_seconds if wall_seconds is None else wall_seconds
        if not wall > 0:
            raise ValueError(f"wall_seconds must be positive, not {wall}")
        request: dict[str, object] = {
            "tree": tree, "tests": list(tests), "trace": trace, "reverse": reverse, "wall_seconds": wall,
        }  # fmt: skip
        with self._lock:
            process = self._process(hash_seed)
            try:
                answer, (records, output) = process.ask(request, answers=2, seconds=wall + _GRACE_SECONDS)
            except (wire.WireError, ValueError) as error:
                del self._processes[hash_seed]
                raise SandboxError(f"the verification server failed: {error}{process.stop()}") from error
        return assemble(answer, records, output, self.level, sources, trace)

    def _process(self, hash_seed: int) -> ServerProcess:
        for seed, process in list(self._processes.items()):
            if process.owner != os.getpid():  # we are a fork: talking on our parent's socket would garble it
                process.abandon()
                del self._processes[seed]
            elif 0 not in {seed, hash_seed} and seed != hash_seed:  # one server for other seeds is enough
                process.stop()
                del self._processes[seed]
        if hash_seed not in self._processes:
            self._processes[hash_seed] = ServerProcess(
                _GUARDIAN, "verification server", self.level, self._limits, hash_seed
            )
        return self._processes[hash_seed]

    def guardian_pid(self) -> int:
        """Process id at the root of the running server's tree; raises SandboxError when none runs."""
        for process in self._processes.values():
            return process.pid
        raise SandboxError("no verification server is running")

    def close(self) -> None:
        """Stop the servers; a later `verify` starts them again."""
        with self._lock:
            for process in self._processes.values():
                if process.owner == os.getpid():
                    process.stop()
                else:
                    process.abandon()
            self._processes.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _too_weak(level: IsolationLevel, min_level: IsolationLevel) -> str:
    wanted = IsolationLevel.LANDLOCK if min_level is IsolationLevel.RLIMITS else min_level
    missing = obstacle(wanted)
    cause = f" ({wanted} is not available: {missing})" if missing else ""
    return (
        f"isolation level {level} is too weak to run this code, {wanted} or stronger is needed{cause}; "
        "use Linux 5.13 or later with Landlock enabled, or pass generated_edits_only=True "
        "if all tested code is your own"
    )
