"""Parsing Python from several threads.

CPython before 3.12 keeps the depth of its syntax tree conversion per interpreter, not per thread: two
conversions at once can fail with "AST constructor recursion depth mismatch" (python/cpython#106905). One lock
around every conversion keeps ours apart. The garbage collector rests meanwhile: what it runs in the midst of
one may convert, too (a finalizer that prints a traceback does), or let another thread go on.
"""

import ast
import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LOCK = threading.Lock()


@contextmanager
def _alone() -> Iterator[None]:
    with _LOCK:
        collecting = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collecting:
                gc.enable()


def parse(source: str) -> ast.Module:
    """The syntax tree of a module. Raises `SyntaxError` or `ValueError` as `ast.parse` does."""
    with _alone():
        return ast.parse(source)


def parse_expression(source: str) -> ast.expr:
    """The syntax tree of one expression."""
    with _alone():
        return ast.parse(source, mode="eval").body


def literal(text: str) -> Any:
    """The value of a Python literal. Raises `ValueError` or `SyntaxError` for anything else."""
    with _alone():
        return ast.literal_eval(text)
