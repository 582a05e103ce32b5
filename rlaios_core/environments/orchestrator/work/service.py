"""The loopback HTTP service that programs call: it really fails, throttles and lets credentials expire.

Its state is plain data. After every request the whole state is appended to a ledger in shared memory, so the
service may be killed at any moment: what it had answered is known.

State (all parts optional): `now` (seconds), `messages` (words for error bodies), `tokens` {token: {subject,
expires, renewable}}, `lockout` {failures, limit}, `faults` [{method, path, left, status, apply}] (`left` -1:
for ever; status 0: the connection is reset; `apply`: the request takes effect all the same), `upstreams`
{name: {state, left, body}}, `notices` [...], `collections` {name: [...]}, `admin` (secret of the desk).
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

Append = Callable[[bytes], bool]
_TOKEN_SECONDS = 3600
_CLIENT_SECONDS = 15.0
_LARGEST_BODY = 1 << 20


class _Reset(Exception):
    """The connection is to be dropped without an answer."""


class _Refusal(Exception):
    """An answer that is not a success."""

    def __init__(self, status: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": message, **more}


class Desk:
    """The service's rules, on its state; knows nothing of HTTP beyond methods, paths and status codes."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state

    def handle(self, method: str, path: str, token: str, body: Any) -> tuple[int, Any]:
        """The answer to a request; raises `_Refusal` or `_Reset`."""
        fault = self._fault(method, path)
        if fault is not None and not fault.get("apply"):
            self._fail(fault)
        answer = self._route(method, path, token, body)
        if fault is not None:
            self._fail(fault)
        return answer

    def _fault(self, method: str, path: str) -> dict[str, Any] | None:
        for fault in self.state.get("faults", []):
            if fault["method"] == method and path.startswith(fault["path"]) and fault["left"] != 0:
                if fault["left"] > 0:
                    fault["left"] -= 1
                found: dict[str, Any] = fault
                return found
        return None

    def _fail(self, fault: dict[str, Any]) -> None:
        if fault["status"] == 0:
            raise _Reset
        raise _Refusal(fault["status"], self._say(str(fault["status"])))

    def _say(self, key: str) -> str:
        return str(self.state.get("messages", {}).get(key, f"status {key}"))

    def _route(self, method: str, path: str, token: str, body: Any) -> tuple[int, Any]:
        _, area, *rest = path.split("/")
        name = rest[0] if rest else ""
        match method, area:
            case "GET", "whoami":
                return 200, self._account(token, counts=False)
            case "POST", "token":
                return 201, self._renew(body)
            case "POST", "grants":
                return 201, self._issue(body)
            case "GET", "health":
                return 200, self._health()
            case "GET", "notices":
                return 200, self.state.get("notices", [])
            case "GET", "feeds":
                return 200, self._feed(name)
            case "GET", "collections":
                return 200, self.state.setdefault("collections", {}).get(name, [])
            case "POST", "collections":
                self._account(token, counts=True)
                self.state.setdefault("collections", {}).setdefault(name, []).extend(body)
                return 201, {"accepted": len(body)}
        raise _Refusal(404, self._say("404"))

    def _account(self, token: str, *, counts: bool) -> dict[str, Any]:
        lockout = self.state.get("lockout", {})
        if lockout and lockout["failures"] >= lockout["limit"]:
            raise _Refusal(423, self._say("423"))
        account = self.state.get("tokens", {}).get(token)
        if account is not None and account["expires"] > self.state["now"]:
            return {"subject": account["subject"], "expires_in": account["expires"] - self.state["now"]}
        if counts and lockout:
            lockout["failures"] += 1
        if account is None:
            raise _Refusal(403, self._say("403"))
        raise _Refusal(401, self._say("401"), renewable=account["renewable"])

    def _renew(self, body: Any) -> dict[str, Any]:
        account = self.state.get("tokens", {}).get(body.get("token"))
        if account is None or not account["renewable"]:
            raise _Refusal(403, self._say("no_grant"))
        return self._new_token(account["subject"])

    def _issue(self, body: Any) -> dict[str, Any]:
        if not self.state.get("admin") or body.get("admin") != self.state["admin"]:
            raise _Refusal(403, self._say("403"))
        return self._new_token(body["subject"])

    def _new_token(self, subject: str) -> dict[str, Any]:
        tokens = self.state["tokens"]
        token = f"{subject}-{len(tokens) + 1}"
        expires = self.state["now"] + _TOKEN_SECONDS
        tokens[token] = {"subject": subject, "expires": expires, "renewable": False}
        self.state.get("lockout", {}).update(failures=0)
        return {"token": token}

    def _health(self) -> dict[str, str]:
        states = {}
        for name, upstream in self.state.get("upstreams", {}).items():
            # Asking takes time, and with it a slow upstream gets ready.
            if upstream["state"] == "building" and upstream["left"] > 0:
                upstream["left"] -= 1
                if upstream["left"] == 0:
                    upstream["state"] = "ready"
            states[name] = upstream["state"]
        return states

    def _feed(self, name: str) -> dict[str, str]:
        upstream = self.state.get("upstreams", {}).get(name)
        if upstream is None:
            raise _Refusal(404, self._say("404"))
        if upstream["state"] != "ready":
            raise _Refusal(424, self._say("424"), state=upstream["state"])
        return {"body": upstream["body"]}


def serve(listener: socket.socket, state: dict[str, Any], append: Append) -> None:
    """Answer connections one after another, for ever."""
    desk = Desk(state)

    class Handler(BaseHTTPRequestHandler):
        timeout = _CLIENT_SECONDS

        def handle_any(self) -> None:
            status, body = 500, {"error": "internal"}
            try:
                length = min(int(self.headers.get("content-length") or 0), _LARGEST_BODY)
                sent = json.loads(self.rfile.read(length)) if length else None
                status, body = desk.handle(self.command, self.path, self.headers.get("x-token", ""), sent)
            except _Refusal as refusal:
                status, body = refusal.status, refusal.body
            except _Reset:
                status = 0
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                status, body = 400, {"error": f"bad request: {type(error).__name__}"}
            # Written before the answer is sent: a client that has it can rely on its being kept.
            request = [self.command, self.path, status]
            append(json.dumps({"request": request, "state": state}).encode() + b"\n")
            if status:
                self._reply(status, json.dumps(body).encode())

        def _reply(self, status: int, body: bytes) -> None:
            self.send_response_only(status)
            if status in (429, 503):
                self.send_header("Retry-After", "1")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = handle_any

    class Server(HTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that went away is no news."""

    server = Server(("127.0.0.1", 0), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    server.server_name, server.server_port = listener.getsockname()[:2]
    while True:
        server.handle_request()
