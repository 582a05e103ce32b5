"""tidy: remove what can be made again (the `cache` folder), oldest name first, until there is room."""

from __future__ import annotations

from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import CANNOT_CREATE, program, say, settings, used

_ROOM = 0.7


def work(_: list[str]) -> int:
    """Exit code 73 when there still is no room."""
    quota, removed = settings().get("quota", 0), 0
    for path in sorted(Path("cache").glob("*")):
        if used() <= _ROOM * quota:
            break
        path.unlink()
        removed += 1
    say("tidied", removed=removed, used=round(used() / quota, 2) if quota else 0)
    return CANNOT_CREATE if quota and used() > _ROOM * quota else 0


main = program(work)
