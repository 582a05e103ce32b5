"""load INPUT.csv DATABASE TABLE: every row into a table of two columns; twice is twice."""

from __future__ import annotations

import csv
import sqlite3
from contextlib import closing
from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import DATA_ERROR, SOFTWARE, Failed, program, say


def work(arguments: list[str]) -> None:
    """Insert the rows in one transaction."""
    source, database, table = arguments
    with Path(source).open(newline="") as file:
        rows = list(csv.reader(file))
    for number, row in enumerate(rows, start=1):
        if len(row) != 2 or not row[1].lstrip("-").isdigit():
            raise Failed(DATA_ERROR, "bad_row", line=number)
    try:
        with closing(sqlite3.connect(database)) as connection, connection:
            connection.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(k, int(v)) for k, v in rows])
    except sqlite3.Error as error:
        raise Failed(SOFTWARE, f"{error}") from error
    say("loaded", rows=len(rows))


main = program(work)
