"""diff: what the pending changes say they will touch, without running them."""

from __future__ import annotations

import re
from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import program, say, settings

_DESTRUCTIVE = re.compile(r"\b(?:DROP\s+TABLE|DELETE\s+FROM|UPDATE|ALTER\s+TABLE)\s+(\w+)", re.IGNORECASE)


def work(_: list[str]) -> None:
    """Statements that remove or rewrite, targets that exist already, and which of both are protected."""
    known = settings()
    protected = set(known.get("protected", []))
    touched = []
    for script in sorted(Path("migrations").glob("*.sql")):
        touched += _DESTRUCTIVE.findall(script.read_text())
    touched += [path for path in known.get("writes", []) if Path(path).exists()]
    for name in touched:
        print(f"~ {name}{' [protected]' if name in protected else ''}")
    say("diff_done", rewrites=len(touched), protected=sum(name in protected for name in touched))


main = program(work)
