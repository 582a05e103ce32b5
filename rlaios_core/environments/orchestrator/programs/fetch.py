"""fetch FEED OUTPUT: a feed of the service into a file."""

from __future__ import annotations

from rlaios_core.environments.orchestrator.programs.common import call, program, say, write


def work(arguments: list[str]) -> None:
    """Write the feed's body."""
    feed, target = arguments
    body = call("GET", f"/feeds/{feed}", fails="fetch_failed")["body"]
    write(target, body.encode())
    say("fetched", bytes=len(body))


main = program(work)
