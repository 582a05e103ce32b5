"""Colours and figure settings of the plots, for a light and a dark page."""

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure


@dataclass(frozen=True)
class Theme:
    """Colours of one page."""

    ink: str
    faint: str
    background: str


LIGHT = Theme(ink="#2b2f36", faint="#d9dce1", background="#ffffff")
DARK = Theme(ink="#d6dae0", faint="#3a404a", background="#171a1f")

ARM_COLOURS = {
    "untrained": "#8a929e",
    "heuristic": "#d98032",
    "trained": "#2f7de1",
    "oracle": "#2f9e6e",
}
ACTIVE, REFERENCE = "#2f7de1", "#8a929e"
LANE_COLOURS = {
    "positive": "#2f9e6e",
    "neutral": "#8a929e",
    "negative": "#d1495b",
    "diagnostic_only": "#b48ead",
}
SERIES = ("#2f7de1", "#d98032", "#2f9e6e", "#d1495b", "#8e6bbf", "#3aa6b9")


def figure(theme: Theme, width: float = 6.4, height: float = 3.2) -> tuple[Figure, Axes]:
    """An empty figure with one axes in the theme's colours. No pyplot: nothing global is touched."""
    made = Figure(figsize=(width, height), dpi=110, facecolor=theme.background, layout="constrained")
    axes = made.add_subplot()
    style(axes, theme)
    return made, axes


def style(axes: Axes, theme: Theme) -> None:
    """Quiet axes: no box, a faint horizontal grid, text in the theme's ink."""
    axes.set_facecolor(theme.background)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(theme.faint)
    axes.tick_params(colors=theme.ink, labelsize=8, length=0)
    axes.grid(axis="y", color=theme.faint, linewidth=0.6)
    axes.set_axisbelow(True)
    for label in (axes.xaxis.label, axes.yaxis.label, axes.title):
        label.set_color(theme.ink)


def legend(axes: Axes, theme: Theme, *, columns: int = 1, above: bool = False) -> None:
    """A legend without a box in the theme's ink, when there is anything to explain."""
    if not axes.get_legend_handles_labels()[0]:
        return
    place: dict[str, Any] = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)} if above else {}
    axes.legend(frameon=False, fontsize=8, labelcolor=theme.ink, ncols=columns, **place)
