"""Small plots of one stage of an epoch, for where the stage is shown."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rlaios_core.control import LaneReport, Reign
from rlaios_core.reporting.theme import ACTIVE, LANE_COLOURS, REFERENCE, Theme, figure
from rlaios_core.schema import ComparisonResult

_REIGNS = 20
"""Newest checkpoints drawn; more would not be read."""


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


def reigns(history: Sequence[Reign], theme: Theme) -> Figure | None:
    """Which checkpoint a pointer named over the campaign's epochs, oldest at the top."""
    named = [reign for reign in history if reign.checkpoint_id is not None][-_REIGNS:]
    if not named:
        return None
    made, axes = figure(theme, width=6.0, height=0.8 + 0.3 * len(named))
    last = 1 + max(reign.since_epoch for reign in history)
    for row, reign in enumerate(named[::-1]):
        end = last if reign.until_epoch is None else max(reign.until_epoch, reign.since_epoch)
        colour = ACTIVE if reign.until_epoch is None else REFERENCE
        axes.barh(row, max(end - reign.since_epoch, 0.15), left=reign.since_epoch, color=colour, height=0.55)
    axes.set_yticks(range(len(named)), [reign.checkpoint_id or "" for reign in named[::-1]])
    axes.set_xlabel("epochs closed", fontsize=8)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(visible=False, axis="y")
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
