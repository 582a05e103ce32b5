"""Finding the candidate that undoes a bug."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlaios_core.environments.shell.repair import Edit, ProjectContext, apply_edit, candidates
from rlaios_core.environments.shell.repair.source import parse_module

from .equality import exact, loose
from .inject import Injection, function_node

_NEAR = 2
"""Lines around the first changed one whose candidates are looked at."""


def find_reference(
    correct: Mapping[str, str], mutant: Mapping[str, str], bug: Injection, context: ProjectContext
) -> Edit | None:
    """The candidate of the bug's template that gives the correct function back.

    An exact match is preferred to one that differs only in what a repair cannot know.
    """
    wanted = function_node(bug.path, correct[bug.path], bug.function)
    if wanted is None:
        return None
    forms = (exact(wanted), loose(wanted), loose(wanted, errors=False))
    best: tuple[int, Edit] | None = None
    for edit in candidates_near(correct, mutant, bug, context):
        if edit.template is not bug.template:
            continue
        made = function_node(bug.path, apply_edit(mutant[bug.path], edit), bug.function)
        if made is None:
            continue
        found = (exact(made), loose(made), loose(made, errors=False))
        rank = next(
            (at for at, (one, other) in enumerate(zip(found, forms, strict=True)) if one == other), None
        )
        if rank is not None and (best is None or rank < best[0]):
            best = (rank, edit)
    return best[1] if best is not None else None


def candidates_near(
    correct: Mapping[str, str], mutant: Mapping[str, str], bug: Injection, context: ProjectContext
) -> Sequence[Edit]:
    """The candidates around the place where the function differs from the correct one."""
    source = mutant[bug.path]
    line = _first_difference(correct[bug.path], source, bug)
    module = parse_module(bug.path, source)
    near = [module.anchors.get(at) for at in range(line - _NEAR, line + _NEAR + 1)]
    return candidates(bug.path, source, {at for at in near if at is not None}, context=context, notes=False)


def _first_difference(correct: str, mutant: str, bug: Injection) -> int:
    """The line in the mutant where the broken function first differs from the correct one."""
    old = function_node(bug.path, correct, bug.function)
    new = function_node(bug.path, mutant, bug.function)
    assert old is not None
    assert new is not None
    first, start = getattr(old, "lineno", 1), getattr(new, "lineno", 1)
    before = correct.splitlines()[first - 1 :]
    after = mutant.splitlines()[start - 1 :]
    same = next(
        (at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other),
        min(len(before), len(after)),
    )
    return int(start) + same
