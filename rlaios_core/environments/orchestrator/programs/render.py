"""render INPUT.csv OUTPUT: totals of the second column by the first, one line each."""

from __future__ import annotations

import csv
from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import DATA_ERROR, Failed, program, say, write


def work(arguments: list[str]) -> None:
    """Write the totals."""
    source, target = arguments
    totals: dict[str, int] = {}
    with Path(source).open(newline="") as file:
        for number, row in enumerate(csv.reader(file), start=1):
            try:
                key, amount = row[0], int(row[1])
            except (IndexError, ValueError):
                raise Failed(DATA_ERROR, "bad_row", line=number) from None
            totals[key] = totals.get(key, 0) + amount
    write(target, "".join(f"{key} {total}\n" for key, total in sorted(totals.items())).encode())
    say("rendered", lines=len(totals))


main = program(work)
