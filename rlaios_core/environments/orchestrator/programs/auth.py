"""auth: who the service says we are, and for how long."""

from __future__ import annotations

from rlaios_core.environments.orchestrator.programs.common import (
    NOT_PERMITTED,
    UNAVAILABLE,
    ask,
    program,
    say,
)


def work(_: list[str]) -> int:
    """Ask without counting as an attempt."""
    status, answer = ask("GET", "/whoami")
    if status == 200:
        say("auth_ok", http=200, hours=round(answer["expires_in"] / 3600, 1))
        return 0
    if status in (401, 403, 423):
        renewable = int(bool(answer.get("renewable")))
        say(f"auth_{status}", http=status, renewable=renewable)
        return NOT_PERMITTED
    say("auth_unknown", http=status)
    return UNAVAILABLE


main = program(work)
