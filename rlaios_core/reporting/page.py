"""The one-page HTML report: self-contained, readable on a phone, in light and dark."""

from base64 import b64encode
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, select_autoescape

from rlaios_core.reporting import frames, plots
from rlaios_core.reporting.record import CampaignRecord
from rlaios_core.reporting.table import duration, facts
from rlaios_core.reporting.theme import DARK, LIGHT

_MOST_PICTURES = 8


def render_page(record: CampaignRecord) -> str:
    """The whole report as one HTML text. Images are inline; nothing outside is referred to."""
    environment = Environment(
        autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(
        files("rlaios_core.reporting").joinpath("report.html.j2").read_text(encoding="utf-8")
    )
    summary = record.summary
    return template.render(
        campaign=summary.campaign,
        seed=summary.seed,
        environments=", ".join(summary.environments),
        took=duration(summary.wall_seconds),
        headline=_headline(record),
        facts=facts(summary),
        plots=[_drawn(anchor, title, draw, record) for anchor, title, draw in plots.PLOTS],
        tables=[
            _table("Held-out success", frames.held_out_frame(summary.held_out)),
            _table("Held-out metrics of the environments", frames.metrics_frame(summary.held_out)),
            _table("By task family (solved/played)", frames.family_frame(summary.held_out)),
            _table("Epochs", frames.epochs_frame(summary.epochs)),
            _table("Comparisons", frames.comparisons_frame(record.comparisons)),
            _table("Policy updates", frames.updates_frame(record.candidates)),
            _table("Pointer moves", frames.moves_frame(record.moves)),
        ],
        pictures=_pictures(record),
        settings=sorted(_flat(summary.settings).items()),
    )


def _pictures(record: CampaignRecord) -> list[dict[str, str]]:
    """The newest pictures that environments kept of episodes, inline; those that are gone are left out."""
    found: list[dict[str, str]] = []
    for collection in reversed(record.collections):
        for path, text in collection.artifacts.items():
            picture = Path(path)
            if len(found) < _MOST_PICTURES and picture.suffix == ".png" and picture.is_file():
                data = b64encode(picture.read_bytes()).decode("ascii")
                found.append({"text": f"{collection.key} {text}", "data": f"data:image/png;base64,{data}"})
    return found


def _headline(record: CampaignRecord) -> list[dict[str, str]]:
    """The few numbers that say whether the campaign worked, one card each."""
    cards = []
    for environment, arms in sorted(record.summary.held_out.items()):
        for arm in ("untrained", "heuristic", "trained", "oracle"):
            if arm in arms:
                score = arms[arm]
                cards.append(
                    {
                        "label": f"{environment}: {arm}",
                        "value": f"{score.success:.1%}",
                        "note": f"{score.low:.1%} to {score.high:.1%}, {score.episodes} episodes",
                    }
                )
    return cards


def _drawn(anchor: str, title: str, draw: plots.Plot, record: CampaignRecord) -> dict[str, str] | None:
    light, dark = draw(record, LIGHT), draw(record, DARK)
    if light is None or dark is None:
        return None
    return {"anchor": anchor, "title": title, "light": plots.png(light), "dark": plots.png(dark)}


def _table(title: str, frame: pd.DataFrame) -> dict[str, Any] | None:
    if frame.empty:
        return None
    return {
        "title": title,
        "columns": [str(column).replace("_", " ") for column in frame.columns],
        "rows": [[_cell(value) for value in row] for row in frame.itertuples(index=False)],
    }


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and pd.isna(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def _flat(settings: dict[str, object], prefix: str = "") -> dict[str, str]:
    """Nested settings as dotted names."""
    flat: dict[str, str] = {}
    for name, value in settings.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{name}."))
        else:
            flat[f"{prefix}{name}"] = (
                ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            )
    return flat
