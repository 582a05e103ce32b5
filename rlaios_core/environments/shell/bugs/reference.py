"""Finding the candidate that undoes a bug."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlaios_core.environments.shell.repair import Edit, ProjectContext, apply_edit, candidates
from rlaios_core.environments.shell.repair.source import parse_module

from .equality import first_equal
from .inject import Injection, function_node

_NEAR = 2
"""Lines around the first changed one whose candidates are looked at."""


def find_reference(
    correct: Mapping[str, str], mutant: Mapping[str, str], bug: Injection, context: ProjectContext
) -> Edit | None:
    """The candidate of the bug's template that gives the correct function back.

    An exact match is preferred to one that differs only in what a repair cannot know.
    """
    wanted = _span(bug.path, correct[bug.path], bug.function)
    broken = _span(bug.path, mutant[bug.path], bug.function)
    if wanted is None or broken is None:
        return None
    edits = [
        edit
        for edit in candidates_near(correct, mutant, bug, context)
        if edit.template is bug.template and broken[0] <= edit.start and edit.end <= broken[1]
    ]
    made = [_repaired(mutant[bug.path], edit, broken) for edit in edits]
    place = first_equal(_text(correct[bug.path], *wanted), made)
    return None if place is None else edits[place]


def _span(path: str, source: str, qualname: str) -> tuple[int, int] | None:
    """Bytes of a function, from the start of its first line."""
    module = parse_module(path, source)
    scope = next((scope for scope in module.functions if scope.qualname == qualname), None)
    if scope is None:
        return None
    start, end = module.span(scope.node)
    return start - scope.node.col_offset, end


def _repaired(source: str, edit: Edit, span: tuple[int, int]) -> str:
    """The text of the function after the edit."""
    grown = len(edit.replacement.encode()) - (edit.end - edit.start)
    return _text(apply_edit(source, edit), span[0], span[1] + grown)


def _text(source: str, start: int, end: int) -> str:
    return source.encode()[start:end].decode()


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
