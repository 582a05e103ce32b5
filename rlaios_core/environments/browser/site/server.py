"""The site's HTTP server: loopback only, one scenario per episode, told apart by a header.

The header is added by the browser's driver to every request of a context; a page can neither read nor
lose it. Verdicts are read from the scenario object, not over HTTP.
"""

import contextlib
import secrets
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from rlaios_core.environments.browser.site.scenario import Reply, Scenario, sleep_for

HEADER = "X-Episode"
_MAX_BODY = 1 << 20
_IDLE_SECONDS = 30.0


class SiteServer:
    """Serves scenarios on two origins: the site's own, and a partner's for what is embedded or linked."""

    def __init__(self) -> None:
        self._scenarios: dict[str, Scenario] = {}
        self._servers = [_Server(self._scenarios), _Server(self._scenarios)]
        self._threads = [
            threading.Thread(target=server.serve_forever, args=(0.2,), name="browser-site", daemon=True)
            for server in self._servers
        ]
        for thread in self._threads:
            thread.start()

    @property
    def origin(self) -> str:
        """The site's origin."""
        return f"http://127.0.0.1:{self._servers[0].server_port}"

    @property
    def partner(self) -> str:
        """The partner's origin."""
        return f"http://127.0.0.1:{self._servers[1].server_port}"

    @contextmanager
    def hosting(self, scenario: Scenario) -> Iterator[str]:
        """Serve a scenario; gives the header's value that leads to it."""
        token = secrets.token_hex(12)
        scenario.home, scenario.partner = self.origin, self.partner
        self._scenarios[token] = scenario
        try:
            yield token
        finally:
            self._scenarios.pop(token, None)

    def close(self) -> None:
        """Stop serving and free the ports."""
        for server in self._servers:
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join(2.0)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, scenarios: Mapping[str, Scenario]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.scenarios = scenarios

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in mid-answer is nothing to report."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    # One write per answer: with two, the second waits for the client's delayed acknowledgement.
    wbufsize = -1
    server: _Server

    def setup(self) -> None:
        """As the base class does, without waiting to fill packets."""
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def do_GET(self) -> None:
        """Answer a GET."""
        self._answer("GET", {})

    def do_POST(self) -> None:
        """Answer a POST of a form."""
        length = min(int(self.headers.get("Content-Length") or 0), _MAX_BODY)
        body = self.rfile.read(length).decode("utf-8", "replace")
        self._answer("POST", dict(parse_qsl(body, keep_blank_values=True)))

    def _answer(self, method: str, form: Mapping[str, str]) -> None:
        scenario = self.server.scenarios.get(self.headers.get(HEADER, ""))
        parts = urlsplit(self.path)
        if scenario is None or parts.path == "/favicon.ico":
            reply = Reply(404)
        else:
            reply = scenario.respond(method, parts.path, dict(parse_qsl(parts.query)), form)
        sleep_for(reply)
        body = reply.body.encode()
        with contextlib.suppress(OSError):
            self.send_response_only(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            if not any(name == "Content-Type" for name, _ in reply.headers):
                self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Cache-Control", "no-store")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: forms may hold secrets."""
