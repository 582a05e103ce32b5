"""Each admission gate turns away what it is for."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from bug_worlds import PROJECT, SOURCE, InProcessVerifier

from rlaios_core.environments.shell.bugs.admission import RejectedError, Rejection, admit, is_green
from rlaios_core.environments.shell.bugs.inject import Injection
from rlaios_core.environments.shell.repair import RepairTemplate, apply_edits
from rlaios_core.environments.shell.verification import TestOutcome, VerificationResult

T = RepairTemplate
Change = Callable[[VerificationResult], VerificationResult]


def bug(old: str, new: str, template: RepairTemplate, function: str = "total") -> Injection:
    start = SOURCE.encode().index(old.encode())
    return Injection(
        "by_hand", 1.0, template, "sums.py", function, start, start + len(old.encode()), new, 0.5
    )


BOUNDARY = bug("value <= limit", "value < limit", T.BOUNDARY)
GUARD = bug("    if not values:\n        return 0\n", "", T.GUARD, "first")


def rejection(*bugs: Injection, changes: dict[int, Change] | None = None) -> Rejection:
    with pytest.raises(RejectedError) as caught:
        admit(PROJECT, PROJECT.files, bugs, InProcessVerifier(changes=changes or {}))
    return caught.value.reason


def turned(node: str, outcome: TestOutcome) -> Change:
    return lambda result: replace(
        result, reports={**result.reports, node: replace(result.reports[node], outcome=outcome)}
    )


def test_a_good_bug_is_admitted() -> None:
    verifier = InProcessVerifier()
    admitted = admit(PROJECT, PROJECT.files, [BOUNDARY], verifier)
    assert apply_edits(admitted.files, admitted.reference) == PROJECT.files
    assert admitted.hidden_sees
    assert admitted.reference[0].template is T.BOUNDARY
    assert admitted.suspicion["sums.py", admitted.reference[0].line] > 0
    assert len(verifier.calls) == 4
    assert [call["reverse"] for call in verifier.calls].count(True) == 1
    assert [call["hash_seed"] for call in verifier.calls].count(1) == 1


def test_two_bugs_are_admitted_when_both_are_seen() -> None:
    admitted = admit(PROJECT, PROJECT.files, [BOUNDARY, GUARD], InProcessVerifier())
    starts = [edit.start for edit in admitted.reference]
    assert starts == sorted(starts, reverse=True)
    assert [edit.template for edit in admitted.by_bug] == [T.BOUNDARY, T.GUARD]


GATES = [
    (Rejection.DOES_NOT_COMPILE, [bug("result = 0", "result = =", T.CONSTANT)], {}),
    (Rejection.UNCHANGED, [bug("result = 0", "result = (0)", T.CONSTANT)], {}),
    (Rejection.SAME_FUNCTION, [BOUNDARY, bug("result = 0", "result = 1", T.LITERAL_FILL)], {}),
    (Rejection.REFERENCE_MISSING, [bug("value <= limit", "value < limit", T.GUARD)], {}),
    (Rejection.NO_FAILING_TEST, [bug("result += value", "result = result + value", T.AUGMENT)], {}),
    (Rejection.TIMED_OUT, [BOUNDARY], {1: lambda result: replace(result, timed_out=True)}),
    (Rejection.CRASHED, [BOUNDARY], {2: lambda result: replace(result, crashed=True)}),
    (Rejection.CRASHED, [BOUNDARY], {1: lambda result: replace(result, collection_errors=("x",))}),
    (Rejection.NOT_LOCALISED, [BOUNDARY], {1: lambda result: replace(result, lines={})}),
    (
        Rejection.REFERENCE_FAILS,
        [BOUNDARY],
        {2: turned("hidden/test_more.py::test_at", TestOutcome.FAILED)},
    ),
    (Rejection.UNSTABLE, [BOUNDARY], {3: turned("tests/test_sums.py::test_below", TestOutcome.FAILED)}),
    (Rejection.UNSTABLE, [BOUNDARY], {4: turned("tests/test_sums.py::test_first", TestOutcome.ERROR)}),
]


@pytest.mark.parametrize(("reason", "bugs", "changes"), GATES)
def test_a_gate_turns_away(reason: Rejection, bugs: list[Injection], changes: dict[int, Change]) -> None:
    if reason is Rejection.NO_FAILING_TEST:
        # `result = result + value` for `result += value` is no other program, but another tree.
        assert rejection(*bugs) in (reason, Rejection.REFERENCE_MISSING)
    else:
        assert rejection(*bugs, changes=changes) is reason


def all_with(outcome: TestOutcome, but: int = 0) -> Change:
    def change(result: VerificationResult) -> VerificationResult:
        nodes = list(result.reports)[but:]
        return replace(
            result,
            reports={
                **result.reports,
                **{node: replace(result.reports[node], outcome=outcome) for node in nodes},
            },
        )

    return change


def test_how_many_tests_may_fail() -> None:
    assert rejection(BOUNDARY, changes={1: all_with(TestOutcome.PASSED)}) is Rejection.NO_FAILING_TEST
    assert rejection(BOUNDARY, changes={1: all_with(TestOutcome.FAILED)}) is Rejection.NO_PASSING_TEST
    assert rejection(BOUNDARY, changes={1: all_with(TestOutcome.FAILED, 1)}) is Rejection.TOO_MANY_FAIL


def test_two_bugs_of_which_one_goes_unseen_are_turned_away() -> None:
    unseen = {5: all_with(TestOutcome.PASSED)}
    assert rejection(BOUNDARY, GUARD, changes=unseen) is Rejection.MASKED


def test_a_correct_variant_must_be_green() -> None:
    assert is_green(PROJECT, PROJECT.files, InProcessVerifier())
    broken = {"sums.py": SOURCE.replace("result = 0", "result = 1")}
    assert not is_green(PROJECT, broken, InProcessVerifier())
    assert not is_green(PROJECT, PROJECT.files, InProcessVerifier(changes={1: all_with(TestOutcome.SKIPPED)}))
