"""A tiny project whose tests are plain functions, run in this process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rlaios_core.environments.sandbox import IsolationLevel
from rlaios_core.environments.shell.bugs import Project
from rlaios_core.environments.shell.repair.source import parse_module
from rlaios_core.environments.shell.verification import TestOutcome, TestReport, VerificationResult

SOURCE = '''"""Sums."""


def total(values: list, limit: int) -> int:
    """Add up to the limit, the limit included."""
    result = 0
    for value in values:
        if value <= limit:
            result += value
    return result


def first(values: list) -> int:
    """The first value, 0 when there is none."""
    if not values:
        return 0
    return values[0]
'''

Check = Callable[[dict[str, Any]], bool]
VISIBLE: dict[str, Check] = {
    "tests/test_sums.py::test_below": lambda m: m["total"]([1, 2], 5) == 3,
    "tests/test_sums.py::test_at": lambda m: m["total"]([5], 5) == 5,
    "tests/test_sums.py::test_above": lambda m: m["total"]([7], 5) == 0,
    "tests/test_sums.py::test_first": lambda m: m["first"]([4, 2]) == 4,
    "tests/test_sums.py::test_none": lambda m: m["first"]([]) == 0,
}
HIDDEN: dict[str, Check] = {
    "hidden/test_more.py::test_at": lambda m: m["total"]([2, 3], 3) == 5,
    "hidden/test_more.py::test_first": lambda m: m["first"]([9]) == 9,
}
PROJECT = Project(
    name="sums",
    split="train",
    description="Adds numbers.",
    files={"sums.py": SOURCE},
    tests={"tests/test_sums.py": "# visible"},
    hidden={"hidden/test_more.py": "# hidden"},
)


@dataclass
class InProcessVerifier:
    """Runs the checks directly; `changes` rewrites a result by the number of the call."""

    checks: Mapping[str, Check] = field(default_factory=lambda: {**VISIBLE, **HIDDEN})
    changes: Mapping[int, Callable[[VerificationResult], VerificationResult]] = field(default_factory=dict)
    calls: list[dict[str, Any]] = field(default_factory=list)

    __hash__ = object.__hash__

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
        self.calls.append(
            {"trace": trace, "reverse": reverse, "hash_seed": hash_seed, "tests": sorted(tests)}
        )
        space: dict[str, Any] = {}
        exec(compile(files["sums.py"], "sums.py", "exec"), space)
        wanted = {node: check for node, check in self.checks.items() if node.split("::")[0] in tests}
        reports = {node: self._report(node, check, space) for node, check in wanted.items()}
        lines = None
        if trace:
            module = parse_module("sums.py", files["sums.py"])
            lines = {
                node: frozenset(
                    ("sums.py", one.line)
                    for one in module.statements
                    if one.function.name == ("first" if "first" in node or "none" in node else "total")
                )
                for node in wanted
            }
        result = make_result(reports, lines)
        return self.changes.get(len(self.calls), lambda same: same)(result)

    def _report(self, node: str, check: Check, space: dict[str, Any]) -> TestReport:
        try:
            outcome = TestOutcome.PASSED if check(space) else TestOutcome.FAILED
            exception = "" if outcome is TestOutcome.PASSED else "AssertionError"
        except (IndexError, TypeError, NameError, ValueError, ZeroDivisionError) as error:
            outcome, exception = TestOutcome.FAILED, type(error).__name__
        return TestReport(node, outcome, exception, "at 0x7f00", "1", "2", ("sums.py:3:total",), 0.0)


def make_result(
    reports: Mapping[str, TestReport],
    lines: Mapping[str, frozenset[tuple[str, int]]] | None = None,
    **changes: Any,
) -> VerificationResult:
    values: dict[str, Any] = {
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
        "lines": lines,
    }
    return VerificationResult(**(values | changes))
