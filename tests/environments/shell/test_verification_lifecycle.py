"""Servers die, hang and are orphaned: the caller hears of it, the next call works, nothing is left."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rlaios_core.environments.sandbox import IsolationLevel, Limits, SandboxError, obstacle, probe
from rlaios_core.environments.shell.verification import TestOutcome, VerificationPool, VerificationServer
from rlaios_core.process_table import descendants, parent, pids, stat_fields

PASSES = {"test_p.py": "def test_p(): pass\n"}
SLEEPS = {"test_s.py": "import subprocess\ndef test_s(): subprocess.run(['/bin/sleep', '{marker}'])\n"}


@pytest.fixture(params=[IsolationLevel.NAMESPACES, IsolationLevel.LANDLOCK])
def level(request: pytest.FixtureRequest) -> IsolationLevel:
    found: IsolationLevel = request.param
    missing = obstacle(found)
    if missing:
        pytest.skip(f"{found} is not available here: {missing}")
    return found


@pytest.fixture
def marker() -> Iterator[str]:
    name = f"4321.{os.getpid()}{time.monotonic_ns() % 10**6:06d}"
    yield name
    wait_until(lambda: running(name) == [], f"processes of {name} are left")


def test_servers_of_two_hash_seeds_stay_warm_and_a_third_takes_the_place_of_the_second() -> None:
    with VerificationServer() as server:
        for seed in (0, 1):
            server.verify({}, PASSES, hash_seed=seed)
        first = guardians()
        assert len(first) == 2
        for seed in (0, 1, 0):
            server.verify({}, PASSES, hash_seed=seed)
        assert guardians() == first
        server.verify({}, PASSES, hash_seed=2)
        assert len(guardians()) == 2
        assert guardians() != first


def test_killed_server_is_a_fault_and_the_next_call_works(level: IsolationLevel, marker: str) -> None:
    with VerificationServer(level=level) as server:
        server.verify({}, PASSES)
        errors: list[Exception] = []

        def call() -> None:
            try:
                server.verify({}, sleeping(marker), wall_seconds=60)
            except SandboxError as error:
                errors.append(error)

        thread = threading.Thread(target=call)
        thread.start()
        wait_until(lambda: len(running(marker)) > 0, "the run did not begin")
        (guardian,) = guardians()
        (warm,) = children(guardian)
        os.kill(warm, signal.SIGKILL)
        thread.join(30)
        assert not thread.is_alive()
        assert len(errors) == 1
        wait_until(lambda: running(marker) == [], "the run outlived its server")
        assert server.verify({}, PASSES).reports["test_p.py::test_p"].outcome is TestOutcome.PASSED
    assert guardians() == []


def test_killed_guardian_takes_everything_along(level: IsolationLevel, marker: str) -> None:
    with VerificationServer(level=level) as server:
        server.verify({}, PASSES)

        def call() -> None:
            with pytest.raises(SandboxError):
                server.verify({}, sleeping(marker))

        thread = threading.Thread(target=call)
        thread.start()
        wait_until(lambda: len(running(marker)) > 0, "the run did not begin")
        (guardian,) = guardians()
        below = descendants(guardian)
        os.kill(guardian, signal.SIGKILL)
        thread.join(30)
        wait_until(lambda: not any(alive(pid) for pid in below), "processes are left")
        assert server.verify({}, PASSES).reports["test_p.py::test_p"].outcome is TestOutcome.PASSED


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_killed_caller_leaves_nothing(level: IsolationLevel, marker: str, how: signal.Signals) -> None:
    script = (
        "from rlaios_core.environments.sandbox import IsolationLevel\n"
        "from rlaios_core.environments.shell.verification import VerificationServer\n"
        f"server = VerificationServer(level=IsolationLevel({level.value!r}))\n"
        f"server.verify({{}}, {sleeping(marker)!r}, wall_seconds=60)\n"
    )
    caller = subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[3])
    try:
        wait_until(lambda: len(running(marker)) > 0, "the run did not begin")
        below = descendants(caller.pid)
        assert len(below) >= 4  # guardian, server, run, sleep
    finally:
        caller.send_signal(how)
        caller.wait()
    wait_until(lambda: not any(alive(pid) for pid in below), "processes outlived the caller")
    wait_until(lambda: dead_boxes() == [], "a box is left")


def test_close_leaves_nothing_and_may_be_followed_by_a_call(level: IsolationLevel) -> None:
    server = VerificationServer(level=level)
    for _ in range(2):
        server.verify({}, PASSES)
        (guardian,) = guardians()
        below = descendants(guardian)
        server.close()
        assert not any(alive(pid) for pid in [guardian, *below])
    server.close()


def test_forked_caller_gets_a_server_of_its_own() -> None:
    with VerificationServer() as server:
        server.verify({}, PASSES)
        pid = os.fork()
        if pid == 0:
            try:
                result = server.verify({}, PASSES)
                server.close()
                os._exit(0 if result.reports["test_p.py::test_p"].outcome is TestOutcome.PASSED else 1)
            finally:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert server.verify({}, PASSES).reports["test_p.py::test_p"].outcome is TestOutcome.PASSED


def test_server_survives_the_thread_that_started_it() -> None:
    with VerificationServer() as server:
        thread = threading.Thread(target=server.verify, args=({}, PASSES))
        thread.start()
        thread.join()
        before = guardians()
        assert server.verify({}, PASSES).reports["test_p.py::test_p"].outcome is TestOutcome.PASSED
        assert guardians() == before


def test_pool_serves_threads() -> None:
    with VerificationPool(2) as pool:
        results = []
        threads = [threading.Thread(target=lambda: results.append(pool.verify({}, PASSES))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(results) == 6
        assert {result.reports["test_p.py::test_p"].outcome for result in results} == {TestOutcome.PASSED}
        assert 1 <= len(guardians()) <= 2
    assert guardians() == []


def test_pool_of_none_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        VerificationPool(0)


def test_weak_level_is_refused_for_foreign_code() -> None:
    with pytest.raises(SandboxError, match=r"too weak.*generated_edits_only"):
        VerificationServer(level=IsolationLevel.RLIMITS)
    with pytest.raises(SandboxError, match="too weak"):
        VerificationServer(level=IsolationLevel.RLIMITS, min_level=IsolationLevel.RLIMITS)
    with pytest.raises(SandboxError, match="namespaces or stronger is needed"):
        VerificationServer(level=IsolationLevel.LANDLOCK, min_level=IsolationLevel.NAMESPACES)


def test_weak_level_serves_generated_edits(marker: str) -> None:
    with VerificationServer(level=IsolationLevel.RLIMITS, generated_edits_only=True) as server:
        assert server.verify({}, PASSES).reports["test_p.py::test_p"].outcome is TestOutcome.PASSED
        result = server.verify({}, sleeping(marker), wall_seconds=0.5)
        assert result.reports["test_s.py::test_s"].outcome is TestOutcome.TIMEOUT
    assert guardians() == []


def test_time_limit_of_the_limits_applies() -> None:
    with VerificationServer(limits=Limits(wall_seconds=0.5)) as server:
        result = server.verify({}, {"test_s.py": "import time\ndef test_s(): time.sleep(60)\n"})
        assert result.timed_out
        assert result.wall_seconds < 10


def test_cpu_limit_is_a_timeout() -> None:
    with VerificationServer(limits=Limits(cpu_seconds=1)) as server:
        result = server.verify({}, {"test_s.py": "def test_s():\n    while True: pass\n"}, wall_seconds=60)
    assert result.timed_out
    assert not result.crashed
    assert result.reports["test_s.py::test_s"].outcome is TestOutcome.TIMEOUT


def test_stuck_server_is_replaced(level: IsolationLevel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rlaios_core.environments.shell.verification.client._GRACE_SECONDS", 0.5)
    with VerificationServer(level=level) as server:
        server.verify({}, PASSES)
        (warm,) = children(server.guardian_pid())
        os.kill(warm, signal.SIGSTOP)
        with pytest.raises(SandboxError, match="in time"):
            server.verify({}, PASSES, wall_seconds=0.5)
        assert not alive(warm)
        monkeypatch.undo()
        assert server.verify({}, PASSES).reports["test_p.py::test_p"].outcome is TestOutcome.PASSED


def test_server_does_not_grow(level: IsolationLevel) -> None:
    with VerificationServer(level=level) as server:
        server.verify({}, PASSES)
        (warm,) = children(server.guardian_pid())
        descriptors = sorted(Path(f"/proc/{warm}/fd").iterdir())
        for _ in range(20):
            server.verify({}, PASSES)
        assert sorted(Path(f"/proc/{warm}/fd").iterdir()) == descriptors


def test_set_up_that_fails_is_a_clear_error() -> None:
    if obstacle(IsolationLevel.NAMESPACES):
        pytest.skip("needs namespaces")
    limits = Limits(workspace_bytes=-1)
    with VerificationServer(level=IsolationLevel.NAMESPACES, limits=limits) as server:
        for _ in range(2):
            with pytest.raises(SandboxError, match=r"did not start: .*mount"):
                server.verify({}, PASSES)


def test_probe_agrees_with_the_obstacles() -> None:
    assert obstacle(probe()) == ""


def sleeping(marker: str) -> dict[str, str]:
    return {path: text.format(marker=marker) for path, text in SLEEPS.items()}


def wait_until(condition: Callable[[], bool], complaint: str, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.02)


def alive(pid: int) -> bool:
    fields = stat_fields(pid)
    return fields is not None and fields[0] != "Z"


def children(pid: int) -> list[int]:
    return [child for child in descendants(pid) if parent(child) == pid and alive(child)]


def running(marker: str) -> list[int]:
    return [pid for pid in pids() if command(pid) == f"/bin/sleep\0{marker}\0"]


def dead_boxes() -> list[Path]:
    """Boxes nobody holds the lock of any more."""
    found = []
    for lock in Path("/dev/shm").glob("rlaios-box-*/lock"):
        with contextlib.suppress(OSError), lock.open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            found.append(lock.parent)
    return found


def guardians() -> list[int]:
    return [pid for pid in children(os.getpid()) if "verification.guardian" in command(pid)]


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""
