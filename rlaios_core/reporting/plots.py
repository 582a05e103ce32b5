"""The plots: each takes records and a theme and returns a figure, or None when there is nothing to draw."""

import base64
import io
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from rlaios_core.control import CollectionReport
from rlaios_core.reporting import frames
from rlaios_core.reporting.record import CampaignRecord
from rlaios_core.reporting.theme import (
    ACTIVE,
    ARM_COLOURS,
    LANE_COLOURS,
    REFERENCE,
    SERIES,
    Theme,
    figure,
    legend,
    style,
)
from rlaios_core.schema import HeldOutScore

Plot = Callable[[CampaignRecord, Theme], Figure | None]


def png(made: Figure) -> str:
    """The figure as a `data:` URI, so that a page needs nothing beside itself."""
    buffer = io.BytesIO()
    made.savefig(buffer, format="png", facecolor=made.get_facecolor())
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def held_out(record: CampaignRecord, theme: Theme) -> Figure | None:
    """Held-out success of every arm with its 95% interval."""
    return held_out_plot(record.summary.held_out, theme)


def held_out_plot(scores: Mapping[str, Mapping[str, HeldOutScore]], theme: Theme) -> Figure | None:
    """The same, from the scores alone."""
    frame = frames.held_out_frame(scores)
    if frame.empty:
        return None
    made, axes = figure(theme, height=0.6 + 0.34 * len(frame))
    single = frame["environment"].nunique() == 1
    labels = frame["arm"] if single else frame["environment"] + " · " + frame["arm"]
    at = np.arange(len(frame))[::-1]
    success = frame["success"].to_numpy()
    errors = np.vstack([success - frame["low"].to_numpy(), frame["high"].to_numpy() - success]).clip(min=0)
    colours = [ARM_COLOURS.get(arm, SERIES[4]) for arm in frame["arm"]]
    axes.barh(at, success, color=colours, height=0.62)
    axes.errorbar(success, at, xerr=errors, fmt="none", ecolor=theme.ink, elinewidth=1, capsize=2)
    axes.set_yticks(at, labels)
    axes.grid(visible=False, axis="y")
    axes.grid(axis="x", color=theme.faint, linewidth=0.6)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    return made


def success_at(record: CampaignRecord, theme: Theme) -> Figure | None:
    """Held-out success when only so many verifications are allowed."""
    frame = frames.success_at_frame(record.summary.held_out)
    if frame.empty:
        return None
    made, axes = figure(theme)
    for index, ((environment, arm), part) in enumerate(frame.groupby(["environment", "arm"], sort=False)):
        label = str(arm) if frame["environment"].nunique() == 1 else f"{environment} · {arm}"
        colour = ARM_COLOURS.get(str(arm), SERIES[index % len(SERIES)])
        axes.plot(part["verifications"], part["success"], marker="o", ms=4, color=colour, label=label)
    axes.set_xlabel("verifications allowed", fontsize=8)
    axes.set_xticks(sorted(frame["verifications"].unique()))
    _percent(axes)
    legend(axes, theme)
    return made


def training_success(record: CampaignRecord, theme: Theme) -> Figure | None:
    """Success on fresh training tasks by epoch: the active policy, and what it replaced."""
    return success_by_epoch(record.collections, theme)


def success_by_epoch(reports: Sequence[CollectionReport], theme: Theme) -> Figure | None:
    """The same, from the reports of the collection stage alone."""
    frame = frames.collections_frame(reports)
    if frame.empty:
        return None
    made, axes = figure(theme)
    keys = list(dict.fromkeys(frame["epoch"]))
    several = frame["environment"].nunique() > 1
    for index, (environment, part) in enumerate(frame.groupby("environment", sort=True)):
        at = [keys.index(key) for key in part["epoch"]]
        colour = SERIES[index % len(SERIES)] if several else ACTIVE
        name = f"{environment}, active" if several else "active"
        axes.plot(at, part["success"], marker="o", ms=4, color=colour, label=name)
        axes.fill_between(at, part["low"], part["high"], color=colour, alpha=0.15, lw=0)
        if part["reference"].notna().any():
            axes.plot(
                at, part["reference"].astype(float), marker="o", ms=3, ls="--",
                color=colour if several else REFERENCE,
                label=f"{environment}, before the last update" if several else "before the last update",
            )  # fmt: skip
    _epoch_ticks(axes, keys)
    _percent(axes)
    legend(axes, theme)
    return made


def lanes(record: CampaignRecord, theme: Theme) -> Figure | None:
    """Episodes in each replay lane by epoch."""
    frame = frames.lanes_frame(record.lanes)
    if frame.empty:
        return None
    made, axes = figure(theme)
    bottom = np.zeros(len(frame))
    at = np.arange(len(frame))
    for lane, colour in LANE_COLOURS.items():
        if lane in frame:
            counts = frame[lane].to_numpy(dtype=float)
            axes.bar(at, counts, bottom=bottom, color=colour, width=0.66, label=lane.replace("_", " "))
            bottom += counts
    _epoch_ticks(axes, frame["epoch"])
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    legend(axes, theme, columns=4, above=True)
    return made


def updates(record: CampaignRecord, theme: Theme) -> Figure | None:
    """KL, entropy and losses of every update, each on its own scale."""
    frame = frames.updates_frame(record.candidates)
    wanted = [
        name
        for name in ("approx_kl", "entropy", "policy_loss", "value_loss", "distillation_loss")
        if name in frame and frame[name].notna().any()
    ]
    if not wanted:
        return None
    made, first = figure(theme, height=1.15 * len(wanted) + 0.4)
    first.remove()
    at = np.arange(len(frame))
    for index, name in enumerate(wanted):
        axes = made.add_subplot(len(wanted), 1, index + 1)
        style(axes, theme)
        axes.plot(at, frame[name].astype(float), marker="o", ms=3, color=SERIES[index])
        axes.set_ylabel(name.replace("_", " ").replace("approx kl", "KL"), fontsize=8, color=theme.ink)
        axes.yaxis.set_major_locator(MaxNLocator(3))
        if index == len(wanted) - 1:
            _epoch_ticks(axes, frame["epoch"])
        else:
            axes.set_xticks([])
    return made


def lineage(record: CampaignRecord, theme: Theme) -> Figure | None:
    """Which checkpoint each pointer named, move by move."""
    moves = record.moves
    if not moves:
        return None
    order = list(dict.fromkeys(move.checkpoint_id for move in moves if move.checkpoint_id))
    made, axes = figure(theme, height=max(1.8, 0.7 + 0.24 * len(order)))
    for index, pointer in enumerate(("last_stable", "pre_update_ref", "active")):
        x, y = _steps(pointer, record, order)
        axes.step(
            x, y, where="post", color=SERIES[(2, 1, 0)[index]], lw=3.2 - index * 0.9,
            label=pointer.replace("_", " "),
        )  # fmt: skip
    axes.set_yticks(range(len(order)), [name[:10] for name in order])
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("pointer move", fontsize=8)
    legend(axes, theme, columns=3, above=True)
    return made


PLOTS: tuple[tuple[str, str, Plot], ...] = (
    ("held-out", "Held-out success (95% intervals)", held_out),
    ("success-at", "Held-out success by verifications allowed", success_at),
    ("training", "Success on fresh training tasks", training_success),
    ("lanes", "Replay lanes", lanes),
    ("updates", "Policy updates", updates),
    ("lineage", "Lineage", lineage),
)
"""The report's plots in order: anchor, title, how to draw it."""


def _steps(pointer: str, record: CampaignRecord, order: Sequence[str]) -> tuple[list[float], list[float]]:
    """The pointer's position after each move of any pointer (a gap where it names nothing)."""
    xs: list[float] = []
    ys: list[float] = []
    at = float("nan")
    for index, move in enumerate(record.moves):
        if move.pointer.value == pointer:
            at = float(order.index(move.checkpoint_id)) if move.checkpoint_id else float("nan")
        xs.append(float(index))
        ys.append(at)
    return [*xs, float(len(record.moves))], [*ys, at]


def _percent(axes: Axes) -> None:
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))


def _epoch_ticks(axes: Axes, keys: Iterable[object]) -> None:
    """Short epoch names (`t7`, `m3`), thinned so that they stay readable."""
    short = [_short(str(key)) for key in keys]
    every = max(1, len(short) // 12)
    axes.set_xticks(range(0, len(short), every), short[::every])


def _short(key: str) -> str:
    kind, number = key.rpartition(".")[2][:1], key.rpartition(".")[2][1:]
    return f"{kind}{int(number)}" if number.isdigit() else key
