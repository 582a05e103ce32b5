"""Turn the exception that ended a test into what a repairer can use: values, message, workspace frames.

Runs inside the tested process, so nothing here may trust an object: a representation may raise, loop or be
huge.
"""

from __future__ import annotations

import re
import reprlib
from collections import deque
from dataclasses import dataclass
from types import TracebackType
from typing import Any

_VALUE_CHARACTERS = 200
_MESSAGE_CHARACTERS = 300
_FRAMES = 6
_TRACEBACK_STEPS = 2000

# Names of the (actual, expected) parameters of unittest's assertion methods.
_UNITTEST_PAIRS = (
    ("first", "second"), ("expr1", "expr2"), ("a", "b"), ("member", "container"), ("text", "expected_regex"),
)  # fmt: skip

_NOT_RAISED = re.compile(r"(\w+) not raised\b")  # unittest's assertRaises

_shortener = reprlib.Repr()
_shortener.maxlevel = 6
_shortener.maxtuple = _shortener.maxlist = _shortener.maxset = _shortener.maxfrozenset = 50
_shortener.maxdict = _shortener.maxdeque = _shortener.maxarray = 50
_shortener.maxstring = _shortener.maxlong = _shortener.maxother = _VALUE_CHARACTERS


@dataclass(frozen=True)
class Failure:
    """Why a test failed."""

    exception: str
    """Type name of the exception."""
    message: str
    """Its text."""
    expected: str
    """The expected value's representation, empty when unknown."""
    actual: str
    """The actual value's representation, empty when unknown."""
    frames: tuple[str, ...]
    """Workspace frames, innermost last."""


def shown(value: object) -> str:
    """A bounded representation of any object, also of one whose own fails."""
    try:
        text = _shortener.repr(value)
    except Exception:  # noqa: BLE001 - the object's own __repr__ may raise anything
        text = f"<{type(value).__name__} without a representation>"
    return _cut(text, _VALUE_CHARACTERS)


def explain(error: BaseException, compared: tuple[str, str] | None, workspace: str) -> Failure:
    """Describe ``error``; ``compared`` holds (actual, expected) of the last failed comparison, if any."""
    name = type(error).__name__
    message = _text(error)
    actual, expected = "", ""
    if isinstance(error, AssertionError):
        name_not_raised = _NOT_RAISED.match(message)
        if name_not_raised:
            actual, expected = "no exception", name_not_raised[1]
        else:
            actual, expected = compared or _unittest_values(error.__traceback__) or _truth(message)
    elif name == "Failed" and message.startswith("DID NOT RAISE"):
        expected = _raises_name(message)
        actual = "no exception"
    return Failure(name, message, expected, actual, _frames(error.__traceback__, workspace))


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - the exception's own __str__ may raise anything
        text = ""
    lines = [line.strip() for line in text[: 4 * _MESSAGE_CHARACTERS].splitlines()]
    return _cut(" | ".join(line for line in lines if line), _MESSAGE_CHARACTERS)


def _truth(message: str) -> tuple[str, str]:
    """Values for `assert x` and `assert not x`, from the rewritten assertion's text."""
    head = message.partition(" | ")[0]
    _, marker, shown_value = head.rpartition("assert ")
    if not marker:
        return "", ""
    if shown_value.startswith("not "):
        return _cut(shown_value.removeprefix("not "), _VALUE_CHARACTERS), "a false value"
    return _cut(shown_value, _VALUE_CHARACTERS), "a true value"


def _raises_name(message: str) -> str:
    wanted = message.removeprefix("DID NOT RAISE").strip()
    return wanted.removeprefix("<class '").removesuffix("'>").rpartition(".")[2]


def _unittest_values(traceback: TracebackType | None) -> tuple[str, str] | None:
    for entry in _entries(traceback):
        scope: dict[str, Any] = entry.tb_frame.f_globals
        if not scope.get("__unittest"):
            continue
        values = entry.tb_frame.f_locals
        for actual, expected in _UNITTEST_PAIRS:
            if actual in values and expected in values:
                return shown(values[actual]), shown(values[expected])
        name = entry.tb_frame.f_code.co_name
        if name in {"assertTrue", "assertFalse"} and "expr" in values:
            return shown(values["expr"]), "a true value" if name == "assertTrue" else "a false value"
        if name in {"assertIsNone", "assertIsNotNone"} and "obj" in values:
            return shown(values["obj"]), "None" if name == "assertIsNone" else "not None"
    return None


def _frames(traceback: TracebackType | None, workspace: str) -> tuple[str, ...]:
    prefix = f"{workspace}/"
    last: deque[str] = deque(maxlen=_FRAMES)
    for entry in _entries(traceback):
        code = entry.tb_frame.f_code
        if code.co_filename.startswith(prefix):
            last.append(f"{code.co_filename.removeprefix(prefix)}:{entry.tb_lineno}:{code.co_name}")
    return tuple(last)


def _entries(traceback: TracebackType | None) -> list[TracebackType]:
    entries: list[TracebackType] = []
    while traceback is not None and len(entries) < _TRACEBACK_STEPS:
        entries.append(traceback)
        traceback = traceback.tb_next
    return entries


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."
