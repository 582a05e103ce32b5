"""Parsing Python from several threads.

CPython before 3.12 keeps the depth of its syntax tree conversion per interpreter, not per thread: two
threads in `ast.parse` at once can fail with "AST constructor recursion depth mismatch"
(python/cpython#106905). One lock around every conversion avoids that.
"""

import ast
import threading
from typing import Any

_LOCK = threading.Lock()


def parse(source: str) -> ast.Module:
    """The syntax tree of a module. Raises `SyntaxError` or `ValueError` as `ast.parse` does."""
    with _LOCK:
        return ast.parse(source)


def parse_expression(source: str) -> ast.expr:
    """The syntax tree of one expression."""
    with _LOCK:
        return ast.parse(source, mode="eval").body


def literal(text: str) -> Any:
    """The value of a Python literal. Raises `ValueError` or `SyntaxError` for anything else."""
    with _LOCK:
        return ast.literal_eval(text)
