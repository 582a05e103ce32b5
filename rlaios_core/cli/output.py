"""Answers on standard output: JSON for machines, tables for people. Progress and errors go to stderr."""

import json
import sys
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console, RenderableType
from rich.table import Table

from rlaios_core.files import write_whole

_PIPE_WIDTH = 160


def console() -> Console:
    """Standard output; wide when it is not a terminal, so that lines of a log are not folded."""
    return Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False, soft_wrap=True)


def emit(as_json: bool, data: Any, view: RenderableType) -> None:
    """Print the answer: `data` as one JSON object, or `view`."""
    if as_json:
        sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    else:
        console().print(view)


def frame_table(frame: pd.DataFrame, title: str) -> Table:
    """A frame as a table: numbers to the right, short."""
    table = Table(title=title, title_justify="left")
    for column in frame.columns:
        table.add_column(str(column), justify="right" if frame[column].dtype.kind in "if" else "left")
    for row in frame.itertuples(index=False):
        table.add_row(*[_cell(value) for value in row])
    return table


def write_text(path: Path, text: str) -> Path:
    """Write a whole file or nothing: temporary name, fsync, rename."""
    write_whole(path, text.encode())
    return path


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and pd.isna(value)):
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
