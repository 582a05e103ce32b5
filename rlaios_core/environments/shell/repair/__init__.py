"""Repair candidates: factored edits (line, template, filler) and where to look for the bug."""

from .context import ProjectContext
from .edit import Edit, apply_edit, apply_edits
from .generate import Offers, candidates
from .localise import Place, anchored, coverage, ochiai
from .selection import Group, group_of, select
from .templates import HELD_OUT_TEMPLATES, NATURAL, RepairTemplate

__all__ = [
    "HELD_OUT_TEMPLATES",
    "NATURAL",
    "Edit",
    "Group",
    "Offers",
    "Place",
    "ProjectContext",
    "RepairTemplate",
    "anchored",
    "apply_edit",
    "apply_edits",
    "candidates",
    "coverage",
    "group_of",
    "ochiai",
    "select",
]
