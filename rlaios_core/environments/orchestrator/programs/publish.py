"""publish FILE NAME: a file to the site, with a line in its manifest; twice is two lines."""

from __future__ import annotations

from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import digest, program, say, write

MANIFEST = "site/MANIFEST"


def work(arguments: list[str]) -> None:
    """Put the file in place first, then the manifest."""
    source, name = arguments
    write(f"site/{name}", Path(source).read_bytes())
    manifest = Path(MANIFEST)
    before = manifest.read_text() if manifest.exists() else ""
    write(MANIFEST, f"{before}{name} {digest(source)}\n".encode())
    say("published", bytes=Path(source).stat().st_size)


main = program(work)
