"""Small plots of one stage of an epoch, for where the stage is shown."""

import numpy as np
from matplotlib.figure import Figure

from rlaios_core.control import LaneReport
from rlaios_core.reporting.theme import ACTIVE, LANE_COLOURS, Theme, figure
from rlaios_core.schema import ComparisonResult


def comparison(result: ComparisonResult, theme: Theme) -> Figure | None:
    """The mean difference with its interval, all environments together and each alone."""
    if not result.valid_pairs:
        return None
    names = ["all", *(part.environment for part in result.environments)]
    differences = [result.mean_difference, *(part.mean_difference for part in result.environments)]
    made, axes = figure(theme, width=5.0, height=0.8 + 0.35 * len(names))
    at = np.arange(len(names))[::-1]
    axes.scatter(differences, at, color=ACTIVE, s=24, zorder=3)
    axes.hlines(at[0], result.interval_low, result.interval_high, color=ACTIVE, lw=2)
    axes.axvline(0.0, color=theme.ink, lw=0.8)
    axes.set_yticks(at, names)
    axes.set_xlabel("reference better   ·   active better", fontsize=8)
    return made


def lanes(report: LaneReport, theme: Theme) -> Figure | None:
    """Episodes in each lane."""
    if not sum(report.lanes.values()):
        return None
    made, axes = figure(theme, width=5.0, height=1.8)
    present = {lane.value: count for lane, count in report.lanes.items()}
    names = [name for name in LANE_COLOURS if name in present]
    axes.barh(
        names[::-1], [present[name] for name in names[::-1]], color=[LANE_COLOURS[n] for n in names[::-1]]
    )
    axes.grid(visible=False, axis="y")
    return made
