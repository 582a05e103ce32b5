"""Make a result of what a server sent back, believing none of it further than it can be checked."""

from __future__ import annotations

import json
from typing import Any

from rlaios_core.environments.sandbox.levels import IsolationLevel, SandboxError
from rlaios_core.environments.shell.verification.results import TestOutcome, TestReport, VerificationResult

_INTERRUPTED, _INTERNAL, _USAGE = 2, 3, 4


class _Session:
    """State of one session, built up from its records; malformed ones are skipped."""

    def __init__(self, sources: list[str]) -> None:
        self.sources = sources
        self.has_collected = False
        self.collected: tuple[str, ...] = ()
        self.errors: list[str] = []
        self.reports: dict[int, TestReport] = {}
        self.lines: dict[str, frozenset[tuple[str, int]]] = {}
        self.running: int | None = None
        self.internal = ""
        self.end: int | None = None

    def apply(self, kind: str, *values: Any) -> None:
        match kind, values:
            case "collected", (list() as ids,) if not self.has_collected:
                self.has_collected = True
                self.collected = tuple(str(one) for one in ids)
            case "broken", (str() as name, str() as reason):
                self.errors.append(f"{name}: {reason}")
            case "start", (int() as index,):
                self.running = index
            case "report", (int() as index, *rest) if 0 <= index < len(self.collected):
                self._report(index, rest)
            case "internal", (str() as reason,):
                self.internal = reason
            case "end", (int() as status,):
                self.end = status

    def _report(self, index: int, values: list[Any]) -> None:
        outcome, exception, message, expected, actual, frames, seconds, lines = values
        node_id = self.collected[index]
        # The first report of a test counts: a second one can only be forged.
        if index not in self.reports:
            self.reports[index] = TestReport(
                node_id,
                TestOutcome(outcome),
                exception=str(exception),
                message=str(message),
                expected=str(expected),
                actual=str(actual),
                frames=tuple(str(frame) for frame in frames),
                duration=float(seconds),
            )
            if lines is not None:
                self.lines[node_id] = frozenset((self.sources[file], int(line)) for file, line in lines)
        self.running = None


def assemble(
    answer: dict[str, Any],
    records: bytes,
    output: bytes,
    level: IsolationLevel,
    sources: list[str],
    trace: bool,
) -> VerificationResult:
    """The result of one run from its server's answer; ``sources`` is the order that traced lines refer to.

    Raises SandboxError when the run never came to its tests.
    """
    session = _Session(sources)
    secret = answer["secret"].encode()
    for line in records.split(b"\n"):
        if line.startswith(secret):
            try:
                session.apply(*json.loads(line[len(secret) :]))
            except (ValueError, TypeError, IndexError, RecursionError):
                continue
    if not answer["begun"]:
        text = output.decode(errors="replace").strip().splitlines()
        raise SandboxError(f"a run ended with status {answer['status']} before its tests began: {text[-1:]}")
    timed_out = answer["stopped"] == "time" and session.end is None
    crash = "" if timed_out else _crash(answer["status"], answer["stopped"], session)
    reports = {}
    for index, node_id in enumerate(session.collected):
        report = session.reports.get(index)
        if report is None and index == session.running:
            if timed_out:
                report = TestReport(node_id, TestOutcome.TIMEOUT, message="was running when time was up")
            else:
                report = TestReport(node_id, TestOutcome.ERROR, "ProcessExit", crash)
        reports[node_id] = report or TestReport(node_id, TestOutcome.NOT_RUN)
    return VerificationResult(
        level=level,
        reports=reports,
        collected=session.collected,
        collection_errors=tuple(session.errors),
        crashed=bool(crash),
        crash=crash,
        timed_out=timed_out,
        wall_seconds=answer["wall"],
        cpu_seconds=answer["cpu"],
        max_rss_bytes=answer["rss"],
        output=output.decode(errors="replace"),
        dropped_bytes=answer["dropped"],
        lines={node_id: session.lines.get(node_id, frozenset()) for node_id in session.collected}
        if trace
        else None,
    )


def _crash(status: int, stopped: str, session: _Session) -> str:
    if stopped == "workspace":
        return "wrote more to the workspace than the limit"
    if session.end is None:
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return f"the test process ended early with {how}"
    if session.end == _INTERRUPTED:
        return "the session was interrupted"
    if session.end in {_INTERNAL, _USAGE}:
        return f"pytest broke: {session.internal}"[:1000]
    if not session.has_collected and not session.errors:
        return "the record of the session is damaged"
    if len(session.reports) < len(session.collected):  # pytest.exit() with a status of its own choice
        return "the session ended before all tests had run"
    if status != 0:
        return f"the test process ended with status {status} after its session"
    return ""
