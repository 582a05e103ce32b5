"""The sandbox's parts by themselves, in child processes where they cannot be undone."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rlaios_core.environments.sandbox import (
    IsolationLevel,
    Limits,
    SandboxError,
    box,
    identity,
    landlock,
    launch,
    mounts,
    reaper,
    seccomp,
)
from rlaios_core.environments.sandbox.syscalls import SUPPORTED

linux_only = pytest.mark.skipif(not SUPPORTED, reason="needs Linux on x86_64 or aarch64")


def in_child(action: Callable[[], bool]) -> bool:
    """What ``action`` returned in a forked child; an exception counts as False."""
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(0 if action() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def refused(call: Callable[..., object], *arguments: object) -> bool:
    try:
        call(*arguments)
    except OSError:
        return True
    return False


@linux_only
def test_signal_rule_lets_a_process_signal_only_itself() -> None:
    def action() -> bool:
        seccomp.install_signal_rule(os.getpid())
        os.kill(os.getpid(), 0)
        signal.raise_signal(signal.SIGCHLD)
        return refused(os.kill, os.getppid(), 0) and refused(os.kill, -1, 0)

    assert in_child(action)


@linux_only
def test_metadata_rule_pretends(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("text", "ascii")
    target.chmod(0o640)

    def action() -> bool:
        seccomp.install(protect_metadata=True)
        target.chmod(0o777)
        os.utime(target, (0, 0))
        return refused(os.truncate, target, 0) and refused(socket.socket)

    assert in_child(action)
    assert target.stat().st_mode & 0o777 == 0o640
    assert target.stat().st_mtime > 0
    assert target.read_text("ascii") == "text"


@linux_only
def test_landlock_allows_what_was_named_and_nothing_else(tmp_path: Path) -> None:
    if landlock.abi() == 0:
        pytest.skip("this kernel has no Landlock")
    for name in ("readable", "writable", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name, "ascii")

    def action() -> bool:
        rules = landlock.build(
            readable=[str(tmp_path / "readable"), "/does/not/exist"],
            devices=["/dev/null"],
            writable=str(tmp_path / "writable"),
        )
        landlock.enforce(rules)
        (tmp_path / "writable" / "new").write_text("x", "ascii")
        Path("/dev/null").write_text("x", "ascii")
        return (
            (tmp_path / "readable" / "file").read_text("ascii") == "readable"
            and refused((tmp_path / "readable" / "file").write_text, "x")
            and refused((tmp_path / "other" / "file").read_text)
            and refused((tmp_path / "other" / "new").write_text, "x")
            and refused((tmp_path / "readable" / "file").rename, tmp_path / "writable" / "moved")
        )

    assert in_child(action)


@linux_only
def test_kill_descendants_finds_daemons() -> None:
    def action() -> bool:
        from rlaios_core.environments.sandbox import syscalls

        syscalls.prctl(syscalls.PR_SET_CHILD_SUBREAPER, 1)
        for _ in range(3):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    signal.pause()
                os._exit(0)
        return reaper.kill_descendants(float("inf")) and refused(os.wait)

    assert in_child(action)


def test_namespace_kill_is_refused_outside_a_namespace() -> None:
    with pytest.raises(RuntimeError, match="first process"):
        reaper.kill_namespace()


def test_box_is_made_emptied_and_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(box, "_parent", lambda: tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x", "ascii")
    made = Path(box.create(None))
    (made / "a" / "b" / "c").mkdir(parents=True)
    (made / "a" / "b" / "c" / "file").write_bytes(bytes(10_000))
    (made / "link").symlink_to(outside)
    (made / "a" / "b").chmod(0)
    assert box.size(str(made)) >= (10_000 if os.geteuid() == 0 else 0)
    box.empty(str(made))
    assert list(made.iterdir()) == []
    assert (outside / "kept").exists()
    box.remove(str(made))
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]


def test_boxes_of_the_dead_are_swept_and_those_of_the_living_are_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(box, "_parent", lambda: tmp_path)

    def leave_a_box() -> bool:
        Path(box.create(None), "left").write_text("x", "ascii")
        return True

    assert in_child(leave_a_box)
    assert len(list(tmp_path.iterdir())) == 1
    first = box.create(None)
    assert [path.name for path in tmp_path.iterdir()] == [Path(first).parent.name]
    second = box.create(None)
    assert len(list(tmp_path.iterdir())) == 2
    for made in (first, second):
        box.remove(made)


def test_blocked_directories_name_the_topmost_closed_one(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and folder.is_relative_to(tempfile.gettempdir()):
            folder.chmod(folder.stat().st_mode | 0o111)
    (tmp_path / "shut" / "deeper").mkdir(parents=True)
    (tmp_path / "shut").chmod(0o700)
    (tmp_path / "shut" / "deeper").chmod(0o700)
    inner = str(tmp_path / "shut" / "deeper" / "python")
    assert identity.blocked_directories((inner, "/usr/lib")) == {str(tmp_path / "shut"): [inner]}


@linux_only
def test_way_that_cannot_be_opened_is_explained() -> None:
    def action() -> bool:
        identity.drop_to(None if os.geteuid() else 65534)  # nobody may mount
        try:
            mounts.open_way({"/closed": ["/closed/python"]})
        except SandboxError as error:
            return "may not enter /closed" in str(error) and "chmod o+x /closed" in str(error)
        return False

    assert in_child(action)


def test_environment_is_an_allow_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RLAIOS_TEST_SECRET", "hunter2")
    monkeypatch.setenv("PYTHONPATH", "/evil")
    code = "import os; print(sorted(os.environ))"
    environment = launch.clean_environment(7)
    output = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert "SECRET" not in output.stdout
    assert "PYTHONPATH" not in output.stdout
    assert environment["PYTHONHASHSEED"] == "7"


def test_levels_are_ordered() -> None:
    strengths = [level.strength for level in IsolationLevel]
    assert strengths == sorted(strengths, reverse=True)


def test_cpu_bound_follows_the_wall_clock() -> None:
    limits = Limits(cpu_seconds=20)
    assert [limits.cpu_bound(wall) for wall in (0.1, 1.0, 60.0)] == [1, 2, 20]
