"""Repair candidates: factored edits (line, template, filler) and where to look for the bug."""

from .context import ProjectContext
from .edit import Edit, apply_edit, apply_edits
from .generate import candidates, offered
from .localise import Place, anchored, coverage, ochiai
from .ranking import TemplateRates, ochiai_then_prior, oracle_order, random_order, template_rate_order
from .selection import Group, group_of, select
from .templates import HELD_OUT_TEMPLATES, NATURAL, RepairTemplate

__all__ = [
    "HELD_OUT_TEMPLATES",
    "NATURAL",
    "Edit",
    "Group",
    "Place",
    "ProjectContext",
    "RepairTemplate",
    "TemplateRates",
    "anchored",
    "apply_edit",
    "apply_edits",
    "candidates",
    "coverage",
    "group_of",
    "ochiai",
    "ochiai_then_prior",
    "offered",
    "oracle_order",
    "random_order",
    "select",
    "template_rate_order",
]
