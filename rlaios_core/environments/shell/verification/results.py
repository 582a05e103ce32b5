"""What one verification found out, in the caller's terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rlaios_core.environments.sandbox.levels import IsolationLevel


class TestOutcome(StrEnum):
    """How one test ended."""

    __test__ = False

    PASSED = "passed"
    """Ran and passed."""
    FAILED = "failed"
    """Its body failed."""
    ERROR = "error"
    """Its set-up or tear-down failed, or the process ended in the middle of it."""
    SKIPPED = "skipped"
    """Chose not to run."""
    XFAILED = "xfailed"
    """Failed as its author expected."""
    XPASSED = "xpassed"
    """Passed although its author expected a failure."""
    TIMEOUT = "timeout"
    """Was running when time was up."""
    NOT_RUN = "not_run"
    """Was collected but its turn never came."""


@dataclass(frozen=True)
class TestReport:
    """One test of one verification."""

    __test__ = False

    node_id: str
    """pytest's name of the test, relative to the workspace."""
    outcome: TestOutcome
    """How it ended."""
    exception: str = ""
    """Type name of the exception that ended it."""
    message: str = ""
    """The exception's text, at most 300 characters."""
    expected: str = ""
    """Representation of the expected value of the failing assertion, as far as it is known."""
    actual: str = ""
    """Representation of the value found instead."""
    frames: tuple[str, ...] = ()
    """`file:line:function` of up to 6 workspace frames of the traceback, innermost last."""
    duration: float = 0.0
    """Seconds spent in set-up, body and tear-down."""


@dataclass(frozen=True)
class VerificationResult:
    """Everything one verification observed; a statement about the tested code only."""

    level: IsolationLevel
    """The isolation the tests ran in."""
    reports: Mapping[str, TestReport]
    """Every collected test by node id, in order of collection."""
    collected: tuple[str, ...]
    """Node ids in the order they were to run."""
    collection_errors: tuple[str, ...]
    """One `file: reason` for each test file that could not be imported."""
    crashed: bool
    """The test process ended before its session did (and not for lack of time)."""
    crash: str
    """How it ended, empty when it did not crash."""
    timed_out: bool
    """Wall-clock or CPU time was up."""
    wall_seconds: float
    """Wall-clock seconds from the fork to the end of the last process."""
    cpu_seconds: float
    """CPU seconds of all processes of the run."""
    max_rss_bytes: int
    """Largest resident size of any process of the run, in bytes."""
    output: str
    """Standard output and error: the beginning and the end when there was too much."""
    dropped_bytes: int
    """Bytes of output that were dropped."""
    lines: Mapping[str, frozenset[tuple[str, int]]] | None = None
    """With tracing: for each test the (file, line) of project code it executed."""
