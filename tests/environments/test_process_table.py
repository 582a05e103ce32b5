"""Processes are found below a process whoever of its threads started them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from rlaios_core.process_table import descendants, parent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def test_children_of_ended_threads_are_found_every_time() -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        started.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

    try:
        for _ in range(10):
            thread = threading.Thread(target=start)
            thread.start()
            thread.join()
            assert {process.pid for process in started} <= set(descendants(os.getpid()))
    finally:
        for process in started:
            process.communicate()


def test_grandchildren_come_after_their_parents_and_the_ended_have_none() -> None:
    script = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(flush=True); input()'])"
    process = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()  # the grandchild lives
        below = descendants(os.getpid())
        (grandchild,) = descendants(process.pid)
        assert below.index(process.pid) < below.index(grandchild)
        assert parent(grandchild) == process.pid
    finally:
        process.communicate(b"\n")
    assert parent(process.pid) is None
    assert descendants(process.pid) == []
