"""The reward table: from what the tests really did to a verified outcome."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rlaios_core.environments.shell.verification import TestOutcome, VerificationResult
from rlaios_core.schema import Outcome


class GradeReason(StrEnum):
    """Why a tree got its reward."""

    ALL_FIXED = "all_fixed"
    """Every test that failed passes, and nothing else broke: +1."""
    SOME_FIXED = "some_fixed"
    """Some of the failing tests pass, and nothing else broke: +0.25."""
    UNCHANGED = "unchanged"
    """Nothing fixed, nothing broken: 0."""
    NEW_FAILURE = "new_failure"
    """A test that passed before does not pass: -1."""
    MISSING_TEST = "missing_test"
    """An expected test did not run: -1."""
    CRASH = "crash"
    """The run died or could not be collected: -1."""
    TIMEOUT = "timeout"
    """The run did not finish within its bound: -1."""


REWARDS: Mapping[GradeReason, float] = {
    GradeReason.ALL_FIXED: 1.0,
    GradeReason.SOME_FIXED: 0.25,
    GradeReason.UNCHANGED: 0.0,
    GradeReason.NEW_FAILURE: -1.0,
    GradeReason.MISSING_TEST: -1.0,
    GradeReason.CRASH: -1.0,
    GradeReason.TIMEOUT: -1.0,
}
"""Terminal reward by reason, within [-1, 1]."""

OUTCOMES: Mapping[GradeReason, Outcome] = {
    GradeReason.ALL_FIXED: Outcome.SUCCESS,
    GradeReason.SOME_FIXED: Outcome.PARTIAL,
}
"""Outcomes that are not a failure."""


@dataclass(frozen=True)
class Grade:
    """What a verification says against the baseline; node ids of tests."""

    reason: GradeReason
    fixed: tuple[str, ...] = ()
    still_failing: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    @property
    def reward(self) -> float:
        """The terminal reward in [-1, 1]."""
        return REWARDS[self.reason]

    @property
    def outcome(self) -> Outcome:
        """The verified outcome."""
        return OUTCOMES.get(self.reason, Outcome.FAILURE)


def grade(baseline: Mapping[str, str], result: VerificationResult) -> Grade:
    """Judge a run against the outcomes before any patch. A test that is absent is not a test passed."""
    passed = {node for node, report in result.reports.items() if report.outcome is TestOutcome.PASSED}
    should_fail = [node for node, outcome in baseline.items() if outcome != TestOutcome.PASSED]
    fixed = tuple(node for node in should_fail if node in passed)
    still = tuple(node for node in should_fail if node not in passed)
    broken = tuple(
        node for node, outcome in baseline.items() if outcome == TestOutcome.PASSED and node not in passed
    )
    return Grade(_reason(baseline, result, fixed, still, broken), fixed, still, broken)


def _reason(
    baseline: Mapping[str, str],
    result: VerificationResult,
    fixed: tuple[str, ...],
    still: tuple[str, ...],
    broken: tuple[str, ...],
) -> GradeReason:
    if result.timed_out:
        return GradeReason.TIMEOUT
    if result.crashed or result.collection_errors:
        return GradeReason.CRASH
    if any(node not in result.reports for node in baseline):
        return GradeReason.MISSING_TEST
    if broken:
        return GradeReason.NEW_FAILURE
    if not still:
        return GradeReason.ALL_FIXED
    return GradeReason.SOME_FIXED if fixed else GradeReason.UNCHANGED


def merge(visible: Grade, hidden: Grade) -> Grade:
    """The grade of two disjoint test sets together; neither may hide what the other found."""
    fixed = visible.fixed + hidden.fixed
    still = visible.still_failing + hidden.still_failing
    broken = visible.broken + hidden.broken
    for part in (visible, hidden):
        if part.reward < 0:
            return Grade(part.reason, fixed, still, broken)
    if not still:
        reason = GradeReason.ALL_FIXED
    else:
        reason = GradeReason.SOME_FIXED if fixed else GradeReason.UNCHANGED
    return Grade(reason, fixed, still, broken)
