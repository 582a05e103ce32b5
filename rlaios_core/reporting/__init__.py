"""What a campaign looks like to a person: frames, plots, a terminal table, one HTML page."""

from rlaios_core.reporting.page import render_page
from rlaios_core.reporting.record import CampaignRecord, gather
from rlaios_core.reporting.table import summary_table

__all__ = ["CampaignRecord", "gather", "render_page", "summary_table"]
