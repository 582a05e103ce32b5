"""Reports of the core as Dagster metadata: numbers the UI draws over time, tables, inline plots."""

from collections.abc import Mapping

import dagster as dg
import pandas as pd
from matplotlib.figure import Figure
from pydantic import BaseModel

from rlaios_core.reporting.plots import png


def numbers(report: BaseModel | Mapping[str, object], *names: str) -> dict[str, int | float | str]:
    """The named fields of a report that are there: numbers stay numbers, so that the UI plots them."""
    values = report if isinstance(report, Mapping) else {name: getattr(report, name) for name in names}
    found: dict[str, int | float | str] = {}
    for name in names or values:
        value = values.get(name)
        if isinstance(value, bool):
            found[name] = int(value)
        elif isinstance(value, int | float | str) and value != "":
            found[name] = value
    return found


def table(frame: pd.DataFrame) -> dg.MarkdownMetadataValue:
    """A frame as a markdown table."""
    header = "| " + " | ".join(str(column) for column in frame.columns) + " |"
    rule = "|" + " --- |" * len(frame.columns)
    rows = ["| " + " | ".join(_cell(value) for value in row) + " |" for row in frame.itertuples(index=False)]
    return dg.MetadataValue.md("\n".join([header, rule, *rows]))


def counts(name: str, values: Mapping[str, int]) -> dg.MarkdownMetadataValue:
    """Counts by name, largest first."""
    ordered = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return table(pd.DataFrame(ordered, columns=[name, "count"]))


def plot(made: Figure | None, title: str, name: str = "plot") -> dict[str, dg.MarkdownMetadataValue]:
    """A figure as an image inside markdown; nothing when there is no figure."""
    return {} if made is None else {name: dg.MetadataValue.md(f"![{title}]({png(made)})")}


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if pd.isna(value) else f"{value:.4g}"
    return "" if value is None else str(value).replace("|", "\\|")
