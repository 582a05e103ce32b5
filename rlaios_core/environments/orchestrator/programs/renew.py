"""renew: a new credential for one that has run out, where its grant allows it."""

from __future__ import annotations

from rlaios_core.environments.orchestrator.programs.common import TOKEN, call, program, say


def work(_: list[str]) -> None:
    """Exchange the token and keep the new one."""
    old = TOKEN.read_text().strip()
    new = call("POST", "/token", {"token": old}, fails="renewal_refused")["token"]
    TOKEN.write_text(new)
    say("renewed")


main = program(work)
