"""Public tasks: the pages of the `miniwob` package, with utterance, reward and end from their own API.

MiniWoB++ (Shi et al. 2017, Liu et al. 2018). The tasks are a fixed list, in `miniwob_tasks.json`: pages with
controls that have roles or listeners, divided into tasks for training and tasks that training never sees.
"""

import functools
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rlaios_core.environments.base import UnavailableError
from rlaios_core.environments.browser.driver import (
    DriverError,
    DriverFailure,
    EpisodePage,
    Look,
    Seat,
    StepView,
)
from rlaios_core.environments.browser.driver.seat import Limits
from rlaios_core.environments.browser.matching import Entry
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.rules import Rules
from rlaios_core.environments.browser.worlds.base import Run, Standing
from rlaios_core.environments.browser.worlds.miniwob_guide import solved_by
from rlaios_core.schema import Action, Split, Task, content_hash, derive_seed

_EXCLUDED = "#query,#reward-display,#click-canvas,#sync-task-cover"
_START = """async ([seed, mode]) => {
    if (!window.core || !window.core.startEpisodeReal) return null;
    if (core.cover_div == null) core.startEpisode();
    Math.seedrandom(seed);
    core.EPISODE_MAX_TIME = 1e6;
    core.setDataMode(mode);
    core.startEpisodeReal();
    for (let i = 0; i < 300 && !WOB_TASK_READY; i++) await new Promise((resolve) => setTimeout(resolve, 10));
    const said = core.getUtterance();
    return typeof said === 'string' ? said : said.utterance;
}"""
_STATE = "() => [WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL]"
_TASKS_WITH_DATA_SPLIT = ("click-checkboxes-transfer", "click-test-transfer")
_QUOTED = re.compile(r'(\w+)?\W*"([^"]+)"')
_BARE = re.compile(r"\b(\d{1,2}/\d{1,2}/\d{4}|\d{1,2}:\d{2})\b")
_MOVIE = re.compile(r"Search for (?P<genre>\w+) movies directed by (?P<director>\w+) from year (?P<year>\d+)")
BUDGET = 14


@functools.lru_cache(maxsize=1)
def task_lists() -> Mapping[str, Sequence[str]]:
    """Tasks to train on, to tune on and to be measured on."""
    lists: dict[str, list[str]] = json.loads(
        (Path(__file__).parent / "miniwob_tasks.json").read_text("utf-8")
    )
    return lists


def pages_folder() -> Path:
    """Where the package keeps its pages. Raises `UnavailableError` when it is not installed."""
    spec = find_spec("miniwob")
    if spec is None or not spec.submodule_search_locations:
        raise UnavailableError("the public tasks need the miniwob package: pip install 'rlaios[miniwob]'")
    return Path(spec.submodule_search_locations[0]) / "html"


def payload_of(utterance: str) -> dict[str, Entry]:
    """What the utterance gives to enter: quoted texts, called by the word before them, dates and times."""
    entries: dict[str, Entry] = {}
    movie = _MOVIE.search(utterance)
    found = (
        movie.groupdict().items() if movie else [(m[1] or "text", m[2]) for m in _QUOTED.finditer(utterance)]
    )
    for name, value in found:
        key = name.lower() if name.lower() not in entries else f"{name.lower()} {len(entries) + 1}"
        entries[key] = Entry(value)
    for value in _BARE.findall(utterance):
        entries["time" if ":" in value else "date"] = Entry(value)
    return entries


class MiniWobWorld:
    """One page, one seed."""

    authentication = "none"
    wants_handoff = False
    budget = BUDGET

    def __init__(self, name: str, seed: int, mode: str, origin: str, *, reuse: bool) -> None:
        self._name = name
        self._seed = seed
        self._mode = mode
        self._origin = origin
        self._reuse = reuse
        self._done = False
        self._reward = 0.0
        self.utterance = ""
        self.rules = self._rules("")

    @property
    def start_url(self) -> str:
        """The task's page."""
        return f"{self._origin}/miniwob/{self._name}.html"

    def seat(self) -> Seat:
        """The pages' own origin; what is not part of the task is left out of observations."""
        return Seat(
            origins=(self._origin,),
            limits=Limits(exclude=_EXCLUDED),
            reuse=self._reuse,
            in_place=self.start_url if self._reuse else "",
        )

    def pins(self) -> Mapping[str, str]:
        """Page, seed and data mode fix a task."""
        return {
            "flow": content_hash([self._name, self._mode]),
            "seed": str(self._seed),
            "startUrl": self._name,
            "authentication": "none",
            "payload": content_hash(self.utterance),
            "clock": "none",
        }

    def started(self, page: EpisodePage, view: StepView, run: "Run[Any]") -> StepView:  # noqa: ARG002
        """Start the page's episode with our seed, and learn what it asks for."""
        said = run(page.evaluate(_START, [str(self._seed), self._mode]))
        if not isinstance(said, str):
            raise DriverError(DriverFailure.START, f"{self._name} did not start")
        self.utterance = " ".join(said.split())
        self.rules = self._rules(self.utterance)
        fresh: StepView = run(page.look())
        return fresh

    def observed(self, page: EpisodePage, view: StepView, run: "Run[Any]") -> None:  # noqa: ARG002
        """Ask the page whether its episode is over."""
        self._done, self._reward = run(page.evaluate(_STATE))

    def standing(self) -> Standing:
        """The page's own verdict: its reward without the time penalty."""
        return Standing(0, 1, ended=self._done, score=max(-1.0, min(1.0, float(self._reward))))

    def right_action(self, look: Look, actions: Sequence[Action], memory: Memory) -> int | None:
        """What the task's script would do."""
        return solved_by(self._name, self.utterance, look, actions, memory)

    def _rules(self, utterance: str) -> Rules:
        return Rules(
            instruction=utterance or self._name,
            payload=payload_of(utterance),
            origins=(self._origin,),
            sensitive=frozenset(),
            handoff=False,
            stop=False,
        )


class MiniWobSource:
    """The fixed list of tasks, served from the installed package. Splits differ in tasks, or in seeds."""

    name = "miniwob"

    def __init__(self, *, reuse: bool = False) -> None:
        self._folder = pages_folder()
        self._reuse = reuse
        self._server: ThreadingHTTPServer | None = None
        self._lock = threading.Lock()

    def hosts(self) -> tuple[str, ...]:
        """Loopback only."""
        return ("127.0.0.1",)

    def sample(self, split: Split, index: int, seed: int) -> Task:
        """A page and a seed. `held_out_variant` has the training pages with seeds of its own."""
        lists = task_lists()
        names = {
            Split.TRAIN: lists["train"],
            Split.HELD_OUT_VARIANT: lists["train"],
            Split.HELD_OUT: lists["held_out"],
        }.get(split, lists["final"])
        name = names[index % len(names)]
        payload = {
            "source": self.name,
            "page": name,
            "seed": derive_seed("miniwob", split.value, index, seed),
        }
        payload["mode"] = "train" if split is Split.TRAIN else "test"
        return Task(
            task_id=f"browser-{content_hash(payload)}",
            environment="browser",
            family=name,
            split=split,
            seed=seed,
            index=index,
            instruction=name,
            payload=payload,
        )

    @contextmanager
    def world(self, task: Task) -> Iterator[MiniWobWorld]:
        """The task's page."""
        with self._lock:
            self._server = self._server or _serve(self._folder)
            origin = f"http://127.0.0.1:{self._server.server_port}"
        name = str(task.payload["page"])
        mode = str(task.payload["mode"]) if name in _TASKS_WITH_DATA_SPLIT else "default"
        yield MiniWobWorld(name, int(task.payload["seed"]), mode, origin, reuse=self._reuse)

    def close(self) -> None:
        """Stop serving."""
        with self._lock:
            if self._server is not None:
                self._server.shutdown()
                self._server.server_close()
                self._server = None


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30.0
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".html": "text/html; charset=utf-8"}  # noqa: RUF012

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in mid-answer is nothing to report."""


def _serve(folder: Path) -> ThreadingHTTPServer:
    server = _Server(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, args=(0.2,), name="browser-miniwob", daemon=True).start()
    return server
