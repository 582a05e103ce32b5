"""Whether kills are survived: episodes on the bundled site while renderer, browser and driver die at random.

First undisturbed episodes (void ones are the environment's own doing), then as many with random kills. Every
fault must be typed, every other episode must end with a verdict, and after closing no process, profile,
record or port may be left. Run it with `make bench-browser-faults`. The last line is one JSON object.
"""

import argparse
import json
import os
import random
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from rlaios_core.environments import EnvironmentFault, Play
from rlaios_core.environments.browser import create
from rlaios_core.environments.browser.driver import owned
from rlaios_core.environments.browser.environment import BrowserEnvironment
from rlaios_core.schema import Episode, Policy, Split

VOID_TARGET = 0.005
KINDS = ("renderer", "browser", "driver")


def kind_of(process: owned.Process) -> str:
    """Which of the worker's processes this is."""
    with suppress(OSError):
        line = Path(f"/proc/{process.pid}/cmdline").read_text("utf-8", "replace")
        if "--type=renderer" in line:
            return "renderer"
        if "--type=" in line:
            return "other"
        return "driver" if "run-driver" in line else "browser"
    return "gone"


class Killer:
    """Kills one process of a random kind every `seconds` on average."""

    def __init__(self, seed: int, seconds: float) -> None:
        self._rng = random.Random(seed)
        self._seconds = seconds
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.kills: Counter[str] = Counter()

    def __enter__(self) -> "Killer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(self._rng.expovariate(1 / self._seconds)):
            wanted = self._rng.choice(KINDS)
            victims = [p for p in owned.descendants(os.getpid()) if kind_of(p) == wanted]
            if victims:
                with suppress(ProcessLookupError):
                    os.kill(self._rng.choice(victims).pid, signal.SIGKILL)
                    self.kills[wanted] += 1


def play(
    environment: BrowserEnvironment, policy: Policy, count: int, threads: int, seed: int
) -> dict[str, Any]:
    """Episodes with one policy; what came of them."""
    outcomes: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    untyped: list[str] = []

    def one(index: int) -> None:
        task = environment.sample_task(Split.TRAIN, index, seed)
        try:
            episode: Episode = environment.run_episode(task, policy, Play("faults", 0, "me", index))
            outcomes[episode.outcome.value] += 1
        except EnvironmentFault as fault:
            faults[f"{fault.boundary.value}: {fault.message.partition(':')[0]}"] += 1
        except Exception as error:  # noqa: BLE001 - what is counted here is exactly what should not be
            untyped.append(f"{type(error).__name__}: {error}"[:200])

    started = time.monotonic()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, range(count)))
    return {
        "episodes": count,
        "outcomes": dict(outcomes),
        "faults": dict(faults),
        "untyped": untyped,
        "void": round((sum(faults.values()) + len(untyped)) / count, 4),
        "seconds": round(time.monotonic() - started, 1),
    }


def left_over(processes: Sequence[owned.Process], ports: Sequence[int]) -> dict[str, int]:
    """What is still there after closing."""
    deadline = time.monotonic() + 10.0
    while any(owned.alive(p) for p in processes) and time.monotonic() < deadline:
        time.sleep(0.1)
    mine = [path for path in owned.folder().iterdir() if path.name.startswith(f"{os.getpid()}-")]
    return {
        "processes": sum(owned.alive(p) for p in processes) + len(owned.descendants(os.getpid())),
        "profiles": len(mine),
        "ports": sum(_listens(port) for port in ports),
    }


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def main() -> None:
    """Undisturbed, then with kills; then look for what is left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--episodes", type=int, default=1000, help="in all: half undisturbed, half with kills"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between kills on average")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--policy", default="oracle", choices=("oracle", "random", "heuristic"))
    sizes = parser.parse_args()
    environment = create(screenshots=0)
    half = max(1, sizes.episodes // 2)
    policy = environment.baselines([])[sizes.policy]
    seen: list[owned.Process] = []
    try:
        calm = play(environment, policy, half, sizes.threads, sizes.seed)
        print(json.dumps(calm), flush=True)
        server: Any = environment._sources["site"]
        ports = [s.server_port for s in server._server._servers]
        with Killer(sizes.seed, sizes.every) as killer:
            disturbed = play(environment, policy, half, sizes.threads, sizes.seed + 1)
        print(json.dumps(disturbed), flush=True)
        after = play(environment, policy, 10, sizes.threads, sizes.seed + 2)
        seen = owned.descendants(os.getpid())
    finally:
        environment.close()
    left = left_over(seen, ports)
    untyped = len(calm["untyped"]) + len(disturbed["untyped"]) + len(after["untyped"])
    ok = calm["void"] < VOID_TARGET and after["void"] == 0 and untyped == 0 and not any(left.values())
    print(
        json.dumps(
            {
                "name": "browser-faults",
                "value": calm["void"],
                "baseline": disturbed["void"],
                "ratio": None,
                "target": VOID_TARGET,
                "ok": ok,
                "details": {
                    "undisturbed": calm,
                    "withKills": disturbed,
                    "kills": dict(killer.kills),
                    "afterwards": after,
                    "left": left,
                    "load": os.getloadavg(),
                },
            }
        )
    )


if __name__ == "__main__":
    main()
