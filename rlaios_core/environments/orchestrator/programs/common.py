"""What the programs share: a world's settings and words, the service's client, exit codes."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

DATA_ERROR = 65
UNAVAILABLE = 69
SOFTWARE = 70
CANNOT_CREATE = 73
TRY_AGAIN = 75
PROTOCOL = 76
NOT_PERMITTED = 77

_TIMEOUT_SECONDS = 15.0
_BY_STATUS = {
    0: TRY_AGAIN, 401: NOT_PERMITTED, 403: NOT_PERMITTED, 423: NOT_PERMITTED, 424: UNAVAILABLE,
    429: TRY_AGAIN, 500: SOFTWARE, 502: TRY_AGAIN, 503: TRY_AGAIN,
}  # fmt: skip
TOKEN = Path("secrets/token")


class Failed(Exception):
    """The program cannot do its work; says why and ends with `code`."""

    def __init__(self, code: int, key: str, **values: Any) -> None:
        super().__init__(key)
        self.code = code
        self.key = key
        self.values = values


def settings() -> dict[str, Any]:
    """The world's settings, empty when it has none."""
    return _json("etc/item.json")


def say(key: str, **values: Any) -> None:
    """Print a line in the world's own words, with the values as `name:value`."""
    words = _json("etc/wording.json").get(key, key.replace("_", " "))
    print(words, *(f"{name}:{value}" for name, value in values.items()))


def program(work: Any) -> Any:
    """A `main` around `work(arguments)`: says what failed and returns the exit code."""

    def main(arguments: list[str]) -> int:
        for line in _json("etc/wording.json").get("noise", []):
            print(line)
        try:
            return work(arguments) or 0
        except Failed as failed:
            say(failed.key, **failed.values)
            return failed.code
        except OSError as error:
            say("input_missing", file=error.filename)
            return DATA_ERROR

    return main


def call(method: str, path: str, body: Any = None, *, fails: str = "refused") -> Any:
    """Ask the world's service. Raises `Failed` with the key `fails` for anything but success."""
    status, answer = ask(method, path, body)
    if status >= 400 or status == 0:
        detail = f" ({answer['error']})" if isinstance(answer, dict) and "error" in answer else ""
        say(fails)
        more = {"renewable": int(answer["renewable"])} if status == 401 else {}
        raise Failed(_BY_STATUS.get(status, PROTOCOL), f"{method} {path}{detail}", http=status, **more)
    return answer


def ask(method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """The service's answer as it is; status 0 when the connection failed."""
    address = urlsplit(os.environ.get("SERVICE", "http://127.0.0.1:1"))
    headers = {"content-type": "application/json"}
    if TOKEN.exists():
        headers["x-token"] = TOKEN.read_text().strip()
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=_TIMEOUT_SECONDS)
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    except (OSError, http.client.HTTPException, ValueError):
        return 0, None
    finally:
        connection.close()


def write(path: str, content: bytes) -> None:
    """Write a file within the world's quota, whole or not at all."""
    quota = settings().get("quota")
    if quota is not None and used() + len(content) > quota:
        raise Failed(CANNOT_CREATE, "no_space", used=round(used() / quota, 2))
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.part")
    temporary.write_bytes(content)
    temporary.replace(target)


def used() -> int:
    """Bytes of all files of the world."""
    return sum(path.stat().st_size for path in Path().rglob("*") if path.is_file())


def digest(path: str) -> str:
    """SHA-256 of a file, empty when there is none."""
    file = Path(path)
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else ""


def _json(path: str) -> dict[str, Any]:
    file = Path(path)
    if not file.is_file():
        return {}
    found: dict[str, Any] = json.loads(file.read_text())
    return found
