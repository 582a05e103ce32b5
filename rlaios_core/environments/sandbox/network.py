"""The one piece of network a sandbox may have: the loopback device, with one listener made in advance.

The kernel chooses the port, so it is never taken, and the listener exists before anything is confined.
"""

from __future__ import annotations

import fcntl
import socket
import struct

_SIOCGIFFLAGS, _SIOCSIFFLAGS = 0x8913, 0x8914
_IFF_UP = 1
_REQUEST = struct.Struct("16sh14x")
_BACKLOG = 64


def raise_loopback() -> None:
    """Switch the loopback device of this network namespace on; a new one starts switched off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        answer = fcntl.ioctl(control, _SIOCGIFFLAGS, _REQUEST.pack(b"lo", 0))
        _, flags = _REQUEST.unpack(answer)
        fcntl.ioctl(control, _SIOCSIFFLAGS, _REQUEST.pack(b"lo", flags | _IFF_UP))


def listen() -> socket.socket:
    """A listener on a free port of the loopback address."""
    return socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
