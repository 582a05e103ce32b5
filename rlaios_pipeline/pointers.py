"""Showing pointer moves as materializations of the pointer assets.

The campaign database is the authority; these events show its history. They belong to external assets,
because several jobs write them, and to leaves of the graph, because asset cycles are refused.
"""

from collections.abc import Iterable

import dagster as dg

from rlaios_core.control import PointerMove
from rlaios_core.schema import Pointer
from rlaios_pipeline.partitions import CAMPAIGNS

_DATA_VERSION_TAG = "dagster/data_version"
_DESCRIPTIONS = {
    Pointer.ACTIVE: "The checkpoint that serves work and collects episodes.",
    Pointer.PRE_UPDATE_REF: "What the last update replaced: compared against; a rollback returns to it.",
    Pointer.LAST_STABLE: "The last checkpoint that a held-out comparison confirmed.",
}


def pointer_key(pointer: Pointer) -> dg.AssetKey:
    """The asset that shows a pointer."""
    return dg.AssetKey(["policy", pointer.value])


POINTER_SPECS = [
    dg.AssetSpec(
        pointer_key(pointer),
        deps=["promotion"],
        partitions_def=CAMPAIGNS,
        group_name="pointers",
        kinds={"pytorch"},
        description=description,
    )
    for pointer, description in _DESCRIPTIONS.items()
]


def log_moves(
    context: dg.AssetExecutionContext | dg.OpExecutionContext, campaign: str, moves: Iterable[PointerMove]
) -> None:
    """Record each move on its pointer's asset; the checkpoint id is the data version."""
    for move in moves:
        checkpoint = move.checkpoint_id or "none"
        context.log_event(
            dg.AssetMaterialization(
                asset_key=pointer_key(move.pointer),
                partition=campaign,
                description=move.reason,
                metadata={
                    "checkpoint_id": checkpoint,
                    "replaces": move.previous or "nothing",
                    "parent": move.parent or "none",
                    "reason": move.reason,
                    "epoch": move.epoch,
                    "event_id": move.event_id,
                },
                tags={_DATA_VERSION_TAG: checkpoint},
            )
        )
