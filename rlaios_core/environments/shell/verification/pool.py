"""Several verification servers behind one `verify`, for callers with several threads."""

from __future__ import annotations

import queue
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from rlaios_core.environments.sandbox import IsolationLevel, Limits
from rlaios_core.environments.shell.verification.client import VerificationServer
from rlaios_core.environments.shell.verification.results import VerificationResult


class VerificationPool:
    """Hands each call to a free server and waits while all are busy; the arguments are the server's."""

    def __init__(
        self,
        size: int = 2,
        *,
        level: IsolationLevel | None = None,
        limits: Limits | None = None,
        min_level: IsolationLevel = IsolationLevel.LANDLOCK,
        generated_edits_only: bool = False,
    ) -> None:
        if size < 1:
            raise ValueError(f"a pool needs at least one server, not {size}")
        self._servers = [
            VerificationServer(
                level=level, limits=limits, min_level=min_level, generated_edits_only=generated_edits_only
            )
            for _ in range(size)
        ]
        # Last in, first out: the server used last has the warmest caches, and idle ones need never start.
        self._free: queue.LifoQueue[VerificationServer] = queue.LifoQueue()
        for server in self._servers:
            self._free.put(server)

    @property
    def level(self) -> IsolationLevel:
        """The isolation level of every server."""
        return self._servers[0].level

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
        """See `VerificationServer.verify`; may be called from any number of threads."""
        server = self._free.get()
        try:
            return server.verify(
                files, tests, trace=trace, reverse=reverse, hash_seed=hash_seed, wall_seconds=wall_seconds
            )
        finally:
            self._free.put(server)

    def close(self) -> None:
        """Stop all servers, waiting for calls in progress."""
        for server in self._servers:
            server.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
