"""The pytest plugin of a run: records what happens, as it happens, in memory shared with the server.

One JSON array per line, each led by the run's secret: `["collected", [ids]]`, `["broken", file, reason]`,
`["start", i]`, `["report", i, outcome, exception, message, expected, actual, frames, seconds, lines]`,
`["internal", reason]`, `["end", exit status]`. A session without an `end` did not end by itself.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any, Literal

import pytest

from rlaios_core.environments.sandbox.ledger import SharedLedger
from rlaios_core.environments.shell.verification.explain import Failure, explain, shown
from rlaios_core.environments.shell.verification.tracing import LineTracer

_TEXT_CHARACTERS = 1000
_WORST_FIRST = ("failed", "error", "xfailed", "skipped", "xpassed")
_INTERRUPTIONS = (pytest.exit.Exception, KeyboardInterrupt)


class Recorder:
    """Hooks that observe a session; the only one that changes anything reverses the order on request."""

    def __init__(
        self, ledger: SharedLedger, secret: str, workspace: str, tracer: LineTracer | None, reverse: bool
    ) -> None:
        self._append = ledger.append
        self._secret = secret
        self._workspace = workspace
        self._tracer = tracer
        self._reverse = reverse
        self._index: dict[str, int] = {}
        self._compared: tuple[str, str] | None = None
        self._failure: Failure | None = None
        self._outcomes: set[str] = set()
        self._seconds = 0.0
        # Bound now, so that tested code patching the module does not reach the record.
        self._dumps = json.dumps

    def _record(self, *event: object) -> None:
        self._append(f"{self._secret}{self._dumps(event)}\n".encode())

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Note what is about to run, in order."""
        if self._reverse:
            items.reverse()
        ids = [item.nodeid for item in items]
        self._index = {node_id: index for index, node_id in enumerate(ids)}
        self._record("collected", ids)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a test file that cannot be imported."""
        if report.failed:
            text = str(report.longrepr).strip()
            self._record("broken", report.nodeid, text[-_TEXT_CHARACTERS:])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run one test as pytest does, but make reports only of what may not have passed.

        Three report objects and six hook calls for each passing test are half of what a small test costs.
        """
        hook, session = item.ihook, item.session
        self._compared, self._failure, self._seconds = None, None, 0.0
        self._outcomes.clear()
        self._record("start", self._index[item.nodeid])
        if self._phase(item, "setup", lambda: hook.pytest_runtest_setup(item=item)):
            self._phase(item, "call", lambda: hook.pytest_runtest_call(item=item))
        following = None if session.shouldfail or session.shouldstop else nextitem
        self._phase(item, "teardown", lambda: hook.pytest_runtest_teardown(item=item, nextitem=following))
        self._finish(item)
        return True

    def _phase(
        self, item: pytest.Item, when: Literal["setup", "call", "teardown"], run: Callable[[], None]
    ) -> bool:
        call = pytest.CallInfo.from_call(run, when, reraise=_INTERRUPTIONS)
        self._seconds += call.duration
        if call.excinfo is None and self._is_plain(item):
            return True
        report = item.ihook.pytest_runtest_makereport(item=item, call=call)
        item.ihook.pytest_runtest_logreport(report=report)
        return bool(report.passed)

    @staticmethod
    def _is_plain(item: pytest.Item) -> bool:
        """Whether not raising means having passed, with nobody waiting for a report."""
        # unittest's failures are kept in a list that is evaluated while the report is made.
        if type(item) is not pytest.Function and getattr(item, "_excinfo", True):
            return False
        # tmp_path looks at the reports when it tidies up.
        return (
            "tmp_path" not in getattr(item, "fixturenames", ()) and item.get_closest_marker("xfail") is None
        )

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> list[str]:
        """Keep both sides of a failed comparison; by convention the left one is the actual value."""
        self._compared = (shown(left), shown(right))
        return [f"{self._compared[0]} {op} {self._compared[1]}"]

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        """Describe a failure ourselves: pytest's own text costs milliseconds and nobody would read it."""
        if call.excinfo is None or isinstance(call.excinfo.value, pytest.skip.Exception):
            return None
        if self._failure is None:
            self._failure = explain(call.excinfo.value, self._compared, self._workspace)
        quiet = pytest.CallInfo.from_call(lambda: None, when=call.when)
        report = pytest.TestReport.from_item_and_call(item, quiet)
        report.outcome = "failed"
        report.longrepr = self._failure.message
        report.duration = call.duration
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take note of one phase of the running test."""
        expected = hasattr(report, "wasxfail")
        outcome: str = report.outcome
        if expected and outcome in {"skipped", "passed"}:
            outcome = "xfailed" if outcome == "skipped" else "xpassed"
        elif outcome == "failed":
            outcome = "failed" if report.when == "call" else "error"
            if self._failure is None:  # a strict expected failure that passed has no exception
                self._failure = Failure("", str(report.longrepr)[:300], "", "", ())
        if type(report) is pytest.TestReport or outcome == "failed":  # a skipped subtest skips no test
            self._outcomes.add(outcome)

    def _finish(self, item: pytest.Item) -> None:
        worst = next((outcome for outcome in _WORST_FIRST if outcome in self._outcomes), "passed")
        failure = self._failure if worst in {"failed", "error"} else None
        failure = failure or Failure("", "", "", "", ())
        self._record(
            "report", self._index[item.nodeid], worst, failure.exception, failure.message, failure.expected,
            failure.actual, failure.frames, round(self._seconds, 6),
            self._tracer.take() if self._tracer is not None else None,
        )  # fmt: skip

    def pytest_internalerror(self, excrepr: object) -> None:
        """Note that pytest itself broke."""
        self._record("internal", str(excrepr)[-_TEXT_CHARACTERS:])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Note the regular end and leave at once: exit handlers of tested code have no business here."""
        self._record("end", int(exitstatus))
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError, AttributeError):  # tested code closed or replaced it
                continue
        os._exit(0)
