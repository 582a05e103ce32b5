"""Where work items come from: generated ones, or a person's own from a file."""

from typing import Protocol

from rlaios_core.environments.orchestrator.items import WorkItem
from rlaios_core.environments.orchestrator.tasks import generate_item
from rlaios_core.schema import Split


class ItemSource(Protocol):
    """Gives the item at a position: equal arguments, equal item."""

    def item(self, split: Split, index: int, seed: int) -> WorkItem:
        """The item; raises `KeyError` for a split without items."""
        ...


class GeneratedItems:
    """The built-in templates and families."""

    def item(self, split: Split, index: int, seed: int) -> WorkItem:
        """See `generate_item`."""
        return generate_item(split, index, seed)
