"""push FILE COLLECTION: the lines of a file to a collection of the service; twice is twice."""

from __future__ import annotations

from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import call, program, say


def work(arguments: list[str]) -> None:
    """Send all lines in one request."""
    source, collection = arguments
    lines = Path(source).read_text().splitlines()
    call("POST", f"/collections/{collection}", lines, fails="push_failed")
    say("pushed", records=len(lines))


main = program(work)
