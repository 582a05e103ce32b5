"""Memory shared between a run and its server: an append-only text that survives the run however it ends.

Unlike a pipe it needs no descriptor in the run and wakes nobody up for each record: on a busy machine those
wake-ups cost more than the tests.
"""

from __future__ import annotations

import mmap
import struct

_HEADER = struct.Struct("=Q")
_CAPACITY = 8 << 20


class SharedLedger:
    """A bounded text in shared memory; made before the fork, written by the child, read by the parent."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _CAPACITY)
        self._used = _HEADER.size
        self._size = len  # bound now: tested code may patch builtins

    def append(self, data: bytes) -> bool:
        """Add ``data`` as a whole; False when there is no room left for it."""
        end = self._used + self._size(data)
        if end > _CAPACITY:
            return False
        self._memory[self._used : end] = data
        # The length comes last: a process that dies in between leaves only whole records behind.
        _HEADER.pack_into(self._memory, 0, end)
        self._used = end
        return True

    def read(self) -> bytes:
        """Everything added so far, by whatever process."""
        (end,) = _HEADER.unpack_from(self._memory, 0)
        return self._memory[_HEADER.size : min(end, _CAPACITY)]

    def close(self) -> None:
        """Give the memory back (of this process)."""
        self._memory.close()
