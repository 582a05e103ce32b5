"""Evidence in words: unedited output, cut to a bound, with the numbers that programs report."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rlaios_core.environments.orchestrator.harness import WorldState
from rlaios_core.environments.orchestrator.items import Criterion
from rlaios_core.environments.orchestrator.work.client import Ran

MAX_LINE = 320
"""Characters of evidence per decision that reach the student."""
_SIGNAL = re.compile(r"(?<!\S)([a-z_]+):(-?\d+(?:\.\d+)?)(?!\S)")
_MAX_SIGNALS = 8


def evidence_text(ran: Sequence[Ran]) -> str:
    """What the programs printed, newest last; of too much the beginning and the end."""
    parts = []
    for one in ran:
        how = f" stopped:{one.stopped}" if one.stopped else ""
        dropped = f" dropped_bytes:{one.dropped}" if one.dropped else ""
        parts.append(f"{one.name}{how}{dropped} {' '.join(one.output.split())}")
    return bounded(" | ".join(parts))


def bounded(text: str, limit: int = MAX_LINE) -> str:
    """The text, or its first quarter and its end."""
    if len(text) <= limit:
        return text
    head = limit // 4
    return f"{text[:head]} ... {text[len(text) - (limit - head - 5) :]}"


def signals(ran: Sequence[Ran]) -> dict[str, float]:
    """Numbers that the last program reported as `name:value`; the last of a name counts."""
    if not ran:
        return {}
    found = {name: float(value) for name, value in _SIGNAL.findall(ran[-1].output[-2000:])}
    return dict(list(found.items())[-_MAX_SIGNALS:])


def finding(state: WorldState) -> str:
    """What the verifier found, in one line."""
    parts = ["done" if state.done and not state.damage else "not as it should be"]
    for word, names in (
        ("missing", state.missing),
        ("too often", state.excess),
        ("damaged", state.damage),
    ):
        if names:
            parts.append(f"{word}: {', '.join(names)}")
    return bounded("; ".join(parts))


@dataclass(frozen=True)
class Changes:
    """What a run on a copy changed."""

    text: str
    signals: Mapping[str, float]


def changes(before: str, after: str, guards: Iterable[Criterion]) -> Changes:
    """The difference of two censuses; `protected` counts guarded paths and tables among it."""
    old, new = json.loads(before), json.loads(after)
    changed = [path for path, mark in new["files"].items() if old["files"].get(path) != mark]
    deleted = [path for path in old["files"] if path not in new["files"]]
    rows = {
        name: new["tables"].get(name, 0) - count
        for name, count in old["tables"].items()
        if new["tables"].get(name, 0) != count
    }
    guarded = {guard.name for guard in guards} | {guard.path for guard in guards if guard.kind == "digest"}
    lost = [name for name, difference in rows.items() if difference < 0]
    protected = sorted({*changed, *deleted, *lost} & guarded)
    found = {
        "changed": len(changed),
        "deleted": len(deleted),
        "rows_lost": -sum(min(0, d) for d in rows.values()),
        "protected": len(protected),
    }
    words = [f"would change {', '.join(changed) or 'nothing'}"]
    words += [f"table {name} {difference:+d} rows" for name, difference in rows.items()]
    words += [f"protected {name}" for name in protected]
    counts = " ".join(f"{name}:{count}" for name, count in found.items())
    return Changes(bounded("; ".join(words), 160) + f" {counts}", found)
