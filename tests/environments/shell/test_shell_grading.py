import itertools

import pytest

from rlaios_core.environments.sandbox import IsolationLevel
from rlaios_core.environments.shell.grading import REWARDS, Grade, GradeReason, grade, merge
from rlaios_core.environments.shell.verification import TestOutcome, TestReport, VerificationResult
from rlaios_core.schema import Outcome

PASS, FAIL = TestOutcome.PASSED, TestOutcome.FAILED
BASELINE = {"a": "passed", "b": "failed", "c": "failed"}


def run(outcomes: dict[str, TestOutcome], **changes: object) -> VerificationResult:
    reports = {
        node: TestReport(
            node_id=node,
            outcome=outcome,
            exception="",
            message="",
            expected="",
            actual="",
            frames=(),
            duration=0.0,
        )
        for node, outcome in outcomes.items()
    }
    values: dict[str, object] = {
        "level": IsolationLevel.LANDLOCK,
        "reports": reports,
        "collected": tuple(reports),
        "collection_errors": (),
        "crashed": False,
        "crash": "",
        "timed_out": False,
        "wall_seconds": 0.0,
        "cpu_seconds": 0.0,
        "max_rss_bytes": 0,
        "output": "",
        "dropped_bytes": 0,
        "lines": None,
    }
    return VerificationResult(**{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("outcomes", "reward", "reason"),
    [
        ({"a": PASS, "b": PASS, "c": PASS}, 1.0, GradeReason.ALL_FIXED),
        ({"a": PASS, "b": PASS, "c": FAIL}, 0.25, GradeReason.SOME_FIXED),
        ({"a": PASS, "b": FAIL, "c": FAIL}, 0.0, GradeReason.UNCHANGED),
        ({"a": FAIL, "b": PASS, "c": PASS}, -1.0, GradeReason.NEW_FAILURE),
        ({"b": PASS, "c": PASS}, -1.0, GradeReason.MISSING_TEST),
        ({"a": TestOutcome.SKIPPED, "b": PASS, "c": PASS}, -1.0, GradeReason.NEW_FAILURE),
        ({"a": PASS, "b": TestOutcome.SKIPPED, "c": PASS}, 0.25, GradeReason.SOME_FIXED),
        ({"a": PASS, "b": TestOutcome.XPASSED, "c": PASS}, 0.25, GradeReason.SOME_FIXED),
        ({"a": TestOutcome.TIMEOUT, "b": PASS, "c": PASS}, -1.0, GradeReason.NEW_FAILURE),
    ],
)
def test_the_reward_table(outcomes: dict[str, TestOutcome], reward: float, reason: GradeReason) -> None:
    graded = grade(BASELINE, run(outcomes))
    assert (graded.reward, graded.reason) == (reward, reason)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"crashed": True}, GradeReason.CRASH),
        ({"timed_out": True}, GradeReason.TIMEOUT),
        ({"collection_errors": ("x",)}, GradeReason.CRASH),
    ],
)
def test_a_run_that_did_not_end_well_is_no_success(change: dict[str, object], reason: GradeReason) -> None:
    graded = grade(BASELINE, run({"a": PASS, "b": PASS, "c": PASS}, **change))
    assert (graded.reward, graded.reason) == (-1.0, reason)


def test_tests_that_nobody_expected_change_nothing() -> None:
    assert grade(BASELINE, run({"a": PASS, "b": PASS, "c": PASS, "planted": PASS})).reward == 1.0


@pytest.mark.parametrize(("visible", "hidden"), list(itertools.product(GradeReason, GradeReason)))
def test_hidden_tests_can_only_lower_a_success(visible: GradeReason, hidden: GradeReason) -> None:
    def of(reason: GradeReason) -> Grade:
        fixed = ("x",) if reason in (GradeReason.ALL_FIXED, GradeReason.SOME_FIXED) else ()
        still = ("y",) if reason in (GradeReason.UNCHANGED, GradeReason.SOME_FIXED) else ()
        return Grade(reason, fixed, still, ("z",) if REWARDS[reason] < 0 else ())

    merged = merge(of(visible), of(hidden))
    if merged.outcome is Outcome.SUCCESS:
        assert visible is hidden is GradeReason.ALL_FIXED
    if REWARDS[visible] < 0 or REWARDS[hidden] < 0:
        assert merged.reward == -1.0
