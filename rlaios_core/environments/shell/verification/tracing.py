"""Record which project lines each test executes, for fault localisation."""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator, Iterable
from types import FrameType
from typing import Any

import pytest


class LineTracer:
    """A pytest plugin that collects the (file index, line) pairs tests execute in chosen files.

    Module bodies run by the collection's imports are not counted.
    """

    def __init__(self, files: Iterable[str]) -> None:
        self._indices = {path: index for index, path in enumerate(files)}
        self._seen: set[tuple[int, int]] = set()

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self) -> Generator[None, object, object]:
        """Watch the set-up."""
        return (yield from self._watched())

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        """Watch the body."""
        return (yield from self._watched())

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_teardown(self) -> Generator[None, object, object]:
        """Watch the tear-down."""
        return (yield from self._watched())

    def _watched(self) -> Generator[None, object, object]:
        threading.settrace(self._enter)
        sys.settrace(self._enter)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)

    def take(self) -> list[tuple[int, int]]:
        """What was seen since the last call, sorted."""
        seen, self._seen = self._seen, set()
        return sorted(seen)

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        index = self._indices.get(frame.f_code.co_filename)
        if index is None:
            return None  # the interpreter then reports no lines of this frame
        add = self._seen.add

        def line(inner: FrameType, event: str, _argument: Any) -> Any:
            if event == "line":
                add((index, inner.f_lineno))
            return line

        return line
