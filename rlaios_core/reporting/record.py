"""Everything a report shows of one campaign, gathered once from the controller's stored reports."""

from dataclasses import dataclass

from rlaios_core.control import (
    CampaignController,
    CandidateReport,
    CollectionReport,
    LaneReport,
    PointerMove,
)
from rlaios_core.schema import CampaignSummary, ComparisonResult


@dataclass(frozen=True)
class CampaignRecord:
    """A campaign for reporting: its summary, and the stored reports of its epochs in order."""

    summary: CampaignSummary
    comparisons: tuple[ComparisonResult, ...] = ()
    moves: tuple[PointerMove, ...] = ()
    lanes: tuple[LaneReport, ...] = ()
    candidates: tuple[CandidateReport, ...] = ()
    collections: tuple[CollectionReport, ...] = ()


def gather(controller: CampaignController, summary: CampaignSummary) -> CampaignRecord:
    """The record of the summary's campaign. Reads only."""
    campaign = summary.campaign
    return CampaignRecord(
        summary=summary,
        comparisons=tuple(controller.comparisons(campaign)),
        moves=tuple(controller.lineage_history(campaign)),
        lanes=tuple(controller.lane_reports(campaign)),
        candidates=tuple(controller.candidate_reports(campaign)),
        collections=tuple(controller.collection_reports(campaign)),
    )
