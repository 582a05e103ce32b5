"""Watch one run from outside: drain its output, keep its time, and leave nothing of it behind."""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from rlaios_core.environments.sandbox import box as boxes
from rlaios_core.environments.sandbox import reaper
from rlaios_core.environments.sandbox.levels import Limits

_CHUNK = 1 << 16
_DRAIN_BYTES = 1 << 20
_TICK_SECONDS = 0.25
_KILL_SECONDS = 5.0
_READABLE = select.POLLIN | select.POLLHUP


class HeadAndTail:
    """Keeps the beginning and the end of a stream within a fixed number of bytes."""

    def __init__(self, limit: int) -> None:
        self._head_limit = limit // 4
        self._tail_limit = limit - self._head_limit
        self._head = bytearray()
        self._tail = bytearray()
        self.dropped = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        room = self._head_limit - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        excess = len(self._tail) - self._tail_limit
        if excess > 0:
            del self._tail[:excess]
            self.dropped += excess

    def kept(self) -> bytes:
        """The bytes that were not dropped."""
        return bytes(self._head + self._tail)


@dataclass(frozen=True)
class Observation:
    """What was seen of a run from outside."""

    status: int
    """Exit status of the run's first process, negative for a signal."""
    stopped: str
    """Why it was killed: `time` or `workspace`; empty when it ended by itself."""
    wall: float
    """Wall-clock seconds until nothing of it was left."""
    cpu: float
    """CPU seconds of all its processes."""
    rss: int
    """Largest resident size of its first process, in bytes."""
    output: bytes
    """Standard output and error that was kept."""
    dropped: int
    """Bytes of output that were not."""


class Supervisor:
    """Watches one child of the server at a time."""

    def __init__(self, limits: Limits, box: str, *, private_processes: bool, shared_disk: bool) -> None:
        self._limits = limits
        self._box = box
        self._private_processes = private_processes
        self._shared_disk = shared_disk

    def watch(
        self, pid: int, output: int, wall_seconds: float, started: float, abandoned: Callable[[], bool]
    ) -> Observation:
        """Wait for ``pid`` within its bounds, then kill whatever is left of it.

        ``output`` is the read end of its standard streams, closed on return; ``started`` is in monotonic
        seconds; ``abandoned`` tells that nobody waits for the answer any more.
        """
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        printed = HeadAndTail(self._limits.output_bytes)
        stopped = self._wait(pid, output, started + wall_seconds, printed, abandoned)
        # The leader's exit ends the run: waiting for the end of its output would wait for its daemons.
        if stopped:
            os.kill(pid, signal.SIGKILL)
        _, status, usage = os.wait4(pid, 0)
        ended_by = os.waitstatus_to_exitcode(status)
        cpu_is_up = usage.ru_utime + usage.ru_stime >= self._limits.cpu_bound(wall_seconds)
        if ended_by == -signal.SIGXCPU or (ended_by == -signal.SIGKILL and cpu_is_up):
            stopped = "time"
        self._kill_rest(pid)
        _drain(output, printed.add)
        os.close(output)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return Observation(
            status=ended_by,
            stopped=stopped,
            wall=time.monotonic() - started,
            cpu=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            rss=usage.ru_maxrss * (1024 if sys.platform == "linux" else 1),
            output=printed.kept(),
            dropped=printed.dropped,
        )

    def _wait(
        self, pid: int, output: int, deadline: float, printed: HeadAndTail, abandoned: Callable[[], bool]
    ) -> str:
        """Drain ``output`` until ``pid`` has exited; says why it must be killed, empty when it has exited."""
        poller = select.poll()
        os.set_blocking(output, False)
        poller.register(output, _READABLE)
        exited = os.pidfd_open(pid) if sys.platform == "linux" else -1
        if exited >= 0:
            poller.register(exited, _READABLE)
        checked = time.monotonic()
        try:
            while not _has_exited(pid):
                now = time.monotonic()
                if now >= deadline or abandoned():
                    return "time"
                if self._shared_disk and now > checked + _TICK_SECONDS:
                    checked = now
                    if boxes.size(self._box) > self._limits.workspace_bytes:
                        return "workspace"
                for ready, _ in poller.poll(1000 * min(deadline - now, _TICK_SECONDS)):
                    if ready == output and _drain(output, printed.add):
                        poller.unregister(output)
        finally:
            if exited >= 0:
                os.close(exited)
        return ""

    def _kill_rest(self, pid: int) -> None:
        """Kill everything the run left behind; exits the server when something will not die."""
        if self._private_processes:
            reaper.kill_namespace()
        elif sys.platform == "linux":
            if not reaper.kill_descendants(time.monotonic() + _KILL_SECONDS):
                os._exit(1)  # the guardian takes over; this server must not run tests beside a survivor
        else:
            try:
                os.killpg(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                return


def _has_exited(pid: int) -> bool:
    """Whether the child is dead, without reaping it: its pid must stay its own until it is waited for."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _drain(descriptor: int, take: Callable[[bytes], object], most: int = _DRAIN_BYTES) -> bool:
    """Pass on what can be read without waiting, at most ``most`` bytes; True at the end of the stream."""
    got = 0
    while got < most:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            return True
        take(data)
        got += len(data)
    return False
