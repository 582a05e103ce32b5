"""Kills of everything that can be killed: faults are typed, the next episode works, nothing is left."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlaios_core.environments.browser.driver import (
    BrowserMissingError,
    BrowserWorker,
    DriverError,
    DriverFailure,
    Seat,
    WorkerSettings,
    owned,
)
from tests.environments.browser.pages import PageServer, Visit, visiting

pytestmark = pytest.mark.slow
PAGE = "<title>t</title><button onclick=\"document.title='done'\">Go</button>"


@pytest.fixture
def own_worker() -> Iterator[BrowserWorker]:
    worker = BrowserWorker()
    yield worker
    worker.close()


def kind(process: owned.Process) -> str:
    try:
        line = Path(f"/proc/{process.pid}/cmdline").read_text()
    except OSError:  # ended since it was listed
        return "gone"
    return line.partition("--type=")[2].split("\0")[0] if "--type=" in line else line.split("\0")[0]


def kill(worker: BrowserWorker, wanted: str) -> None:
    victims = [process for process in worker.processes if wanted in kind(process)]
    assert victims, f"nothing like {wanted} is running"
    for victim in victims:
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim.pid, signal.SIGKILL)


def works(worker: BrowserWorker, pages: PageServer) -> bool:
    with visiting(worker, pages, PAGE) as visit:
        visit.click("Go")
        return visit.view.look.title == "done"


def test_what_playwright_switches_off_stays_off_beside_what_we_do(worker: BrowserWorker) -> None:
    assert worker.build
    lines = [Path(f"/proc/{process.pid}/cmdline").read_text().split("\0") for process in worker.processes]
    (browser,) = [line for line in lines if "--remote-debugging-pipe" in line]
    theirs, ours = [arg for arg in browser if arg.startswith("--disable-features=")]
    assert ours == f"{theirs},RenderDocument"


@pytest.mark.parametrize("wanted", ["renderer", "chromium", "node"])
def test_a_kill_in_mid_episode_is_typed_and_the_next_episode_works(
    own_worker: BrowserWorker, pages: PageServer, wanted: str
) -> None:

    def episode() -> None:
        with visiting(own_worker, pages, PAGE) as visit:
            kill(own_worker, wanted)
            for _ in range(3):
                visit.click("Go")
                time.sleep(0.2)

    with pytest.raises(DriverError):
        episode()
    assert works(own_worker, pages)


def test_closing_leaves_no_process_and_no_folder(pages: PageServer) -> None:
    before = set(owned.folder().iterdir())
    worker = BrowserWorker()
    assert works(worker, pages)
    everything = worker.processes
    mine = set(owned.folder().iterdir()) - before
    scratch = [path for path in mine if path.name.startswith(f"{os.getpid()}-")]
    assert scratch
    worker.close()
    deadline = time.monotonic() + 10
    while any(owned.alive(process) for process in everything) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [process for process in everything if owned.alive(process)]
    assert not [path for path in scratch if path.exists() and path.suffix == ".json"]
    with pytest.raises(DriverError) as caught:
        worker.open(Seat(origins=(pages.origin,)))
    assert caught.value.failure is DriverFailure.CLOSED


def test_what_a_killed_owner_left_is_swept_at_the_next_start(pages: PageServer) -> None:
    script = """
import sys, time
from rlaios_core.environments.browser.driver import BrowserWorker
worker = BrowserWorker()
worker.build
print(*[p.pid for p in worker.processes], flush=True)
time.sleep(600)
"""
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    pids = [int(pid) for pid in owner.stdout.readline().split()]
    known = [process for process in map(owned.identify, pids) if process is not None]
    mine = [path for path in owned.folder().iterdir() if path.name.startswith(f"{owner.pid}-")]
    assert known
    assert {path.suffix for path in mine} == {".json", ".scratch"}
    owner.kill()
    owner.wait()
    owner.stdout.close()
    assert owned.sweep() >= 1
    assert not any(owned.alive(process) for process in known)
    assert not any(path.exists() for path in mine)


def test_a_start_given_up_half_way_leaves_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    from rlaios_core.environments.browser.driver import generation
    from rlaios_core.environments.browser.driver import worker as module

    async def never(*_: object, **__: object) -> None:
        await asyncio.sleep(10_000)

    monkeypatch.setattr(generation, "launch", never)
    monkeypatch.setattr(module, "_OPEN_SECONDS", 8.0)
    worker = BrowserWorker()
    try:
        with pytest.raises(DriverError, match="no answer within"):
            _ = worker.build
        assert worker.processes == []
    finally:
        worker.close()


def test_a_reused_pid_is_left_alone() -> None:
    me = owned.identify(os.getpid())
    assert me is not None
    stranger = owned.Process(me.pid, me.started - 1)
    assert not owned.alive(stranger)
    assert owned.kill([stranger])


def test_the_browser_is_renewed_before_it_grows(pages: PageServer) -> None:
    worker = BrowserWorker(WorkerSettings(contexts_per_browser=2))
    try:
        before = worker.build and worker.processes
        assert all(works(worker, pages) for _ in range(4))
        assert worker.restarts >= 1
        assert not any(owned.alive(process) for process in before)
    finally:
        worker.close()


def test_two_episodes_share_a_browser_and_nothing_else(own_worker: BrowserWorker, pages: PageServer) -> None:
    html = "<p id=p></p><script>p.textContent = document.cookie || 'none'; document.cookie = 'a=1'</script>"
    with visiting(own_worker, pages, html) as one, visiting(own_worker, pages, html) as two:
        assert one.text == two.text == "none"


def test_an_emptied_context_holds_nothing_of_the_episode_before(
    own_worker: BrowserWorker, pages: PageServer
) -> None:
    html = """<title>x</title><script>
      document.cookie = 'a=1'; localStorage.a = 1; sessionStorage.a = 1; window.name = 'a';
      indexedDB.open('a'); if (window.caches) caches.open('a');</script>"""
    seat = {"reuse": True}
    with pytest.raises(DriverError, match="still held"), visiting(own_worker, pages, html, **seat):
        pass
    pages.routes["/quiet"] = """<title>quiet</title><script>
      addEventListener('pagehide', () => { localStorage.late = 1; document.cookie = 'late=1'; });</script>"""

    def quiet() -> None:
        with own_worker.seat(Seat(origins=(pages.origin,), reuse=True)) as page:
            view = own_worker.run(page.open(f"{pages.origin}/quiet"), 30)
            Visit(own_worker, page, view)
            own_worker.run(
                page.evaluate(
                    "() => { document.cookie='a=1'; localStorage.a=1; sessionStorage.a=1; name='a'; }"
                ),
                10,
            )
            contexts.add(page.context)

    contexts: set[object] = set()
    for _ in range(3):
        quiet()
    assert len(contexts) == 1


def test_pages_that_start_over_in_place_share_one_context_and_are_emptied_for_another_place(
    own_worker: BrowserWorker, pages: PageServer
) -> None:
    pages.routes |= {path: f"<title>{path}</title>" for path in ("/a", "/b")}
    contexts, left = set(), []
    for path in ("/a", "/a", "/b", "/a"):
        url = f"{pages.origin}{path}"
        with own_worker.seat(Seat(origins=(pages.origin,), reuse=True, in_place=url)) as page:
            view = own_worker.run(page.open(url), 30)
            assert view.look.title == path
            left.append(own_worker.run(page.evaluate("() => __rlaios.leftOver()"), 10))
            own_worker.run(page.evaluate("() => { localStorage.a = 1; }"), 10)
            contexts.add(page.context)
    assert len(contexts) == 1
    assert left == ["", "localStorage", "", ""]


def test_a_browser_that_was_asked_for_and_does_not_start_is_one_clear_line() -> None:
    worker = BrowserWorker(WorkerSettings(executable="/nowhere/chromium"))
    try:
        with pytest.raises(BrowserMissingError, match=r"/nowhere/chromium does not start .*RLAIOS_CHROMIUM"):
            _ = worker.build
    finally:
        worker.close()


def test_the_worker_runs_inside_an_event_loop(own_worker: BrowserWorker, pages: PageServer) -> None:
    async def inside() -> bool:
        return works(own_worker, pages)

    assert asyncio.run(inside())
