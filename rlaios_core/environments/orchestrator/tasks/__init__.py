"""Generated work items: templates, wordings and hidden conditions, disjoint between splits."""

from rlaios_core.environments.orchestrator.tasks.families import FAMILIES
from rlaios_core.environments.orchestrator.tasks.generate import generate_item

__all__ = ["FAMILIES", "generate_item"]
