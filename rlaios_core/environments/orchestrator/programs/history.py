"""history: how earlier runs of the same work ended."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import program, say

_RECORD = "var/history.jsonl"


def work(_: list[str]) -> None:
    """Share of good runs, how often the result changed, and the newest ones."""
    file = Path(_RECORD)
    lines = file.read_text().splitlines() if file.exists() else []
    runs = [json.loads(line)["result"] == "passed" for line in lines]
    if not runs:
        say("history_none", runs=0)
        return
    flips = sum(a != b for a, b in pairwise(runs))
    recent = runs[-3:]
    say(
        "history_shown",
        runs=len(runs),
        passed=round(sum(runs) / len(runs), 1),
        flips=flips,
        recent=round(sum(recent) / len(recent), 1),
    )


main = program(work)
