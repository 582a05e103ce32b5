"""The words of the sandbox: how strong it is, what it allows, and how it fails."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum


class SandboxError(RuntimeError):
    """The sandbox itself failed (could not start, died, hung); never a statement about the tested code."""


class IsolationLevel(StrEnum):
    """What separates tested code from the machine, strongest first."""

    NAMESPACES = "namespaces"
    """Private network, processes, mounts, IPC and host name, then everything the next level has."""
    LANDLOCK = "landlock"
    """Landlock for files and signals, seccomp for the network and system calls, resource limits."""
    RLIMITS = "rlimits"
    """A clean environment and resource limits only; no promise about files or the network."""

    @property
    def strength(self) -> int:
        """A number that grows with what the level guarantees."""
        return {IsolationLevel.NAMESPACES: 3, IsolationLevel.LANDLOCK: 2, IsolationLevel.RLIMITS: 1}[self]


@dataclass(frozen=True)
class Limits:
    """Bounds on one verification; the kernel or the server enforces each, never the tested code."""

    wall_seconds: float = 10.0
    """Wall-clock seconds until everything is killed."""
    cpu_seconds: int = 20
    """CPU seconds of any one process (a run never gets more than twice its wall clock)."""
    address_space_bytes: int = 2 << 30
    """Virtual memory of any one process, in bytes."""
    file_bytes: int = 64 << 20
    """Size of any one file written, in bytes."""
    processes: int = 128
    """Processes and threads alive at once."""
    open_files: int = 512
    """Open descriptors of any one process."""
    output_bytes: int = 32 << 10
    """Standard output and error kept, in bytes: a quarter for the beginning, the rest for the end."""
    workspace_bytes: int = 256 << 20
    """Everything written to the workspace and its temporary folder, in bytes."""

    def cpu_bound(self, wall_seconds: float) -> int:
        """CPU seconds any one process of a run of ``wall_seconds`` may use."""
        return min(self.cpu_seconds, math.ceil(2 * wall_seconds))
