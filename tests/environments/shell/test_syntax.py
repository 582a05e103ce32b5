"""Parsing is not disturbed by what runs beside it."""

import ast
import gc
from collections.abc import Iterator

import pytest

from rlaios_core.environments.shell import syntax

NESTED = "x = " + "(1 + " * 40 + "1" + ")" * 40


class ParsesAtTheEnd:
    """Garbage whose finalizer parses, as one that prints a traceback does; each leaves another."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        if ParsesAtTheEnd.wanted:
            ParsesAtTheEnd()
            ast.parse(NESTED)

    wanted = False


@pytest.fixture
def eager_collector() -> Iterator[None]:
    """A garbage collector that runs at almost every allocation."""
    thresholds = gc.get_threshold()
    ParsesAtTheEnd.wanted = True
    gc.set_threshold(5, 1, 1)
    yield
    gc.set_threshold(*thresholds)
    ParsesAtTheEnd.wanted = False


def test_garbage_that_parses_does_not_break_a_parse(eager_collector: None) -> None:
    for _ in range(20):
        ParsesAtTheEnd()
        assert isinstance(syntax.parse(NESTED), ast.Module)
    assert gc.isenabled()
