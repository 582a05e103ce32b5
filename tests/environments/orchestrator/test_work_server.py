"""Programs run for real: what they can do, what they cannot, and what is left of them."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlaios_core.environments.orchestrator.work import client, tree
from rlaios_core.environments.orchestrator.work.client import Program, Ran, WorkPool, World
from rlaios_core.environments.sandbox import IsolationLevel, SandboxError, obstacle
from tests.environments.orchestrator.worlds import service


@pytest.fixture(scope="module", params=[IsolationLevel.NAMESPACES, IsolationLevel.LANDLOCK])
def pool(request: pytest.FixtureRequest) -> Iterator[WorkPool]:
    missing = obstacle(request.param)
    if missing:
        pytest.skip(f"{request.param} is not available here: {missing}")
    pool = WorkPool(1, level=request.param)
    yield pool
    pool.close()


def script(source: str, **files: str) -> World:
    return World({"job.py": source.encode(), **{name: text.encode() for name, text in files.items()}})


JOB = Program("job", ("python", "job.py"))


def one(pool: WorkPool, source: str, wall_seconds: float | None = None) -> Ran:
    return pool.run(script(source), [JOB], wall_seconds=wall_seconds).ran[0]


def test_a_program_changes_the_world_it_is_given(pool: WorkPool) -> None:
    world = script("import os; os.makedirs('out'); open('out/a', 'w').write('1'); print('done')")
    work = pool.run(world, [JOB])
    assert work.ran[0].ended_well
    assert work.ran[0].output == "done\n"
    assert work.world.files["out/a"] == b"1"
    assert "out/a" not in world.files


def test_what_is_not_kept_is_gone(pool: WorkPool) -> None:
    world = script("open('a', 'w').write('1')")
    assert pool.run(world, [JOB], keep=False).world == world


def test_the_first_failure_ends_the_request(pool: WorkPool) -> None:
    world = script("import sys; open('ran', 'a').write('x'); sys.exit(3)")
    work = pool.run(world, [JOB, JOB])
    assert [ran.status for ran in work.ran] == [3]
    assert work.world.files["ran"] == b"x"


def test_a_shell_script_is_a_process_like_any_other(pool: WorkPool) -> None:
    world = World({"build.sh": b"cat a b > c\n", "a": b"1", "b": b"2"})
    assert pool.run(world, [Program("sh", ("sh", "build.sh"))]).world.files["c"] == b"12"


def test_a_missing_program_is_the_worlds_failure(pool: WorkPool) -> None:
    ran = pool.run(script(""), [Program("x", ("no-such-program",))]).ran[0]
    assert ran.status == 127
    assert "no-such-program" in ran.output


def test_a_hanging_program_is_stopped(pool: WorkPool) -> None:
    ran = one(
        pool, "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)", 0.3
    )
    assert ran.stopped == "time"


def test_a_flood_is_cut(pool: WorkPool) -> None:
    ran = one(pool, "for _ in range(200_000): print('flood ' * 10)")
    assert ran.ended_well
    assert len(ran.output) <= client.LIMITS.output_bytes
    assert ran.dropped > 1_000_000


def test_a_killed_program_is_seen_as_killed(pool: WorkPool) -> None:
    ran = one(pool, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert ran.status == -signal.SIGKILL


def test_children_do_not_outlive_their_program(pool: WorkPool) -> None:
    marker = f"4322.{os.getpid()}"
    source = f"import subprocess; subprocess.Popen(['/bin/sleep', '{marker}'], start_new_session=True)"
    started = time.monotonic()
    assert one(pool, source).ended_well
    assert time.monotonic() - started < 60
    assert not [path for path in Path("/proc").glob("[0-9]*/cmdline") if marker in _text(path)]


def test_too_many_files_leave_the_world_as_it_was(pool: WorkPool) -> None:
    world = script("for n in range(1000): open(f'f{n}', 'w')")
    work = pool.run(world, [JOB])
    assert "files" in work.overflow
    assert work.world.files == world.files


def test_nothing_is_left_for_the_next_request(pool: WorkPool) -> None:
    pool.run(script("open('left', 'w').write('x')"), [JOB])
    assert "left" not in pool.run(script(""), [JOB]).world.files


def test_links_are_not_followed(pool: WorkPool) -> None:
    work = pool.run(script("import os; os.symlink('/etc/passwd', 'link')"), [JOB])
    assert "link" not in work.world.files


REACH = """
import socket, os
from urllib.parse import urlsplit
def tried(*kind, to=None):
    try:
        with socket.socket(*kind) as s:
            s.settimeout(0.5)
            if to: s.connect(to)
        return 'open'
    except OSError as error:
        return type(error).__name__
port = urlsplit(os.environ['SERVICE']).port
print(tried(socket.AF_INET, socket.SOCK_STREAM, to=('127.0.0.1', port)))
print(tried(socket.AF_INET, socket.SOCK_STREAM, to=('127.0.0.1', {other})))
print(tried(socket.AF_INET, socket.SOCK_DGRAM))
print(tried(socket.AF_INET, socket.SOCK_STREAM, 262))
print(tried(socket.AF_UNIX, socket.SOCK_STREAM))
print(tried(socket.AF_INET6, socket.SOCK_STREAM))
"""


def test_only_the_service_can_be_reached(pool: WorkPool) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as other:
        source = REACH.replace("{other}", str(other.getsockname()[1]))
        work = pool.run(World({"job.py": source.encode()}, service()), [JOB])
    served, foreign, *rest = work.ran[0].output.split()
    assert served == "open"
    assert foreign in ("PermissionError", "ConnectionRefusedError")
    assert rest == ["PermissionError"] * 4


def test_services_of_several_servers_do_not_meet(pool: WorkPool) -> None:
    other = WorkPool(1, level=pool.level)
    push = Program("push", ("push", "lines", "box"))
    try:
        for one_pool, name in ((pool, "a"), (other, "b")):
            world = World({"lines": name.encode(), "secrets/token": b"good"}, service())
            state = one_pool.run(world, [push]).world.service
            assert state is not None
            assert state["collections"] == {"box": [name]}
    finally:
        other.close()


def test_the_services_state_comes_back(pool: WorkPool) -> None:
    world = World({"lines": b"a\nb\n", "secrets/token": b"good"}, service())
    work = pool.run(world, [Program("push", ("push", "lines", "box"))])
    assert work.ran[0].ended_well
    assert work.world.service is not None
    assert work.world.service["collections"] == {"box": ["a", "b"]}
    assert work.served == (("POST", "/collections/box", 201),)
    assert world.service == service()


@pytest.mark.parametrize("status", [503, 429, 0])
def test_the_service_fails_and_then_answers(pool: WorkPool, status: int) -> None:
    fault = {"method": "POST", "path": "/collections", "left": 1, "status": status, "apply": False}
    world = World({"lines": b"a\n", "secrets/token": b"good"}, service(faults=[fault]))
    push = Program("push", ("push", "lines", "box"))
    first = pool.run(world, [push])
    assert first.ran[0].status == 75
    assert f"http:{status}" in first.ran[0].output
    second = pool.run(first.world, [push])
    assert second.ran[0].ended_well


def test_an_expired_credential_is_refused_and_locks_the_account(pool: WorkPool) -> None:
    tokens = {"old": {"subject": "me", "expires": 500, "renewable": True}}
    world = World({"lines": b"a\n", "secrets/token": b"old"}, service(tokens=tokens))
    push = Program("push", ("push", "lines", "box"))
    for expected in (401, 401, 401, 423):
        work = pool.run(world, [push])
        assert f"http:{expected}" in work.ran[0].output
        assert work.ran[0].status == 77
        world = work.world


def test_renewing_needs_a_grant(pool: WorkPool) -> None:
    for renewable, status in ((True, 0), (False, 77)):
        tokens = {"old": {"subject": "me", "expires": 500, "renewable": renewable}}
        world = World({"secrets/token": b"old"}, service(tokens=tokens))
        assert pool.run(world, [Program("renew", ("renew",))]).ran[0].status == status


def test_a_dead_server_is_an_error_and_the_next_call_works(pool: WorkPool) -> None:
    assert one(pool, "print(1)").ended_well
    os.kill(pool.pids[0], signal.SIGKILL)
    with pytest.raises(SandboxError):
        one(pool, "print(1)")
    assert one(pool, "print(1)").ended_well


def test_closing_leaves_no_process() -> None:
    pool = WorkPool(1)
    one(pool, "print(1)")
    (pid,) = pool.pids
    pool.close()
    assert not Path(f"/proc/{pid}").exists()


def test_a_level_without_network_rules_is_refused() -> None:
    with pytest.raises(SandboxError, match="too weak"):
        WorkPool(1, level=IsolationLevel.RLIMITS)


def test_packing_is_undone_by_unpacking() -> None:
    files = {"a": b"", "b/c": bytes(range(256))}
    assert tree.unpack(tree.pack(files)) == files


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
