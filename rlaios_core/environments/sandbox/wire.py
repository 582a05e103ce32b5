"""Length-prefixed messages over a socket, every one with a deadline and a size limit."""

from __future__ import annotations

import json
import socket
import struct
import time
from typing import Any

_HEADER = struct.Struct("!Q")
_LARGEST = 64 << 20


class WireError(OSError):
    """The other side is gone, late, or talks nonsense."""


def send(channel: socket.socket, message: dict[str, Any], *blobs: bytes, deadline: float) -> None:
    """Send a JSON object and byte strings after it before ``deadline`` (monotonic seconds)."""
    parts = []
    for body in (json.dumps(message, separators=(",", ":")).encode(), *blobs):
        parts += [_HEADER.pack(len(body)), body]
    _arm(channel, deadline)
    try:
        channel.sendall(b"".join(parts))
    except OSError as error:
        raise WireError(f"could not send: {error}") from error


def receive(
    channel: socket.socket, blobs: int = 0, *, deadline: float | None
) -> tuple[dict[str, Any], list[bytes]]:
    """Receive a JSON object and ``blobs`` byte strings before ``deadline`` (None: wait for ever)."""
    message = json.loads(_block(channel, deadline))
    if not isinstance(message, dict):
        raise WireError("message is not an object")
    return message, [_block(channel, deadline) for _ in range(blobs)]


def _block(channel: socket.socket, deadline: float | None) -> bytes:
    (length,) = _HEADER.unpack(_exactly(channel, _HEADER.size, deadline))
    if length > _LARGEST:
        raise WireError(f"message of {length} bytes is too large")
    return _exactly(channel, length, deadline)


def _exactly(channel: socket.socket, length: int, deadline: float | None) -> bytes:
    buffer = bytearray(length)
    view = memoryview(buffer)
    got = 0
    while got < length:
        _arm(channel, deadline)
        try:
            count = channel.recv_into(view[got:])
        except TimeoutError as error:
            raise WireError("no answer in time") from error
        except OSError as error:
            raise WireError(f"could not receive: {error}") from error
        if count == 0:
            raise WireError("the other side closed the connection")
        got += count
    return bytes(buffer)


def _arm(channel: socket.socket, deadline: float | None) -> None:
    # Zero would mean "do not block"; a deadline in the past must still raise a timeout.
    channel.settimeout(None if deadline is None else max(0.001, deadline - time.monotonic()))
