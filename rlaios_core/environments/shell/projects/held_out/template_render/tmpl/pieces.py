"""Cutting template source into text, value and block pieces."""

import re
from typing import Iterator, NamedTuple

# A block alone on its line takes the indentation and the line break with it.
_BLOCK_LINE = r"(?m:^[ \t]*)\{%(?:(?!%\}).)*%\}[ \t]*\n"
_MARK = re.compile(_BLOCK_LINE + r"|\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


class TemplateError(Exception):
    """Something is wrong with the template or with its data."""


class Piece(NamedTuple):
    kind: str  # "text", "value" or "block"
    body: str
    line: int


def cut(source: str) -> Iterator[Piece]:
    """Yield the pieces of the source in order, leaving comments out."""
    start = 0
    for mark in _MARK.finditer(source):
        if mark.start() > start:
            yield Piece("text", source[start:mark.start()], line_at(source, start))
        start = mark.end()
        whole = mark.group().strip()
        if whole[1] == "#":
            continue
        kind = "value" if whole[1] == "{" else "block"
        yield Piece(kind, whole[2:-2].strip(), line_at(source, mark.start()))
    if start < len(source):
        yield Piece("text", source[start:], line_at(source, start))


def line_at(source: str, index: int) -> int:
    """Number of the line, from 1, that holds the character at index."""
    return source.count("\n", 0, index) + 1


def split_outside_quotes(text: str, separator: str) -> list[str]:
    """Split at a one-character separator that is not inside double quotes."""
    parts = [""]
    quoted = False
    for char in text:
        if char == '"':
            quoted = not quoted
        if char == separator and not quoted:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]
