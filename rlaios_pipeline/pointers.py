"""Showing pointer moves as materializations of the pointer assets.

The campaign database is the authority; these events show its history. They belong to external assets,
because several jobs write them, and to leaves of the graph, because asset cycles are refused.
"""

from collections.abc import Sequence

import dagster as dg

from rlaios_core.control import CampaignController, Evidence, PointerMove, Reign
from rlaios_core.reporting import frames, stage_plots
from rlaios_core.reporting.theme import LIGHT
from rlaios_core.schema import Pointer
from rlaios_pipeline import metadata
from rlaios_pipeline.partitions import CAMPAIGNS

_DATA_VERSION_TAG = "dagster/data_version"
_EVENT = "event_id"
_DESCRIPTIONS = {
    Pointer.ACTIVE: "The checkpoint that serves work and collects episodes.",
    Pointer.PRE_UPDATE_REF: "What the last update replaced: compared against; a rollback returns to it.",
    Pointer.LAST_STABLE: "The last checkpoint that a held-out comparison confirmed.",
}
_MORE = (
    " Choose a campaign under Partitions: each materialization is a move, with the checkpoint, its parent, "
    "why it moved, the verdicts and gates behind it, and who was there from when to when."
)


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
        description=description + _MORE,
    )
    for pointer, description in _DESCRIPTIONS.items()
]


def show_moves(
    context: dg.AssetExecutionContext | dg.OpExecutionContext, controller: CampaignController, campaign: str
) -> None:
    """Bring the pointer assets up to date: record every move that they do not show yet.

    Also shows what was moved without Dagster, and shows nothing twice when a run is repeated.
    """
    moves = controller.lineage_history(campaign)
    for pointer in Pointer:
        own = [move for move in moves if move.pointer is pointer]
        shown = _newest_event(context.instance, pointer, campaign)
        place = next((place for place, move in enumerate(own) if move.event_id == shown), -1)
        reigns = controller.reigns(campaign, pointer)
        for number, move in enumerate(own[place + 1 :], start=place + 1):
            # As it stood then: what came later is told by the later events.
            history = [*reigns[:number], reigns[number].as_last()]
            evidence = controller.evidence(campaign, move.event_id)
            context.log_event(_materialization(campaign, move, evidence, history))


def _newest_event(instance: dg.DagsterInstance, pointer: Pointer, campaign: str) -> str | None:
    records = instance.fetch_materializations(
        dg.AssetRecordsFilter(pointer_key(pointer), asset_partitions=[campaign]), limit=1
    ).records
    shown = records[0].asset_materialization if records else None
    value = shown.metadata[_EVENT].value if shown is not None and _EVENT in shown.metadata else None
    return None if value is None else str(value)


def _materialization(
    campaign: str, move: PointerMove, evidence: Evidence, history: Sequence[Reign]
) -> dg.AssetMaterialization:
    """One move, and what it rests on; the checkpoint id is the data version."""
    checkpoint = move.checkpoint_id or "none"
    return dg.AssetMaterialization(
        asset_key=pointer_key(move.pointer),
        partition=campaign,
        description=move.reason,
        metadata={
            "checkpoint_id": checkpoint,
            "replaces": move.previous or "nothing",
            "parent": move.parent or "none",
            "reason": move.reason,
            "epoch": move.epoch,
            _EVENT: move.event_id,
            **_shown(evidence),
            "history": metadata.table(frames.reigns_frame(history)),
            **metadata.plot(stage_plots.reigns(history, LIGHT), "Who it was, by epoch", "timeline"),
        },
        tags={_DATA_VERSION_TAG: checkpoint},
    )


def _shown(evidence: Evidence) -> dict[str, dg.MetadataValue | float | int | str]:
    """Verdicts and gates behind a move; the newest verdict's numbers are drawn over time by the UI."""
    found: dict[str, dg.MetadataValue | float | int | str] = {}
    if evidence.note:
        found["called_for"] = evidence.note
    if evidence.gates:
        found["gates"] = metadata.table(frames.gates_frame(evidence.gates))
    if evidence.comparisons:
        newest = evidence.comparisons[-1]
        found |= metadata.numbers(newest, "mean_difference", "p_worse", "p_better")
        found["verdicts"] = metadata.table(frames.comparisons_frame(evidence.comparisons))
        found["by_environment"] = metadata.table(frames.breakdown_frame(newest))
        found |= metadata.plot(stage_plots.comparison(newest, LIGHT), "Difference, active minus reference")
    return found
