"""How fast the browser environment is: episodes a second, and the time of a look.

A flow of five inputs (three fields, a list, a button) over real HTTP is played in three ways in turn: with
fresh contexts, with contexts emptied in between, and the naive way (a fresh context, Playwright's locators
and accessibility snapshots), each on two threads over one browser. Then a look at a form and at a page of
200 links is timed against Playwright's own snapshot. Beside the clock, CPU milliseconds of the whole process
tree are given: they tell more on a machine that others use too. Run it with `make bench-browser-speed`. The
last line is one JSON object.
"""

import argparse
import asyncio
import json
import os
import statistics
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from rlaios_core.environments.browser.driver import BrowserWorker, EpisodePage, Seat, StepView, owned
from rlaios_core.process_table import stat_fields

FRESH_TARGET, SOFT_TARGET = 5.0, 10.0
FORM_TARGET_MS, LINKS_TARGET_MS = 3.0, 25.0
THREADS = 2
STEP_SECONDS = 60.0
FORM = """<!doctype html><title>Form</title><h1>Details</h1><form method=post action=/done aria-label=Details>
<label>First name <input name=first></label><label>Last name <input name=last></label>
<label>Email <input name=email type=email></label>
<label>Country <select name=country><option>Chile<option>Peru</select></label>
<label><input type=checkbox name=news> Send me news</label><button>Send</button>
<a href=/help>Help</a><a href=/about>About</a></form>"""
DONE = "<!doctype html><title>Done</title><p role=status>Thank you</p>"
LINKS = "<!doctype html><title>Links</title>" + "".join(
    f"<p>Paragraph {i} with <a href=/p{i}>link number {i}</a></p>" for i in range(200)
)
VALUES = {"First name": "Mara", "Last name": "Keller", "Email": "mara@post.example"}


class Site:
    """The flow's server; it counts what arrived complete."""

    def __init__(self) -> None:
        self.received = 0
        site = self

        class _Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_GET(self) -> None:
                self._send(LINKS if self.path == "/links" else FORM)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                site.received += int("first=Mara" in body and "country=Peru" in body)
                self._send(DONE)

            def _send(self, text: str) -> None:
                self.send_response_only(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())
                self.wfile.flush()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server.server_port}"


def named(view: StepView, name: str) -> Any:
    return next(control for control in view.look.controls if control.name == name)


def ours(worker: BrowserWorker, site: Site, *, reuse: bool) -> None:
    """The flow through the driver: six looks, five inputs."""
    with worker.seat(Seat(origins=(site.origin,), reuse=reuse)) as page:
        view = worker.run(page.open(f"{site.origin}/"), STEP_SECONDS)
        for name, value in VALUES.items():
            view = worker.run(page.fill(named(view, name), value), STEP_SECONDS)
        view = worker.run(page.select(named(view, "Country"), "Peru"), STEP_SECONDS)
        view = worker.run(page.click(named(view, "Send")), STEP_SECONDS)
        assert view.look.title == "Done"


def naive(worker: BrowserWorker, site: Site) -> None:
    """The same flow with Playwright's locators and snapshots."""

    async def play() -> None:
        current: Any = worker._current
        browser: Any = current._browser
        context = await browser.new_context()
        page = await context.new_page()
        await page.goto(f"{site.origin}/")
        for name, value in VALUES.items():
            await page.aria_snapshot()
            await page.get_by_label(name).fill(value)
        await page.aria_snapshot()
        await page.get_by_label("Country").select_option("Peru")
        await page.aria_snapshot()
        await page.get_by_role("button", name="Send").click()
        await page.wait_for_url("**/done")
        await page.aria_snapshot()
        await context.close()

    worker.run(play(), STEP_SECONDS)


def cpu_seconds() -> float:
    """CPU time of this process and everything below it, ended renderers included."""
    total = 0
    for process in [owned.identify(os.getpid()), *owned.descendants(os.getpid())]:
        if process is None:
            continue
        fields = stat_fields(process.pid)
        if fields is not None:
            # Of ourselves only what we used: our children are counted as they run.
            mine = fields[11:13] if process.pid == os.getpid() else fields[11:15]
            total += sum(map(int, mine))
    return total / os.sysconf("SC_CLK_TCK")


def rate(play: Callable[[], None], episodes: int) -> dict[str, float]:
    """Episodes a second on two threads, and CPU milliseconds an episode."""
    play()
    before, started = cpu_seconds(), time.monotonic()
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda _: play(), range(episodes)))
    seconds = time.monotonic() - started
    return {
        "episodesPerSecond": round(episodes / seconds, 2),
        "cpuMs": round((cpu_seconds() - before) / episodes * 1000, 1),
    }


def look_times(worker: BrowserWorker, site: Site, path: str, count: int) -> dict[str, float]:
    """Milliseconds of a look and of Playwright's snapshot, best and median, in turn."""
    mine: list[float] = []
    theirs: list[float] = []

    async def once(page: EpisodePage) -> None:
        begun = time.perf_counter()
        await page._read()
        mine.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        await page.page.aria_snapshot()
        theirs.append(time.perf_counter() - begun)

    async def several(page: EpisodePage) -> None:
        for _ in range(count):
            await once(page)
            await asyncio.sleep(0)

    with worker.seat(Seat(origins=(site.origin,))) as page:
        worker.run(page.open(f"{site.origin}{path}"), STEP_SECONDS)
        worker.run(several(page), 300.0)
    return {
        "best": round(min(mine) * 1000, 2),
        "median": round(statistics.median(mine) * 1000, 2),
        "snapshotBest": round(min(theirs) * 1000, 2),
        "snapshotMedian": round(statistics.median(theirs) * 1000, 2),
    }


def main() -> None:
    """Play in turn, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=20, help="episodes per way and round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--looks", type=int, default=60)
    sizes = parser.parse_args()
    worker, site = BrowserWorker(), Site()
    ways: dict[str, Callable[[], None]] = {
        "fresh": lambda: ours(worker, site, reuse=False),
        "soft": lambda: ours(worker, site, reuse=True),
        "naive": lambda: naive(worker, site),
    }
    rounds: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    try:
        build = worker.build
        for _ in range(sizes.rounds):
            for name, play in ways.items():
                rounds[name].append(rate(play, sizes.episodes))
                print(name, rounds[name][-1], flush=True)
        form = look_times(worker, site, "/", sizes.looks)
        links = look_times(worker, site, "/links", sizes.looks)
    finally:
        worker.close()
    best = {name: max(run["episodesPerSecond"] for run in runs) for name, runs in rounds.items()}
    cpu = {name: min(run["cpuMs"] for run in runs) for name, runs in rounds.items()}
    print(
        json.dumps(
            {
                "name": "browser-speed",
                "value": best["fresh"],
                "baseline": best["naive"],
                "ratio": round(best["fresh"] / best["naive"], 2),
                "target": FRESH_TARGET,
                "ok": best["fresh"] >= FRESH_TARGET
                and best["soft"] >= SOFT_TARGET
                and form["median"] <= FORM_TARGET_MS
                and links["median"] <= LINKS_TARGET_MS,
                "details": {
                    "bestEpisodesPerSecond": best,
                    "leastCpuMsPerEpisode": cpu,
                    "softTarget": SOFT_TARGET,
                    "lookFormMs": {**form, "target": FORM_TARGET_MS},
                    "look200LinksMs": {**links, "target": LINKS_TARGET_MS},
                    "rounds": rounds,
                    "browser": f"{build.source} {build.path} {build.version}",
                    "load": os.getloadavg(),
                },
            }
        )
    )


if __name__ == "__main__":
    main()
