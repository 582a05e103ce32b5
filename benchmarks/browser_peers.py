"""The same five public tasks, seeds and scripted actions in BrowserGym, MiniWoB++'s Selenium, and here.

Each peer runs in a virtual environment of its own (made below var/peers the first time), with the same
browser. BrowserGym launches two browsers a reset, so it is set against our fresh contexts; its step also
carries a screenshot, a DOM snapshot and the accessibility tree. MiniWoB++ starts over in place and records no
screenshots here, so it is set against our restart in place. Run it with `make bench-browser-peers`. The last
line is one JSON object.
"""

import argparse
import functools
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.peers.script import TASKS, solution
from rlaios_core.environments.browser.driver import BrowserWorker, Control, StepView
from rlaios_core.environments.browser.driver.chromium import system_browsers
from rlaios_core.environments.browser.worlds.miniwob import MiniWobSource, MiniWobWorld, pages_folder
from rlaios_core.schema import Split, Task

PACKAGES = {
    "browsergym": ("browsergym-core==0.14.3", "browsergym-miniwob==0.14.3"),
    "selenium": ("miniwob==1.1.0",),
}
OVER_BROWSERGYM, OVER_SELENIUM = 5.0, 2.0
STEP_SECONDS = 60.0
ROOT = Path("var/peers")
SIDES = Path(__file__).parent / "peers"


def python_of(peer: str) -> Path:
    """The peer's interpreter; its environment is made when there is none."""
    folder = ROOT / peer
    python = folder / "bin" / "python"
    if not (folder / ".installed").exists():
        print(f"installing {peer} into {folder}", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES[peer]], check=True, timeout=1200)
        (folder / ".installed").touch()
    return python


def chromedriver() -> str:
    """Selenium's driver of the system's Chromium; installed where there is none and root may do so."""
    name, package = "chromedriver", "chromium-driver"
    if shutil.which(name) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", package], check=True, timeout=600, stdout=sys.stderr
        )
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"there is no {name}; install it by hand (Debian: apt-get install {package})")
    return found


def run_peer(peer: str, episodes: int, browser: str, pages: str) -> dict[str, Any]:
    """The peer's times, or what kept it from running."""
    try:
        python = python_of(peer)
        variables = {**os.environ, "MINIWOB_URL": f"{pages}/miniwob/"}
        if peer == "selenium":
            variables |= {"MINIWOB_CHROME_BINARY": browser, "MINIWOB_CHROMEDRIVER": chromedriver()}
        command = [str(python), str(SIDES / f"{peer}_side.py"), str(episodes), browser]
        done = subprocess.run(
            command, env=variables, capture_output=True, text=True, timeout=1200, check=True
        )
        return summary(json.loads(done.stdout.splitlines()[-1]))
    except subprocess.CalledProcessError as error:
        return {"failed": (error.stderr or str(error)).strip().splitlines()[-1][:300]}
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        return {"failed": f"{type(error).__name__}: {error}"[:300]}


def summary(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Steps and episodes a second of pure stepping and resetting, medians in milliseconds."""
    seconds = sum(raw["resets"]) + sum(raw["steps"])
    return {
        "stepsPerSecond": round(len(raw["steps"]) / seconds, 2),
        "episodesPerSecond": round(raw["episodes"] / seconds, 2),
        "resetMs": round(statistics.median(raw["resets"]) * 1000, 1),
        "stepMs": round(statistics.median(raw["steps"]) * 1000, 1),
        "success": raw["successes"] / raw["episodes"],
        "episodes": raw["episodes"],
    }


def kinds(control: Control) -> str:
    """A control's kind as the script calls it."""
    if control.role == "textbox":
        return "password" if control.secret else "text"
    return control.role


def ours(episodes: int, *, in_place: bool) -> dict[str, Any]:
    """Our own driver on the same tasks: a fresh context for every episode, or restarts in place."""
    source = MiniWobSource(reuse=in_place)
    worker = BrowserWorker()
    raw: dict[str, Any] = {"resets": [], "steps": [], "successes": 0, "episodes": 0}
    try:
        for task in TASKS:
            play(worker, source, task, 0)  # warms up, as the peers' first reset of a task does
            for seed in range(episodes):
                reset, steps, won = play(worker, source, task, seed)
                raw["resets"].append(reset)
                raw["steps"] += steps
                raw["successes"] += won
                raw["episodes"] += 1
    finally:
        worker.close()
        source.close()
    return summary(raw)


def play(
    worker: BrowserWorker, source: MiniWobSource, name: str, seed: int
) -> tuple[float, list[float], int]:
    """One episode: seconds of the reset, of each step, and whether it succeeded."""
    payload = {"source": "miniwob", "page": name, "seed": seed, "mode": "train"}
    task = Task(
        task_id=f"{name}-{seed}", environment="browser", family=name, split=Split.TRAIN, seed=seed, index=0,
        instruction=name, payload=payload,
    )  # fmt: skip

    def run(work: Any) -> Any:
        return worker.run(work, STEP_SECONDS)

    with source.world(task) as world:
        assert isinstance(world, MiniWobWorld)
        begun = time.perf_counter()
        with worker.seat(world.seat()) as page:
            view: StepView = world.started(page, run(page.open(world.start_url)), run)
            reset = time.perf_counter() - begun
            shown = [(c.signature, kinds(c), c.name) for c in view.look.controls]
            steps = []
            for step in solution(name, world.utterance, shown):
                control = next(c for c in view.look.controls if c.signature == step[1])
                begun = time.perf_counter()
                view = run(page.click(control) if step[0] == "click" else page.fill(control, step[2]))
                world.observed(page, view, run)
                steps.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            won = int(world.standing().achieved)
        # Giving the context back belongs to a reset.
        reset += time.perf_counter() - begun
    return reset, steps, won


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def main() -> None:
    """All sides in turn, several rounds; the best round of each counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=5, help="per task and round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--skip", default="", help="peers to leave out, by commas")
    sizes = parser.parse_args()
    browser = system_browsers()[0]
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(pages_folder())))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages = f"http://127.0.0.1:{server.server_port}"
    rounds: list[dict[str, Any]] = []
    for _ in range(sizes.rounds):
        found = {
            "freshContexts": ours(sizes.episodes, in_place=False),
            "inPlace": ours(sizes.episodes, in_place=True),
        }
        for peer in PACKAGES:
            if peer not in sizes.skip.split(","):
                found[peer] = run_peer(peer, sizes.episodes, browser, pages)
        rounds.append(found)
        print(json.dumps(found), flush=True)
    print(json.dumps(report(rounds, browser)))


def report(rounds: list[dict[str, Any]], browser: str) -> dict[str, Any]:
    """Ratios of steps a second, within each round; the median round counts."""

    def ratio(mine: str, peer: str) -> float | None:
        pairs = [
            found[mine]["stepsPerSecond"] / found[peer]["stepsPerSecond"]
            for found in rounds
            if "stepsPerSecond" in found.get(peer, {})
        ]
        return round(statistics.median(pairs), 2) if pairs else None

    over_browsergym, over_selenium = ratio("freshContexts", "browsergym"), ratio("inPlace", "selenium")
    played = [side for found in rounds for side in found.values() if "success" in side]
    return {
        "name": "browser-peers",
        "value": rounds[-1]["freshContexts"]["stepsPerSecond"],
        "baseline": rounds[-1].get("browsergym", {}).get("stepsPerSecond"),
        "ratio": over_browsergym,
        "target": OVER_BROWSERGYM,
        "ok": bool(over_browsergym and over_browsergym >= OVER_BROWSERGYM)
        and bool(over_selenium and over_selenium >= OVER_SELENIUM)
        and all(side["success"] == 1.0 for side in played),
        "details": {
            "overSelenium": over_selenium,
            "overSeleniumTarget": OVER_SELENIUM,
            "rounds": rounds,
            "browser": browser,
            "load": os.getloadavg(),
        },
    }


if __name__ == "__main__":
    main()
