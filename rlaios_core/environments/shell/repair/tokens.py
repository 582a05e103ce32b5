"""Source text as tokens and counted n-grams: how ordinary a piece of code looks."""

from __future__ import annotations

import builtins
import keyword
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

_TOKEN = re.compile(
    r"""[rbfuRBFU]{0,2}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")"""
    r"""|\#[^\n]*|\d[\w.]*|\w+|\*\*=?|//=?|<<=?|>>=?|[-+*/%&|^=<>!@:]=|->|\S""",
    re.DOTALL,
)
_KEPT = frozenset(keyword.kwlist) | frozenset(dir(builtins)) | {"self", "cls"}


@lru_cache(maxsize=32768)
def tokens(text: str) -> tuple[str, ...]:
    """The tokens of a piece of code, comments left out, strings kept whole."""
    return tuple(token for token in _TOKEN.findall(text) if not token.startswith("#"))


@lru_cache(maxsize=32768)
def abstract(named: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens with names, strings and large numbers replaced by what they are.

    Names after a dot stay: which method is called is part of the shape of code.
    """
    result: list[str] = []
    for index, token in enumerate(named):
        first = token[0]
        if first.isdigit():
            result.append(token if token in ("0", "1", "2") else "NUM")
        elif token[-1] in "'\"":
            result.append(token if len(token) <= 2 else "STR")
        elif (first.isalpha() or first == "_") and token not in _KEPT:
            result.append(token if index and named[index - 1] == "." else "ID")
        else:
            result.append(token)
    return tuple(result)


def grams(sequence: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """Every run of `size` tokens."""
    return [tuple(sequence[start : start + size]) for start in range(len(sequence) - size + 1)]


def shape_grams(marked: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """Every run of `size` abstracted tokens behind a mark: a run of keywords looks the same in both forms."""
    mark = marked[0]
    return [(mark, *marked[start : start + size]) for start in range(1, len(marked) - size + 1)]


def window(
    old: Sequence[str], new: Sequence[str], margin: int = 3
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The changed stretch of two token sequences with a margin of unchanged tokens on either side."""
    limit = min(len(old), len(new))
    head = 0
    while head < limit and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < limit - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    begin = max(0, head - margin)
    return (
        tuple(old[begin : len(old) - max(0, tail - margin)]),
        tuple(new[begin : len(new) - max(0, tail - margin)]),
    )


def count_grams(lines: Iterable[str]) -> Counter[tuple[str, ...]]:
    """Counts of 3- and 4-grams over lines of code, with names kept and with names abstracted."""
    counts: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        named = ("^", *tokens(line), "$")
        shape = abstract(named)
        for size in (3, 4):
            counts.update(grams(named, size))
            counts.update(shape_grams(("~", *shape), size))
    return counts
