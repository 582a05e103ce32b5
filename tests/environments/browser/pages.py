"""A server for made-up pages, and short ways to look at them and act on them."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from rlaios_core.environments.browser.driver import BrowserWorker, Control, EpisodePage, Seat, StepView

STEP_SECONDS = 40.0


@dataclass(frozen=True)
class Answer:
    """What a made-up server answers."""

    body: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    body_delay: float = 0.0


Handler = Callable[[str, dict[str, str]], Answer]


class PageServer:
    """Answers each path with a page or a function of method and form; keeps what was asked for."""

    def __init__(self) -> None:
        self.routes: dict[str, str | Answer | Handler] = {}
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        server = self

        class _Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_GET(self) -> None:
                self._answer("GET", {})

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                self._answer(
                    "POST", dict(parse_qsl(self.rfile.read(length).decode(), keep_blank_values=True))
                )

            def _answer(self, method: str, form: dict[str, str]) -> None:
                path = urlsplit(self.path).path
                server.asked.append((method, path, form))
                route = server.routes.get(path, Answer("", 404))
                answer = route(method, form) if callable(route) else route
                answer = Answer(answer) if isinstance(answer, str) else answer
                time.sleep(answer.delay)
                body = answer.body.encode()
                try:
                    self.send_response(answer.status)
                    headers = {"Content-Type": "text/html; charset=utf-8", **answer.headers}
                    for name, value in {**headers, "Content-Length": str(len(body))}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    if answer.body_delay:
                        self.wfile.flush()
                        time.sleep(answer.body_delay)
                    self.wfile.write(body)
                    self.wfile.flush()
                except OSError:
                    pass

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def count(self, method: str, path: str) -> int:
        return sum(asked[:2] == (method, path) for asked in self.asked)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Visit:
    """One page in play: the newest view, and ways to act on controls by name."""

    def __init__(self, worker: BrowserWorker, page: EpisodePage, view: StepView) -> None:
        self.worker = worker
        self.page = page
        self.view = view

    @property
    def names(self) -> list[str]:
        return [control.name for control in self.view.look.controls]

    @property
    def text(self) -> str:
        return " | ".join(line.text for line in self.view.look.lines)

    def find(self, name: str, nth: int = 1) -> Control:
        found = [control for control in self.view.look.controls if control.name == name]
        assert len(found) >= nth, f"no {name!r} among {self.names}"
        return found[nth - 1]

    def do(self, work: Any) -> StepView:
        self.view = self.worker.run(work, STEP_SECONDS)
        return self.view

    def click(self, name: str, nth: int = 1) -> StepView:
        return self.do(self.page.click(self.find(name, nth)))

    def fill(self, name: str, value: str) -> StepView:
        return self.do(self.page.fill(self.find(name), value))

    def wait(self, seconds: float = 0.25) -> StepView:
        return self.do(self.page.wait(seconds))

    def until(self, done: Callable[[], bool], seconds: float = 30.0) -> StepView:
        """Wait for something that a page does in its own time."""
        deadline = time.monotonic() + seconds
        while not done() and time.monotonic() < deadline:
            self.wait(0.1)
        return self.view


@contextmanager
def visiting(
    worker: BrowserWorker, server: PageServer, page: str | Answer | Handler | None = None, **seat: Any
) -> Iterator[Visit]:
    """Open a page at the server's front door."""
    if page is not None:
        server.routes["/"] = page
    origins = seat.pop("origins", (server.origin,))
    with worker.seat(Seat(origins=origins, **seat)) as episode_page:
        yield Visit(worker, episode_page, worker.run(episode_page.open(f"{server.origin}/"), STEP_SECONDS))
