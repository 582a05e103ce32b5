"""The trusted side of the work servers: run programs on a world, get the world back."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlaios_core.environments.orchestrator.work import tree
from rlaios_core.environments.sandbox import IsolationLevel, Limits, SandboxError, obstacle, probe, wire
from rlaios_core.environments.sandbox.process import ServerProcess

_GUARDIAN = "rlaios_core.environments.orchestrator.work.guardian"
_PROGRAMS = "rlaios_core.environments.orchestrator.programs"
_GRACE_SECONDS = 20.0
BUILT_IN = (
    "render", "fetch", "load", "migrate", "push", "publish", "package", "unittest",
    "auth", "disk", "diff", "lint", "deps", "policy", "history",
    "renew", "tidy", "gate", "census", "judge",
)  # fmt: skip
"""Programs every world can call by name: jobs, checks, remedies, the verifier."""

LIMITS = Limits(
    wall_seconds=5.0,
    cpu_seconds=10,
    address_space_bytes=1 << 30,
    file_bytes=8 << 20,
    processes=64,
    output_bytes=8 << 10,
    workspace_bytes=32 << 20,
)
"""Bounds of one program; worlds are small."""


@dataclass(frozen=True)
class Program:
    """One program to run: `run` is its command line."""

    name: str
    run: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    stdin: str = ""
    go_on: bool = False
    """Whether what comes after it is run even when it fails."""


@dataclass(frozen=True)
class World:
    """Everything a program can see or change, as data: files, and the state of the loopback service."""

    files: Mapping[str, bytes]
    service: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Ran:
    """What was seen of one program from outside."""

    name: str
    status: int
    """Exit status, negative for a signal."""
    stopped: str
    """`time` or `workspace` when it had to be killed, else empty."""
    wall: float
    """Seconds until nothing of it was left."""
    output: str
    """Standard output and error, bounded; undecodable bytes are shown as such."""
    dropped: int
    """Bytes of output that were not kept."""

    @property
    def ended_well(self) -> bool:
        """Exit status 0, by itself."""
        return self.status == 0 and not self.stopped


@dataclass(frozen=True)
class Work:
    """What came of a request. `overflow`: why the world could not be taken back, it is then as before."""

    world: World
    ran: tuple[Ran, ...]
    served: tuple[tuple[str, str, int], ...]
    """Requests that the loopback service answered: method, path, status (0: the connection was reset)."""
    overflow: str = ""


class WorkServer:
    """One sandboxed server; runs one request at a time. Safe to share between threads and after a fork."""

    def __init__(self, level: IsolationLevel, limits: Limits = LIMITS) -> None:
        self.level = level
        self._limits = limits
        self._lock = threading.Lock()
        self._process: ServerProcess | None = None

    def run(
        self,
        world: World,
        programs: Sequence[Program],
        *,
        keep: bool = True,
        wall_seconds: float | None = None,
    ) -> Work:
        """Run the programs one after another; the first that fails ends the request.

        `keep`: whether what they changed is wanted. Raises `SandboxError` when the sandbox failed; the next
        call then starts a new server.
        """
        wall = self._limits.wall_seconds if wall_seconds is None else wall_seconds
        request = {
            "programs": [
                {
                    "name": program.name,
                    "run": program.run,
                    "environment": dict(program.environment),
                    "stdin": program.stdin,
                    "go_on": program.go_on,
                }
                for program in programs
            ],
            "service": world.service,
            "wall_seconds": wall,
            "keep": keep,
        }
        bound = wall * len(programs) + _GRACE_SECONDS
        with self._lock:
            process = self._running()
            try:
                answer, (packed, outputs) = process.ask(
                    request, tree.pack(world.files), answers=2, seconds=bound
                )
                return _work(world, answer, packed, outputs, keep=keep)
            except (wire.WireError, ValueError, KeyError) as error:
                self._process = None
                raise SandboxError(f"the work server failed: {error}{process.stop()}") from error

    def _running(self) -> ServerProcess:
        if self._process is not None and self._process.owner != os.getpid():
            self._process.abandon()  # we are a fork: talking on our parent's socket would garble it
            self._process = None
        if self._process is None:
            programs = {name: f"{_PROGRAMS}.{name}" for name in BUILT_IN}
            self._process = ServerProcess(
                _GUARDIAN, "work server", self.level, self._limits, programs=programs, loopback=True
            )
        return self._process

    @property
    def pid(self) -> int | None:
        """Process id of the guardian; none when no server runs."""
        return None if self._process is None else self._process.pid

    def close(self) -> None:
        """Stop the server; a later call starts it again."""
        with self._lock:
            if self._process is not None:
                if self._process.owner == os.getpid():
                    self._process.stop()
                else:
                    self._process.abandon()
                self._process = None


class WorkPool:
    """Several work servers behind one `run`, for callers with several threads.

    Raises `SandboxError` where no isolation with a loopback service can be had.
    """

    def __init__(
        self, size: int = 2, *, level: IsolationLevel | None = None, limits: Limits = LIMITS
    ) -> None:
        if size < 1:
            raise ValueError(f"a pool needs at least one server, not {size}")
        self.level = probe() if level is None else level
        if self.level is IsolationLevel.RLIMITS:
            raise SandboxError(
                f"isolation level {self.level} is too weak to run work items, {IsolationLevel.LANDLOCK} or "
                f"stronger is needed (not available here: {obstacle(IsolationLevel.LANDLOCK)})"
            )
        self._servers = [WorkServer(self.level, limits) for _ in range(size)]
        # Last in, first out: the server used last has the warmest caches, and idle ones need never start.
        self._free: queue.LifoQueue[WorkServer] = queue.LifoQueue()
        for server in self._servers:
            self._free.put(server)

    def run(
        self,
        world: World,
        programs: Sequence[Program],
        *,
        keep: bool = True,
        wall_seconds: float | None = None,
    ) -> Work:
        """See `WorkServer.run`; may be called from any number of threads."""
        server = self._free.get()
        try:
            return server.run(world, programs, keep=keep, wall_seconds=wall_seconds)
        finally:
            self._free.put(server)

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the running guardians."""
        return tuple(server.pid for server in self._servers if server.pid is not None)

    def close(self) -> None:
        """Stop all servers, waiting for calls in progress."""
        for server in self._servers:
            server.close()


def _work(world: World, answer: Mapping[str, Any], packed: bytes, outputs: bytes, *, keep: bool) -> Work:
    ran, start = [], 0
    for run in answer["runs"]:
        end = start + run["output"]
        ran.append(
            Ran(
                name=run["name"],
                status=run["status"],
                stopped=run["stopped"],
                wall=run["wall"],
                output=outputs[start:end].decode(errors="replace"),
                dropped=run["dropped"],
            )
        )
        start = end
    served = tuple((method, path, status) for method, path, status in answer["served"])
    overflow = answer["overflow"]
    if not keep:
        return Work(world, tuple(ran), served)
    files = world.files if overflow else tree.unpack(packed)
    return Work(World(files, answer["service"]), tuple(ran), served, overflow)
