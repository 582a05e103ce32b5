"""Where the bug may be: lines ranked by which tests run them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from .source import parse_module

Place = tuple[str, int]


def anchored(
    lines: Mapping[str, frozenset[Place]], sources: Mapping[str, str]
) -> dict[str, frozenset[Place]]:
    """The traced lines as lines of statements: a statement over several lines counts as its first one.

    Lines outside functions are left out, for they run at import, before any test. The header of a
    function counts as run when anything in the function is, because its defaults were used then.
    """
    maps: dict[str, dict[int, tuple[int, ...]]] = {}
    for path, source in sources.items():
        module = parse_module(path, source)
        headers = {statement.line: statement.function.node.lineno for statement in module.statements}
        maps[path] = {
            line: (anchor, headers[anchor]) if headers[anchor] != anchor else (anchor,)
            for line, anchor in module.anchors.items()
        }
    return {
        test: frozenset(
            (path, anchor) for path, line in traced for anchor in maps.get(path, {}).get(line, ())
        )
        for test, traced in lines.items()
    }


def coverage(
    failed: Mapping[str, bool], lines: Mapping[str, frozenset[Place]]
) -> dict[Place, tuple[int, int]]:
    """How many failing and passing tests run each line."""
    counts: dict[Place, tuple[int, int]] = {}
    for test in sorted(lines):
        if test not in failed:
            continue
        for place in lines[test]:
            bad, good = counts.get(place, (0, 0))
            counts[place] = (bad + 1, good) if failed[test] else (bad, good + 1)
    return dict(sorted(counts.items()))


def ochiai(failed: Mapping[str, bool], lines: Mapping[str, frozenset[Place]]) -> dict[Place, float]:
    """Ochiai's coefficient of each line that a failing test runs, most suspicious first."""
    total = sum(failed.values())
    scores = {
        place: round(bad / math.sqrt(total * (bad + good)), 6)
        for place, (bad, good) in coverage(failed, lines).items()
        if bad
    }
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))
