"""unittest [FOLDER]: every function called `test_*` in the folder's Python files (default `tests`)."""

from __future__ import annotations

import os
import sys
import traceback
from collections import Counter
from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import program, say

_SHOWN = 120


def work(arguments: list[str]) -> int:
    """Run all of them; exit code 1 when one fails."""
    sys.path.insert(0, str(Path.cwd()))
    passed, failed = 0, []
    places: Counter[str] = Counter()
    for path in sorted(Path(arguments[0] if arguments else "tests").glob("test_*.py")):
        names: dict[str, object] = {"__name__": path.stem}
        exec(compile(path.read_text(), str(path), "exec"), names)
        for name, test in list(names.items()):
            if not (name.startswith("test_") and callable(test)):
                continue
            try:
                test()
                passed += 1
            except Exception as error:  # noqa: BLE001 - whatever a test raises, it failed
                place = _place(error)
                places[place.partition("/")[0]] += 1
                failed.append(f"{path.name}::{name} at {place} {type(error).__name__} {error}"[:_SHOWN])
    for line in failed:
        print(f"FAILED {line}")
    values = {"passed": passed, "failed": len(failed)}
    if failed:
        values["raised_in_vendor"] = places["vendor"]
    say("tests_failed" if failed else "tests_passed", **values)
    return 1 if failed or not passed else 0


def _place(error: BaseException) -> str:
    """File and line where it was raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{os.path.relpath(frame.filename)}:{frame.lineno}"


main = program(work)
