"""lint: whether sources compile and tables have rows of one shape."""

from __future__ import annotations

import csv
from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import DATA_ERROR, program, say


def work(_: list[str]) -> int:
    """Exit code 65 when something is malformed."""
    problems = []
    for path in sorted(Path().rglob("*.py")):
        try:
            compile(path.read_text(), str(path), "exec")
        except SyntaxError as error:
            problems.append(f"{path}:{error.lineno} {error.msg}")
    for path in sorted(Path().rglob("*.csv")):
        with path.open(newline="") as file:
            for number, row in enumerate(csv.reader(file), start=1):
                if len(row) != 2 or not row[1].lstrip("-").isdigit():
                    problems.append(f"{path}:{number} {','.join(row)}")
    for problem in problems[:5]:
        print(problem)
    say("lint_problems" if problems else "lint_clean", problems=len(problems))
    return DATA_ERROR if problems else 0


main = program(work)
