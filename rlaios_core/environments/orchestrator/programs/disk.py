"""disk: how much of the quota is used."""

from __future__ import annotations

from rlaios_core.environments.orchestrator.programs.common import CANNOT_CREATE, program, say, settings, used

_FULL = 0.95


def work(_: list[str]) -> int:
    """Exit code 73 when it is as good as full."""
    quota = settings().get("quota")
    share = used() / quota if quota else 0.0
    say("disk_full" if share >= _FULL else "disk_ok", used=round(share, 2))
    return CANNOT_CREATE if share >= _FULL else 0


main = program(work)
