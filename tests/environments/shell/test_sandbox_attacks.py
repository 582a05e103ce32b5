"""What tested code tries against the machine, at every level that promises to prevent it."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlaios_core.environments.sandbox import IsolationLevel, Limits, obstacle
from rlaios_core.environments.shell.verification import TestOutcome, VerificationResult, VerificationServer

ATTACKS = """
import ctypes, os, resource, signal, socket, subprocess, sys
from pathlib import Path
import pytest

PORT, ABSTRACT, CANARY, OUTSIDE, HOST = {port}, {abstract!r}, {canary!r}, {outside!r}, {host}
libc = ctypes.CDLL(None, use_errno=True)

def test_tcp_to_the_host():
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", PORT), timeout=1)

def test_udp_out():
    with pytest.raises(OSError):
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))

def test_abstract_socket_of_the_host():
    with pytest.raises(OSError):
        socket.socket(socket.AF_UNIX).connect("\\0" + ABSTRACT)

def test_socket_pairs_still_work():
    left, right = socket.socketpair()
    left.send(b"x")
    assert right.recv(1) == b"x"

def test_reading_outside():
    with pytest.raises(OSError):
        Path(CANARY).read_text()

def test_writing_outside():
    with pytest.raises(OSError):
        Path(OUTSIDE, "planted").write_text("x")

def test_writing_through_a_link():
    os.symlink(OUTSIDE, "link")
    with pytest.raises(OSError):
        Path("link", "planted").write_text("x")

def test_writing_to_the_interpreter():
    import pytest
    with pytest.raises(OSError):
        Path(pytest.__file__).with_name("planted.pth").write_text("x")

def test_secret_of_the_environment():
    assert not [name for name in os.environ if "SECRET" in name]

@pytest.mark.parametrize("pid", [HOST, "self", 1])
def test_environment_through_proc(pid):
    with pytest.raises(OSError):
        Path(f"/proc/{{pid}}/environ").read_bytes()

def test_signalling_the_host():
    with pytest.raises((PermissionError, ProcessLookupError)):
        os.kill(HOST, signal.SIGTERM)

def test_signalling_the_server():
    with pytest.raises(PermissionError):
        os.kill(os.getppid(), signal.SIGKILL)

def test_limiting_the_server():
    with pytest.raises(PermissionError):
        resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))
    with pytest.raises(PermissionError):
        os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)

@pytest.mark.parametrize("call", [
    lambda: libc.ptrace(16, os.getppid(), 0, 0),
    lambda: libc.mount(b"none", b"/", b"tmpfs", 0, None),
    lambda: libc.unshare(0x10000000),
    lambda: libc.chroot(b"."),
    lambda: libc.syscall(425, 1, 0),
    lambda: libc.sethostname(b"x", 1),
    lambda: libc.shmget(1, 4096, 0o1666),
])
def test_privileged_calls(call):
    assert call() == -1

def test_regaining_a_user():
    assert os.getuid() != 0
    with pytest.raises(OSError):
        os.setuid(0)

def test_program_start_still_works():
    assert subprocess.run(["/bin/echo", "x"], capture_output=True).stdout == b"x\\n"

def test_memory():
    with pytest.raises(MemoryError):
        bytearray(3 << 30)

def test_file_size():
    with open("big", "wb") as file, pytest.raises(OSError):
        for _ in range(70):
            file.write(bytes(1 << 20))

def test_processes():
    children = []
    with pytest.raises(BlockingIOError):
        for _ in range(400):
            pid = os.fork()
            if pid == 0:
                signal.pause()
            children.append(pid)
    assert len(children) < 140

def test_descriptors():
    with pytest.raises(OSError):
        [os.open("/dev/null", os.O_RDONLY) for _ in range(600)]

def test_core_is_reached():
    assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
"""

DAEMON = """
import os
def test_leaves_a_daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv("/bin/sleep", ["sleep", "{marker}"])
        os._exit(0)
"""


@pytest.fixture(scope="module", params=[IsolationLevel.NAMESPACES, IsolationLevel.LANDLOCK])
def server(request: pytest.FixtureRequest) -> Iterator[VerificationServer]:
    missing = obstacle(request.param)
    if missing:
        pytest.skip(f"{request.param} is not available here: {missing}")
    os.environ["RLAIOS_TEST_SECRET"] = "hunter2"
    with VerificationServer(level=request.param) as server:
        yield server
    del os.environ["RLAIOS_TEST_SECRET"]


@pytest.fixture(scope="module")
def outcome(server: VerificationServer) -> Iterator[VerificationResult]:
    # Open to every user: only the sandbox may keep tested code out.
    outside = Path(tempfile.mkdtemp(prefix="rlaios-outside-"))
    outside.chmod(0o777)
    canary = outside / "canary"
    canary.write_text("secret", "ascii")
    canary.chmod(0o644)
    abstract = f"rlaios-test-{os.getpid()}"
    with socket.socket() as tcp, socket.socket(socket.AF_UNIX) as unix:
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        unix.bind(f"\0{abstract}")
        unix.listen()
        attacks = ATTACKS.format(
            port=tcp.getsockname()[1],
            abstract=abstract,
            canary=str(canary),
            outside=str(outside),
            host=os.getpid(),
        )
        result = server.verify({}, {"tests/test_attacks.py": attacks})
    assert sorted(path.name for path in outside.iterdir()) == ["canary"]
    yield result
    shutil.rmtree(outside)


def test_every_attack_is_blocked(outcome: VerificationResult) -> None:
    assert not outcome.crashed, outcome.crash
    assert not outcome.timed_out
    assert len(outcome.reports) == 29
    assert {
        name: (r.outcome, r.message) for name, r in outcome.reports.items() if r.outcome != "passed"
    } == {}


def test_daemon_does_not_survive(server: VerificationServer) -> None:
    marker = f"98765.{os.getpid()}"
    result = server.verify({}, {"test_d.py": DAEMON.format(marker=marker)})
    assert result.reports["test_d.py::test_leaves_a_daemon"].outcome is TestOutcome.PASSED
    assert running(marker) == []


ENDLESS = {
    "loop": "while True: pass",
    "deaf": "import signal\n    for n in range(1, 32):\n        try: signal.signal(n, signal.SIG_IGN)\n"
    "        except (OSError, ValueError): pass\n    while True: pass",
    "threads": "import threading\n    spin = lambda: [0 for _ in iter(int, 1)]\n"
    "    for _ in range(4): threading.Thread(target=spin).start()\n    spin()",
    "flood": "import os\n    while True: os.write(1, b'x' * 65536)",
    "bomb": "import os\n    while True:\n        try: os.fork()\n        except OSError: pass",
    "pipe holder": "import os, time\n    if os.fork() == 0: os.setsid()\n    time.sleep(60)",
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_endless_code_is_stopped(server: VerificationServer, kind: str) -> None:
    test = f"def test_quick(): pass\ndef test_endless():\n    {ENDLESS[kind]}\n"
    started = time.monotonic()
    result = server.verify({}, {"test_e.py": test}, wall_seconds=1.0)
    assert time.monotonic() - started < 20
    assert result.timed_out
    assert not result.crashed
    assert result.reports["test_e.py::test_quick"].outcome is TestOutcome.PASSED
    assert result.reports["test_e.py::test_endless"].outcome is TestOutcome.TIMEOUT
    assert len(result.output) <= Limits().output_bytes
    assert (result.dropped_bytes > 0) == (kind == "flood")


def test_hostile_tree_is_removed(server: VerificationServer) -> None:
    test = (
        "import os\ndef test_digs():\n    for _ in range(1500):\n        os.mkdir('d'); os.chdir('d')\n"
        "    os.mkdir('x'); open('x/y', 'w').close(); os.chmod('x', 0); os.chmod('.', 0)\n"
    )
    assert (
        server.verify({}, {"test_dig.py": test}).reports["test_dig.py::test_digs"].outcome
        is TestOutcome.PASSED
    )
    clean = "import os\ndef test_alone(): assert sorted(os.listdir('.')) == ['test_alone.py']\n"
    result = server.verify({}, {"test_alone.py": clean})
    assert result.reports["test_alone.py::test_alone"].outcome is TestOutcome.PASSED


def test_workspace_size_is_bounded() -> None:
    missing = obstacle(IsolationLevel.LANDLOCK)
    if missing:
        pytest.skip(missing)
    test = (
        "import time\ndef test_fills():\n    for n in range(100):\n"
        "        open(str(n), 'wb').write(bytes(1 << 20)); time.sleep(0.02)\n"
    )
    limits = Limits(workspace_bytes=8 << 20)
    with VerificationServer(level=IsolationLevel.LANDLOCK, limits=limits) as server:
        result = server.verify({}, {"test_f.py": test})
    assert result.crashed
    assert "workspace" in result.crash


def test_servers_do_not_share_a_process_limit(server: VerificationServer) -> None:
    hog = (
        "import os, signal, time\ndef test_hog():\n    try:\n        while os.fork(): pass\n"
        "        signal.pause()\n    except OSError: time.sleep(1.5)\n"
    )
    fork = "import os\ndef test_fork():\n    if os.fork() == 0: os._exit(0)\n    os.wait()\n"
    with VerificationServer(level=server.level) as other:
        other.verify({}, {"test_fork.py": fork})
        thread = threading.Thread(target=server.verify, args=({}, {"test_hog.py": hog}))
        thread.start()
        time.sleep(0.7)
        result = other.verify({}, {"test_fork.py": fork})
        thread.join()
    assert result.reports["test_fork.py::test_fork"].outcome is TestOutcome.PASSED


def running(marker: str) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if marker.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return [pid for pid in found if pid != os.getpid()]
