"""Which candidates the student is shown when there are too many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .edit import Edit
from .localise import Place
from .templates import RepairTemplate

Group = tuple[str, int, RepairTemplate]

_SHARE = 2
"""Fillers of a group that must find room before another line is taken in."""


def group_of(edit: Edit) -> Group:
    """The first two choices of a factored repair: the line and the template."""
    return (edit.path, edit.line, edit.template)


def select(edits: Sequence[Edit], suspicion: Mapping[Place, float], limit: int = 256) -> list[Edit]:
    """At most `limit` candidates, in their own order.

    Lines are taken in the order of suspicion while a few fillers for each of their groups fit; of the
    lines taken no (line, template) group is lost. The rest of the room goes to the groups' further
    fillers, the likeliest first: by the line's suspicion squared and the prior. Lines no failing test
    runs are never taken.
    """
    lines: dict[Place, dict[Group, list[Edit]]] = {}
    for edit in edits:
        if suspicion.get((edit.path, edit.line), 0.0) > 0.0:
            lines.setdefault((edit.path, edit.line), {}).setdefault(group_of(edit), []).append(edit)
    ranked = sorted(lines, key=lambda place: (-suspicion[place], place))
    groups: list[list[Edit]] = []
    room = limit
    for place in ranked:
        need = sum(min(len(members), _SHARE) for members in lines[place].values())
        if need > room and groups:
            break
        room -= need
        for members in lines[place].values():
            groups.append(sorted(members, key=lambda edit: (-edit.prior, edit.start, edit.replacement)))
    # A single line may hold more groups than there is room for; then the likeliest ones are kept.
    first = sorted((group[0] for group in groups), key=lambda edit: -edit.prior)
    further = [edit for group in groups for edit in group[1:]]
    further.sort(key=lambda edit: (-(suspicion[edit.path, edit.line] ** 2) * edit.prior, edit.key))
    chosen = {edit.key for edit in (*first, *further)[:limit]}
    return [edit for edit in edits if edit.key in chosen]
