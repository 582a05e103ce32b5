"""package ARCHIVE FILE...: a zip archive whose bytes depend on the files' contents only."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import program, say, write


def work(arguments: list[str]) -> None:
    """Write the archive."""
    target, *sources = arguments
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for source in sources:
            archive.writestr(zipfile.ZipInfo(source), Path(source).read_bytes())
    write(target, buffer.getvalue())
    say("packaged", files=len(sources))


main = program(work)
