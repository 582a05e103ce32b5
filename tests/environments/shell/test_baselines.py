"""The scripted repairers: their orders, and the moves of their script."""

from typing import Any

import pytest

from rlaios_core.environments.shell.baselines import (
    ScriptedRepairer,
    ochiai_then_prior,
    oracle,
    random_score,
    template_rate,
)
from rlaios_core.schema import HANDOFF, STOP, VERIFY, Action, Observation


def payload(suspicion: float, template: str, prior: float, true_group: bool = False) -> dict[str, Any]:
    key = f"{suspicion}{template}{prior}"
    return {
        "edit": key, "suspicion": suspicion, "template": template, "prior": prior, "true_group": true_group
    }  # fmt: skip


LATER_LINE = payload(0.5, "guard", 0.9)
UNUSUAL = payload(1.0, "guard", 0.1, true_group=True)
USUAL = payload(1.0, "boundary", 0.5)


def test_ochiai_prefers_the_suspicious_line_then_the_usual_edit() -> None:
    order = sorted([LATER_LINE, UNUSUAL, USUAL], key=lambda p: -ochiai_then_prior(p, 0))
    assert order == [USUAL, UNUSUAL, LATER_LINE]


def test_the_learned_rate_prefers_templates_that_are_right_more_often() -> None:
    offered = ["guard"] * 90 + ["boundary"]
    score = template_rate([(offered, ["guard"]), (offered, ["boundary"])])
    assert score(USUAL, 0) > score(UNUSUAL, 0) > score(LATER_LINE, 0)


def test_the_oracle_prefers_the_true_line_and_template() -> None:
    assert oracle(UNUSUAL, 0) > max(oracle(USUAL, 0), oracle(LATER_LINE, 0))


def test_the_random_order_depends_on_the_seed() -> None:
    assert random_score(USUAL, 1) == random_score(USUAL, 1) != random_score(USUAL, 2)


def observation(state: str, actions: list[Action]) -> Observation:
    return Observation(
        instruction="repair", context=(f"state #{state}",), actions=tuple(actions), steps_left=9
    )


def moves(state: str, actions: list[Action]) -> str:
    decision = ScriptedRepairer(ochiai_then_prior).act([observation(state, actions)], [0])[0]
    return actions[decision.chosen].text


READS = [
    Action(verb="read", target=name, payload={"share": share})
    for name, share in (("a.py", 1.0), ("b.py", 0.2))
]
PATCHES = [Action(verb="patch", target=f"a.py:{i}", payload=p) for i, p in enumerate((LATER_LINE, USUAL))]
ENDS = [Action(verb=STOP), Action(verb=HANDOFF)]


@pytest.mark.parametrize(
    ("state", "actions", "expected"),
    [
        ("unopened", [*READS, *ENDS], "read a.py"),
        ("unopened", [*reversed(READS), *ENDS], "read a.py"),
        ("clean", [READS[1], *ENDS, *PATCHES], "patch a.py:1"),
        ("clean", [*PATCHES[:1], *ENDS], "patch a.py:0"),
        ("unverified", [Action(verb=VERIFY), *ENDS, *PATCHES], "verify"),
        ("same:spent", [Action(verb="revert", target="a.py:1"), *ENDS], "revert a.py:1"),
        ("improved", [Action(verb="revert", target="a.py:1"), *ENDS, *PATCHES], "patch a.py:1"),
        ("all_pass", [Action(verb="revert", target="a.py:1"), *ENDS], "stop"),
        ("clean:spent", ENDS, "stop"),
    ],
)
def test_the_script_reads_patches_verifies_and_undoes(
    state: str, actions: list[Action], expected: str
) -> None:
    assert moves(state, actions) == expected
