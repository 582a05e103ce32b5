"""The trusted side of a guardian and its server: start them, ask, hang up."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import socket
import subprocess
import tempfile
import time
from typing import Any

from rlaios_core.environments.sandbox import launch, wire
from rlaios_core.environments.sandbox.levels import IsolationLevel, Limits, SandboxError

_START_SECONDS = 60.0
_STOP_SECONDS = 15.0


class ServerProcess:
    """One guardian with its server; `module` is the guardian's, `what` names it in errors."""

    def __init__(
        self,
        module: str,
        what: str,
        level: IsolationLevel,
        limits: Limits,
        hash_seed: int = 0,
        **arguments: Any,
    ) -> None:
        self.owner = os.getpid()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process does
        self._channel, theirs = socket.socketpair()
        full: dict[str, Any] = {"level": level.value, "limits": dataclasses.asdict(limits)}
        full |= {"hash_seed": hash_seed, **arguments}
        with theirs:
            self._popen = launch.start(
                module,
                full,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self._errors.fileno(),
                hash_seed=hash_seed,
            )
        try:
            ready, _ = wire.receive(self._channel, deadline=time.monotonic() + _START_SECONDS)
        except (wire.WireError, ValueError) as error:
            raise SandboxError(f"the {what} did not start: {error}{self.stop()}") from error
        if "error" in ready:
            self.stop()
            raise SandboxError(f"the {what} did not start: {ready['error']}")

    @property
    def pid(self) -> int:
        """Process id of the guardian."""
        return self._popen.pid

    def ask(
        self, request: dict[str, Any], *blobs: bytes, answers: int, seconds: float
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Send one request with its blobs, wait for its answer with `answers` blobs.

        Raises `WireError` when the server is gone or does not answer within `seconds`.
        """
        deadline = time.monotonic() + seconds
        wire.send(self._channel, request, *blobs, deadline=deadline)
        return wire.receive(self._channel, answers, deadline=deadline)

    def stop(self) -> str:
        """Hang up, wait until everything is gone, and return the end of what it complained about."""
        self._channel.close()
        try:
            self._popen.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        with contextlib.closing(self._errors):
            self._errors.seek(0)
            lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return f" ({lines[-1]})" if lines else ""

    def abandon(self) -> None:
        """Let go of the descriptors in a process that only inherited them."""
        self._channel.close()
        self._errors.close()
