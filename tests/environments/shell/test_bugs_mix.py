"""The shares of the templates, over many positions and without running anything."""

from collections import Counter

import pytest

from rlaios_core.environments.shell.bugs import MIX
from rlaios_core.environments.shell.bugs.inject import function_is_held_out, injectable
from rlaios_core.environments.shell.bugs.mix import templates_for
from rlaios_core.environments.shell.repair import HELD_OUT_TEMPLATES, NATURAL
from rlaios_core.schema import Split


@pytest.mark.parametrize("split", [Split.TRAIN, Split.HELD_OUT_VARIANT, Split.HELD_OUT, Split.FINAL])
def test_shares_over_two_thousand_tasks(split: Split) -> None:
    drawn = [templates_for(split, 5, index) for index in range(2_000)]
    counts = Counter(templates[0] for templates in drawn)
    assert max(counts.values()) <= 0.12 * 2_000
    assert sum(counts[template] for template in NATURAL) >= 0.65 * 2_000
    assert not counts.keys() & HELD_OUT_TEMPLATES
    assert sum(len(templates) == 2 for templates in drawn) == 300
    assert counts == {template: 20 * share for template, share in MIX.items()}


def test_held_out_operators_have_a_split_of_their_own() -> None:
    drawn = {one for index in range(300) for one in templates_for(Split.HELD_OUT_OPERATOR, 1, index)}
    assert drawn == HELD_OUT_TEMPLATES


def test_the_position_alone_decides() -> None:
    forward = [templates_for(Split.TRAIN, 3, index) for index in range(150)]
    backward = [templates_for(Split.TRAIN, 3, index) for index in reversed(range(150))]
    assert forward == backward[::-1]
    assert forward != [templates_for(Split.TRAIN, 4, index) for index in range(150)]


def test_functions_of_training_projects_are_split() -> None:
    names = [f"function_{number}" for number in range(1_000)]
    kept = [name for name in names if function_is_held_out("p", name)]
    assert 150 < len(kept) < 250
    for name in names:
        assert injectable(Split.TRAIN, "p", name) != injectable(Split.HELD_OUT_VARIANT, "p", name)
        assert injectable(Split.FINAL, "p", name)
