"""What a failing test says, as words, numbers and tags for the student."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sized
from typing import Protocol

from rlaios_core.environments.shell.syntax import literal

MAX_TAGS = 10


class FailureReport(Protocol):
    """The parts of a failing test's report that are read here."""

    @property
    def node_id(self) -> str: ...  # noqa: D102
    @property
    def exception(self) -> str: ...  # noqa: D102
    @property
    def message(self) -> str: ...  # noqa: D102
    @property
    def expected(self) -> str: ...  # noqa: D102
    @property
    def actual(self) -> str: ...  # noqa: D102
    @property
    def frames(self) -> tuple[str, ...]: ...  # noqa: D102


def symptom_tags(report: FailureReport) -> tuple[str, ...]:
    """How the actual value differs from the expected one, as `#tags`."""
    if "DID NOT RAISE" in report.message:
        return ("#no_raise",)
    if report.exception and report.exception != "AssertionError":
        return (f"#exc:{report.exception}",)
    try:
        expected, actual = literal(report.expected), literal(report.actual)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ("#assert",) if report.expected or report.actual else ("#assert_plain",)
    return tuple(_difference(expected, actual))


def _difference(expected: object, actual: object) -> Iterable[str]:
    if isinstance(expected, bool) and isinstance(actual, bool):
        yield f"#got_{str(actual).lower()}"
    elif actual is None:
        yield "#got_none"
    elif expected is None:
        yield "#want_none"
    elif isinstance(expected, int | float) and isinstance(actual, int | float):
        yield from _numeric(float(expected), float(actual))
    elif type(expected) is not type(actual):
        yield f"#type:{type(actual).__name__}_not_{type(expected).__name__}"
    elif isinstance(expected, str) and isinstance(actual, str):
        yield from _textual(expected, actual)
    elif isinstance(expected, Sized) and isinstance(actual, Sized):
        yield from _collected(expected, actual)
    else:
        yield "#differs"


def _numeric(expected: float, actual: float) -> Iterable[str]:
    delta = actual - expected
    if abs(delta) == 1:
        yield f"#delta:{delta:+.0f}"
    elif actual == -expected:
        yield "#negated"
    else:
        yield "#too_big" if delta > 0 else "#too_small"
    if actual == 0:
        yield "#got_zero"


def _textual(expected: str, actual: str) -> Iterable[str]:
    if expected.lower() == actual.lower():
        yield "#case"
    elif expected.split() == actual.split():
        yield "#blanks"
    elif expected.startswith(actual) or expected.endswith(actual):
        yield "#cut" + ("_end" if expected.startswith(actual) else "_start")
    elif actual.startswith(expected) or actual.endswith(expected):
        yield "#extra" + ("_end" if actual.startswith(expected) else "_start")
    else:
        yield "#text"
    yield from _lengths(expected, actual)


def _collected(expected: Sized, actual: Sized) -> Iterable[str]:
    yield from _lengths(expected, actual)
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple):
        if len(expected) == len(actual):
            different = sum(a != b for a, b in zip(expected, actual, strict=True))
            yield "#one_item" if different == 1 else "#items"
            if sorted(map(repr, expected)) == sorted(map(repr, actual)):
                yield "#order"
    elif isinstance(expected, dict) and isinstance(actual, dict):
        yield "#keys" if set(expected) != set(actual) else "#values"


def _lengths(expected: Sized, actual: Sized) -> Iterable[str]:
    difference = len(actual) - len(expected)
    if abs(difference) == 1:
        yield f"#length:{difference:+d}"
    elif difference:
        yield "#longer" if difference > 0 else "#shorter"


def failure_line(report: FailureReport) -> str:
    """One context line about a failing test; its tags are in the summary line, not here."""
    name = report.node_id.rsplit("::", 1)[-1]
    where = f" at {report.frames[-1]}" if report.frames else ""
    values = f" expected {report.expected[:60]} got {report.actual[:60]}" if report.expected else ""
    return f"fails {name} {report.exception}{where}{values or ' ' + report.message[:80]}"


def summary_line(reports: Iterable[FailureReport]) -> str:
    """The symptoms of all failing tests together, commonest first."""
    reports = list(reports)
    counts = Counter(tag for report in reports for tag in set(symptom_tags(report)))
    tags = [tag for tag, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_TAGS]]
    return " ".join([f"symptoms failing:{min(1.0, len(reports) / 20):.2f}", *tags])


def frame_lines(reports: Iterable[FailureReport]) -> Mapping[tuple[str, int], int]:
    """How often each (file, line) stands in a failing test's traceback; test files left out."""
    counts: Counter[tuple[str, int]] = Counter()
    for report in reports:
        for frame in report.frames:
            path, line, *_ = frame.split(":")
            if not path.startswith(("tests/", "hidden/")) and line.isdigit():
                counts[path, int(line)] += 1
    return counts
