"""Localisation and the choice of candidates."""

import pytest

from rlaios_core.environments.shell.repair import (
    Edit,
    RepairTemplate,
    anchored,
    coverage,
    group_of,
    ochiai,
    select,
)

T = RepairTemplate


def edit(line: int, template: RepairTemplate, nth: int, prior: float = 0.5) -> Edit:
    return Edit("a.py", nth, nth + 1, f"{line}{template}{nth}", line, template, "", "", prior)


EDITS = [
    edit(line, template, nth, 0.9 - nth / 100)
    for line in range(1, 21)
    for template in (T.GUARD, T.BOUNDARY, T.VARIABLE)
    for nth in range(8)
]
SUSPICION = {("a.py", line): 1.0 / line for line in range(1, 21)}


def test_ochiai_of_lines_that_failing_tests_run() -> None:
    lines = {
        "t1": frozenset({("a.py", 1), ("a.py", 2)}),
        "t2": frozenset({("a.py", 1)}),
        "t3": frozenset({("a.py", 1), ("a.py", 3)}),
    }
    failed = {"t1": True, "t2": False, "t3": False}
    scores = ochiai(failed, lines)
    assert scores == {("a.py", 2): 1.0, ("a.py", 1): pytest.approx(1 / 3**0.5, abs=1e-6)}
    assert list(scores) == [("a.py", 2), ("a.py", 1)]
    assert coverage(failed, lines)["a.py", 1] == (1, 2)


def test_a_statement_over_several_lines_counts_as_its_first_one() -> None:
    source = "X = 1\n\n\ndef f(a):\n    b = (\n        a +\n        1)\n    return b\n"
    lines = anchored({"t": frozenset({("m.py", 7), ("m.py", 1)})}, {"m.py": source})
    # The line at import is left out; the header counts because something in the function ran.
    assert lines == {"t": frozenset({("m.py", 5), ("m.py", 4)})}


@pytest.mark.parametrize("limit", [1, 5, 30, 100, 256, 10_000])
def test_the_limit_holds_and_no_group_of_a_chosen_line_is_lost(limit: int) -> None:
    chosen = select(EDITS, SUSPICION, limit)
    assert len(chosen) <= limit
    groups = {group_of(one) for one in chosen}
    lines = {one.line for one in chosen}
    if limit >= 3:
        assert groups == {group_of(one) for one in EDITS if one.line in lines}
        assert lines == set(range(1, len(lines) + 1)), "the most suspicious lines first"
    for one in chosen:
        better = [e for e in EDITS if group_of(e) == group_of(one) and e.prior > one.prior]
        assert {e.key for e in better} <= {e.key for e in chosen}


def test_lines_no_failing_test_runs_are_never_chosen() -> None:
    assert {one.line for one in select(EDITS, {("a.py", 3): 0.5, ("a.py", 4): 0.0}, 256)} == {3}
    assert select(EDITS, {}, 256) == []


def test_all_is_kept_in_order_when_there_is_room() -> None:
    assert select(EDITS, SUSPICION, 10_000) == EDITS
