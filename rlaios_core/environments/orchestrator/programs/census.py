"""census: digests of all files and row counts of all tables, as JSON; for seeing what a run changed."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import digest


def main(_: list[str]) -> int:
    """Print it."""
    files = {str(path): digest(str(path)) for path in sorted(Path().rglob("*")) if path.is_file()}
    tables = {}
    for path in files:
        if path.endswith(".db"):
            tables.update(_tables(path))
    print(json.dumps({"files": files, "tables": tables}))
    return 0


def _tables(path: str) -> dict[str, int]:
    try:
        with closing(sqlite3.connect(path)) as connection:
            names = [
                name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
            ]
            return {
                name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names
            }
    except sqlite3.Error:
        return {}
