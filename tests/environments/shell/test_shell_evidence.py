from dataclasses import dataclass

import pytest

from rlaios_core.environments.shell.evidence import failure_line, frame_lines, summary_line, symptom_tags


@dataclass(frozen=True)
class Report:
    """A failing test, as a verification reports it."""

    expected: str = ""
    actual: str = ""
    exception: str = "AssertionError"
    message: str = ""
    node_id: str = "tests/test_a.py::test_total"
    frames: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("expected", "actual", "tags"),
    [
        ("3", "4", {"#delta:+1"}),
        ("3", "2", {"#delta:-1"}),
        ("5", "-5", {"#negated"}),
        ("5", "50", {"#too_big"}),
        ("5", "0", {"#too_small", "#got_zero"}),
        ("True", "False", {"#got_false"}),
        ("[1]", "None", {"#got_none"}),
        ("None", "[1]", {"#want_none"}),
        ("[1, 2]", "[2, 1]", {"#items", "#order"}),
        ("[1, 2, 3]", "[1, 2]", {"#length:-1"}),
        ("[1]", "[1, 2, 3]", {"#longer"}),
        ("[1, 2]", "[1, 3]", {"#one_item"}),
        ("'Ab'", "'ab'", {"#case"}),
        ("'abc'", "'ab'", {"#cut_end", "#length:-1"}),
        ("'ab'", "' ab'", {"#blanks", "#length:+1"}),
        ("{'a': 1}", "{'a': 2}", {"#values"}),
        ("{'a': 1}", "{'b': 1}", {"#keys"}),
        ("[1]", "(1,)", {"#type:tuple_not_list"}),
        ("<object at 0x1>", "3", {"#assert"}),
    ],
)
def test_the_difference_of_values_gives_tags(expected: str, actual: str, tags: set[str]) -> None:
    assert set(symptom_tags(Report(expected=expected, actual=actual))) == tags


def test_an_exception_is_its_own_symptom() -> None:
    assert symptom_tags(Report(exception="IndexError")) == ("#exc:IndexError",)


def test_an_exception_that_did_not_come_is_a_symptom() -> None:
    assert symptom_tags(Report(exception="Failed", message="DID NOT RAISE ValueError")) == ("#no_raise",)


def test_hostile_values_do_not_break_the_reading() -> None:
    assert symptom_tags(Report(expected="(" * 500, actual="\x00")) == ("#assert",)


def test_the_summary_puts_the_commonest_symptom_first() -> None:
    line = summary_line([Report("1", "2"), Report("1", "2"), Report("1", "None")])
    assert line.index("#delta:+1") < line.index("#got_none")


def test_a_failure_line_names_test_place_and_values() -> None:
    line = failure_line(Report("3", "4", frames=("ledger.py:7:total",)))
    assert line == "fails test_total AssertionError at ledger.py:7:total expected 3 got 4"


def test_frames_of_tests_point_nowhere() -> None:
    reports = [Report(frames=("tests/test_a.py:3:test_total", "ledger.py:7:total"))]
    assert frame_lines(reports) == {("ledger.py", 7): 1}
