"""The gates a broken project must pass to become a task, the cheapest first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from rlaios_core.environments.shell.repair import (
    Edit,
    Place,
    ProjectContext,
    anchored,
    apply_edits,
    coverage,
    ochiai,
)
from rlaios_core.environments.shell.verification.results import TestOutcome, VerificationResult

from .equality import exact
from .inject import Injection, function_node, inject
from .projects import Project
from .reference import find_reference

MAX_FAILING_SHARE = 0.6
"""More failing tests than that say nothing about where the bug is."""
WALL_SECONDS = 3.0
"""Bound of a run of broken code; a run that ends takes a tenth of a second."""
CORRECT_WALL_SECONDS = 30.0
"""Bound of a run of correct code, which ends by itself however busy the machine is."""


class Rejection(StrEnum):
    """Why a broken project is no task."""

    NO_SITE = "no_site"
    """The project has no place for the drawn operator."""
    SAME_FUNCTION = "same_function"
    """The second bug fell into the function of the first."""
    DOES_NOT_COMPILE = "does_not_compile"
    """The broken code is no Python."""
    UNCHANGED = "unchanged"
    """The broken code has the same syntax tree."""
    REFERENCE_MISSING = "reference_missing"
    """No candidate of the operator's template undoes the bug."""
    VARIANT_BROKEN = "variant_broken"
    """The correct variant does not pass all its tests."""
    TIMED_OUT = "timed_out"
    """A run took too long."""
    CRASHED = "crashed"
    """A run died, or a test file could not be imported."""
    NO_FAILING_TEST = "no_failing_test"
    """No visible test sees the bug."""
    NO_PASSING_TEST = "no_passing_test"
    """Every visible test fails."""
    TOO_MANY_FAIL = "too_many_fail"
    """Too large a share of the visible tests fails."""
    UNSTABLE = "unstable"
    """The outcome depends on the order of the tests or on the hash seed."""
    REFERENCE_FAILS = "reference_fails"
    """A test, visible or hidden, does not pass with the reference."""
    NOT_LOCALISED = "not_localised"
    """No failing test runs the line of the reference."""
    MASKED = "masked"
    """One of two bugs goes unseen by the visible tests when the other one is repaired."""


class Verifier(Protocol):
    """What runs tests; `VerificationPool` is one."""

    def verify(
        self,
        files: Mapping[str, str],
        tests: Mapping[str, str],
        *,
        trace: bool = False,
        reverse: bool = False,
        hash_seed: int = 0,
        wall_seconds: float | None = None,
    ) -> VerificationResult:
        """Run the tests on the files; see `VerificationPool.verify`."""
        ...


class RejectedError(Exception):
    """A gate was not passed."""

    def __init__(self, reason: Rejection) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Admitted:
    """A broken project that passed, with everything learned on the way."""

    files: Mapping[str, str]
    first_run: VerificationResult
    hidden_baseline: Mapping[str, str]
    suspicion: Mapping[Place, float]
    covered: Mapping[Place, tuple[int, int]]
    reference: tuple[Edit, ...]
    by_bug: tuple[Edit, ...]
    """The edit that undoes each bug, in the order of the bugs."""
    hidden_sees: bool
    """Whether a hidden test fails as well."""


def admit(
    project: Project, correct: Mapping[str, str], bugs: Sequence[Injection], verifier: Verifier
) -> Admitted:
    """Put the bugs in and pass every gate, or raise `RejectedError`. The correct files must be green."""
    mutant = inject(correct, bugs)
    _check_changed(correct, mutant, bugs)
    context = ProjectContext.build(mutant)
    found = [find_reference(correct, mutant, bug, context) for bug in bugs]
    by_bug = tuple(edit for edit in found if edit is not None)
    if len(by_bug) < len(bugs):
        raise RejectedError(Rejection.REFERENCE_MISSING)
    # From the end to the start, so that each span is right whether edits are made one by one or at once.
    reference = tuple(sorted(by_bug, key=lambda edit: (edit.path, edit.start), reverse=True))

    first = run(verifier, mutant, project.tests, trace=True)
    baseline = outcomes(first)
    failing = sum(outcome is not TestOutcome.PASSED for outcome in baseline.values())
    if not failing:
        raise RejectedError(Rejection.NO_FAILING_TEST)
    if failing == len(baseline):
        raise RejectedError(Rejection.NO_PASSING_TEST)
    if failing > MAX_FAILING_SHARE * len(baseline):
        raise RejectedError(Rejection.TOO_MANY_FAIL)
    failed = {node: outcome is not TestOutcome.PASSED for node, outcome in baseline.items()}
    lines = anchored(first.lines or {}, mutant)
    suspicion = ochiai(failed, lines)
    if any((edit.path, edit.line) not in suspicion for edit in reference):
        raise RejectedError(Rejection.NOT_LOCALISED)

    everything = {**project.tests, **project.hidden}
    repaired = run(verifier, apply_edits(mutant, reference), everything)
    if any(outcome is not TestOutcome.PASSED for outcome in outcomes(repaired).values()):
        raise RejectedError(Rejection.REFERENCE_FAILS)
    if baseline != outcomes(run(verifier, mutant, project.tests, reverse=True)):
        raise RejectedError(Rejection.UNSTABLE)
    other = outcomes(run(verifier, mutant, everything, hash_seed=1))
    if baseline != {node: outcome for node, outcome in other.items() if node in baseline}:
        raise RejectedError(Rejection.UNSTABLE)
    if set(other) != set(outcomes(repaired)):
        raise RejectedError(Rejection.UNSTABLE)
    if len(bugs) > 1:
        _check_both_seen(project, mutant, reference, verifier)
    hidden = {node: str(outcome) for node, outcome in other.items() if node not in baseline}
    return Admitted(
        files=mutant,
        first_run=first,
        hidden_baseline=hidden,
        suspicion=suspicion,
        covered={place: counts for place, counts in coverage(failed, lines).items() if place in suspicion},
        reference=reference,
        by_bug=by_bug,
        hidden_sees=any(outcome != TestOutcome.PASSED for outcome in hidden.values()),
    )


def _check_changed(correct: Mapping[str, str], mutant: Mapping[str, str], bugs: Sequence[Injection]) -> None:
    if len({(bug.path, bug.function) for bug in bugs}) < len(bugs):
        raise RejectedError(Rejection.SAME_FUNCTION)
    for bug in bugs:
        try:
            compile(mutant[bug.path], bug.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            raise RejectedError(Rejection.DOES_NOT_COMPILE) from error
        old = function_node(bug.path, correct[bug.path], bug.function)
        new = function_node(bug.path, mutant[bug.path], bug.function)
        if old is None or new is None or exact(old) == exact(new):
            raise RejectedError(Rejection.UNCHANGED)


def _check_both_seen(
    project: Project, mutant: Mapping[str, str], reference: Sequence[Edit], verifier: Verifier
) -> None:
    for edit in reference:
        left = outcomes(run(verifier, apply_edits(mutant, [edit]), project.tests))
        if all(outcome is TestOutcome.PASSED for outcome in left.values()):
            raise RejectedError(Rejection.MASKED)


def run(
    verifier: Verifier,
    files: Mapping[str, str],
    tests: Mapping[str, str],
    *,
    trace: bool = False,
    reverse: bool = False,
    hash_seed: int = 0,
    wall_seconds: float = WALL_SECONDS,
) -> VerificationResult:
    """One run that ended by itself, or `RejectedError`."""
    result = verifier.verify(
        files, tests, trace=trace, reverse=reverse, hash_seed=hash_seed, wall_seconds=wall_seconds
    )
    if result.timed_out:
        raise RejectedError(Rejection.TIMED_OUT)
    if result.crashed or result.collection_errors or not result.reports:
        raise RejectedError(Rejection.CRASHED)
    return result


def outcomes(result: VerificationResult) -> dict[str, TestOutcome]:
    """The outcome of each test, in a fixed order."""
    return {node: result.reports[node].outcome for node in sorted(result.reports)}


def is_green(project: Project, files: Mapping[str, str], verifier: Verifier) -> bool:
    """Whether every test of the project, visible or hidden, passes on these files."""
    try:
        result = run(verifier, files, {**project.tests, **project.hidden}, wall_seconds=CORRECT_WALL_SECONDS)
    except RejectedError:
        return False
    return all(outcome is TestOutcome.PASSED for outcome in outcomes(result).values())


def scrubbed(text: str) -> str:
    """A message without the addresses that differ from run to run."""
    return re.sub(r"0x[0-9a-fA-F]+", "0x…", text)
