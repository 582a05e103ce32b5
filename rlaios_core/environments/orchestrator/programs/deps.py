"""deps: the health of what the work depends on."""

from __future__ import annotations

from collections import Counter

from rlaios_core.environments.orchestrator.programs.common import UNAVAILABLE, call, program, say


def work(_: list[str]) -> int:
    """Exit code 69 while something is not ready."""
    states = call("GET", "/health", fails="health_unknown")
    for name, state in sorted(states.items()):
        print(f"{name} {state}")
    counts = Counter(states.values())
    waiting = len(states) - counts["ready"]
    say("deps_waiting" if waiting else "deps_ready", building=counts["building"], down=counts["down"])
    return UNAVAILABLE if waiting else 0


main = program(work)
