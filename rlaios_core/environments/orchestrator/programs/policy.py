"""policy: the notices about the work, and which of them are still open."""

from __future__ import annotations

from rlaios_core.environments.orchestrator.programs.common import call, program, say


def work(_: list[str]) -> int:
    """Exit code 1 while a notice is open."""
    notices = call("GET", "/notices", fails="notices_unknown")
    for notice in notices:
        print(f"{notice['id']} {notice['text']} [{notice['status']}]")
    still = sum(notice["status"] == "open" for notice in notices)
    say("policy_open" if still else "policy_clear", open=still, closed=len(notices) - still)
    return 1 if still else 0


main = program(work)
