"""How code is usually written: n-gram counts of the correct training projects.

Never of the project under repair, where they would give the right repair away, and never of
held-out projects. Counted at first use; the sources come with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from .source import parse_module
from .tokens import count_grams

_TRAIN = Path(__file__).resolve().parent.parent / "projects" / "train"


@lru_cache(maxsize=1)
def _projects() -> tuple[tuple[frozenset[str], Counter[tuple[str, ...]]], ...]:
    """For each training project its file names and its counts."""
    found = []
    for folder in sorted(_TRAIN.iterdir()) if _TRAIN.is_dir() else ():
        paths = [
            path
            for path in sorted(folder.rglob("*.py"))
            if path.relative_to(folder).parts[0] not in ("tests", "hidden")
        ]
        counts: Counter[tuple[str, ...]] = Counter()
        for path in paths:
            module = parse_module(path.name, path.read_text(encoding="utf-8"))
            counts.update(count_grams(statement.text for statement in module.statements))
        found.append((frozenset(path.relative_to(folder).as_posix() for path in paths), counts))
    return tuple(found)


@lru_cache(maxsize=64)
def prior_grams(own: frozenset[str]) -> Mapping[tuple[str, ...], int]:
    """Counts over the training projects that share no file with the project, known by its file names."""
    total: Counter[tuple[str, ...]] = Counter()
    for paths, counts in _projects():
        if not paths & own:
            total.update(counts)
    return total
