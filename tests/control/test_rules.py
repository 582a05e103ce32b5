"""Each line of the tables in design section 5."""

import pytest

from rlaios_core.control import ComparisonSettings, ControlState, Mode, rules
from rlaios_core.control.state import FrozenPair, OpenEpoch, Round
from rlaios_core.schema import (
    ComparisonResult,
    ComparisonStatus,
    EnvironmentBreakdown,
    EpochKind,
    Lineage,
    RelativeOutcome,
    RollbackReason,
)

RULES = ComparisonSettings()


def result(
    outcome: Round = Round.SAME,
    *,
    difference: float = 0.0,
    p_worse: float = 0.5,
    p_better: float = 0.5,
    parts: tuple[tuple[str, float, float], ...] = (("fake", 0.0, 0.5),),
    active: str = "ck-2",
    reference: str = "ck-1",
) -> ComparisonResult:
    failed = outcome is Round.FAILED
    return ComparisonResult(
        campaign="alpha",
        epoch=1,
        active_checkpoint=active,
        reference_checkpoint=reference,
        seed=1,
        status=ComparisonStatus.COMPARISON_FAILED if failed else ComparisonStatus.COMPLETED,
        relative_outcome=None if failed else RelativeOutcome(outcome.value),
        pairs=60,
        valid_pairs=60,
        better_pairs=0,
        worse_pairs=0,
        mean_difference=difference,
        interval_low=difference,
        interval_high=difference,
        p_worse=p_worse,
        p_better=p_better,
        environments=tuple(
            EnvironmentBreakdown(
                environment=name,
                pairs=60,
                valid_pairs=60,
                active_mean=0.0,
                reference_mean=0.0,
                mean_difference=mean,
                better_pairs=0,
                worse_pairs=0,
                p_worse=0.5,
                p_better=p,
            )
            for name, mean, p in parts
        ),
    )


def state(**changes: object) -> ControlState:
    base = ControlState(
        campaign="alpha",
        rules=RULES,
        environments=("fake",),
        position=1,
        lineage=Lineage(active="ck-2", pre_update_ref="ck-1", last_stable="ck-0"),
    )
    return base.model_copy(update=changes)


@pytest.mark.parametrize(
    ("outcome", "streak"), [(Round.BETTER, 0), (Round.SAME, 2), (Round.WORSE, 3), (Round.FAILED, 2)]
)
def test_what_a_round_does_to_the_streak(outcome: Round, streak: int) -> None:
    assert rules.count_round(FrozenPair(rounds=2, streak=2), outcome, RULES).streak == streak


def test_failed_comparisons_count_when_the_settings_say_so() -> None:
    counting = ComparisonSettings(count_failed_comparisons=True)
    assert rules.count_round(FrozenPair(streak=1), Round.FAILED, counting).streak == 2


def test_a_pair_is_released_after_its_rounds_unless_a_rollback_is_due() -> None:
    pair = rules.count_round(FrozenPair(rounds=4, streak=1), Round.SAME, RULES)
    assert pair.released
    assert pair.streak == 0
    assert rules.count_round(pair, Round.WORSE, RULES).streak == 0
    due = rules.count_round(FrozenPair(rounds=4, streak=2), Round.WORSE, RULES)
    assert not due.released
    assert due.streak == 3
    assert not rules.count_round(FrozenPair(rounds=4), Round.FAILED, RULES).released


SEQUENTIAL = ComparisonSettings(sequential=True)


@pytest.mark.parametrize(
    ("streak", "better", "worse", "decision"),
    [
        (1, 0, 21, rules.SequentialDecision.WORSE),
        (1, 0, 20, rules.SequentialDecision.OPEN),
        (1, 5, 0, rules.SequentialDecision.NOT_WORSE),
        (1, 4, 0, rules.SequentialDecision.OPEN),
        (2, 10, 10, rules.SequentialDecision.OPEN),
        (0, 0, 60, rules.SequentialDecision.OPEN),
    ],
)
def test_pooled_rounds_decide_by_walds_bounds_once_there_is_doubt(
    streak: int, better: int, worse: int, decision: rules.SequentialDecision
) -> None:
    pair = FrozenPair(streak=streak, better_pairs=better, worse_pairs=worse)
    assert rules.sequential_decision(pair, SEQUENTIAL) is decision
    assert rules.sequential_decision(pair, RULES) is rules.SequentialDecision.OPEN


def test_a_sequential_decision_rolls_back_or_releases() -> None:
    mild = result(Round.WORSE, difference=-0.1, p_worse=0.04)
    worse = FrozenPair(streak=1, worse_pairs=30)
    assert rules.rollback_due(worse, mild, SEQUENTIAL) is RollbackReason.SEQUENTIAL
    assert rules.rollback_due(worse, mild, RULES) is None
    cleared = FrozenPair(rounds=1, streak=1, better_pairs=9, worse_pairs=1)
    assert rules.count_round(cleared, Round.SAME, SEQUENTIAL).released
    assert not rules.count_round(cleared, Round.SAME, RULES).released


def test_only_completed_rounds_are_pooled() -> None:
    round_ = result(Round.WORSE).model_copy(update={"better_pairs": 2, "worse_pairs": 7})
    pair = rules.pooled(rules.pooled(FrozenPair(), round_, SEQUENTIAL), round_, SEQUENTIAL)
    assert (pair.better_pairs, pair.worse_pairs) == (4, 14)
    assert rules.pooled(pair, result(Round.FAILED), SEQUENTIAL) == pair
    assert rules.pooled(pair, round_, RULES) == pair


@pytest.mark.parametrize(
    ("pair", "found", "due"),
    [
        (FrozenPair(streak=2), result(Round.WORSE, difference=-0.1, p_worse=0.04), None),
        (FrozenPair(streak=3), result(Round.WORSE, difference=-0.1, p_worse=0.04), RollbackReason.STREAK),
        (FrozenPair(streak=1), result(Round.WORSE, difference=-0.2, p_worse=0.01), RollbackReason.SHARP_LOSS),
        (FrozenPair(streak=1), result(Round.WORSE, difference=-0.19, p_worse=0.001), None),
        (FrozenPair(streak=1), result(Round.WORSE, difference=-0.3, p_worse=0.011), None),
        (FrozenPair(), result(Round.FAILED, difference=-0.5, p_worse=0.001), None),
    ],
)
def test_when_a_rollback_is_due(
    pair: FrozenPair, found: ComparisonResult, due: RollbackReason | None
) -> None:
    assert rules.rollback_due(pair, found, RULES) is due


def test_a_drift_needs_two_checks() -> None:
    low = result(Round.WORSE, difference=-0.1, p_worse=0.03)
    assert rules.drifted(low, RULES)
    assert not rules.drifted(result(Round.WORSE, difference=-0.1, p_worse=0.031), RULES)
    assert not rules.drifted(result(Round.FAILED, difference=-0.1, p_worse=0.0), RULES)
    assert not rules.drift_due([low], RULES)
    assert rules.drift_due([low, low], RULES)
    assert not rules.drift_due([low, result()], RULES)


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"lineage": Lineage(active="a", last_stable="a")}, EpochKind.TRAINING),
        ({"pair": FrozenPair()}, EpochKind.TRAINING),
        ({"pair": FrozenPair(last=Round.BETTER)}, EpochKind.TRAINING),
        ({"pair": FrozenPair(last=Round.SAME)}, EpochKind.TRAINING),
        ({"pair": FrozenPair(last=Round.WORSE, streak=1)}, EpochKind.MONITORING),
        ({"pair": FrozenPair(last=Round.FAILED)}, EpochKind.MONITORING),
        ({"pair": FrozenPair(last=Round.SAME, streak=1)}, EpochKind.MONITORING),
        ({"pair": FrozenPair(last=Round.WORSE, released=True)}, EpochKind.TRAINING),
    ],
)
def test_the_next_epochs_kind(changes: dict[str, object], kind: EpochKind) -> None:
    assert rules.next_epoch_kind(state(**changes)) is kind


def open_training(*, compared: bool = True) -> OpenEpoch:
    return OpenEpoch(epoch=1, kind=EpochKind.TRAINING, recorded=("fake",), compared=compared)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"pair": FrozenPair(last=Round.SAME)}, None),
        ({"pair": FrozenPair(last=Round.WORSE, released=True)}, None),
        (
            {"lineage": Lineage(active="a", last_stable="a"), "open_epoch": open_training(compared=False)},
            None,
        ),
        ({"open_epoch": open_training(compared=False)}, "not compared"),
        ({"open_epoch": None}, "no epoch"),
        ({"open_epoch": OpenEpoch(epoch=1, kind=EpochKind.MONITORING)}, "monitoring"),
        ({"mode": Mode.FROZEN_FAILURE}, "frozen_failure"),
        ({"mode": Mode.ROLLBACK_PENDING}, "rollback_pending"),
        ({"mode": Mode.PAUSED}, "paused"),
        ({"due": RollbackReason.DRIFT}, "rollback is due"),
        ({"pair": FrozenPair(last=Round.FAILED)}, "failed"),
        ({"pair": FrozenPair(last=Round.FAILED, released=True)}, "failed"),
        ({"pair": FrozenPair(last=Round.WORSE, streak=1)}, "worse"),
        ({"pair": FrozenPair(last=Round.SAME, streak=1)}, "streak is 1"),
    ],
)
def test_when_an_update_is_allowed(changes: dict[str, object], why: str | None) -> None:
    refusal = rules.update_refusal(state(**{"open_epoch": open_training(), **changes}))
    assert refusal is None if why is None else why in (refusal or "")


def test_when_a_check_against_last_stable_is_due() -> None:
    assert rules.check_due(state(rounds_since_check=3))
    assert not rules.check_due(state(rounds_since_check=2))
    assert not rules.check_due(state(rounds_since_check=3, due=RollbackReason.STREAK))
    same = Lineage(active="ck-0", pre_update_ref=None, last_stable="ck-0")
    assert not rules.check_due(state(rounds_since_check=3, lineage=same))
    off = ComparisonSettings(confirmation_pairs=0)
    assert not rules.check_due(state(rounds_since_check=9, rules=off))


def failing(gates: tuple[rules.GateFinding, ...]) -> list[str]:
    return [gate.gate for gate in gates if not gate.passed]


def test_early_gates_in_their_order() -> None:
    calm = (Round.SAME, Round.BETTER, Round.SAME)
    assert failing(rules.early_gates(state(window=calm, covered=("fake",)))) == []
    assert failing(rules.early_gates(state(window=calm[:2], covered=("fake",)))) == ["stable rounds"]
    assert failing(rules.early_gates(state(window=calm))) == ["coverage"]
    worse = (Round.WORSE, Round.SAME, Round.SAME)
    assert failing(rules.early_gates(state(window=worse, covered=("fake",)))) == ["stable rounds"]
    failed = (Round.FAILED, Round.SAME, Round.SAME)
    found = rules.early_gates(
        state(window=failed, covered=("fake",), due=RollbackReason.STREAK, environments=("fake", "web"))
    )
    assert failing(found) == ["no rollback due", "coverage", "no failed comparison"]
    assert [gate.gate for gate in found] == [
        "no rollback due",
        "coverage",
        "no failed comparison",
        "stable rounds",
    ]


def late(
    found: ComparisonResult, *, first: bool = False, violations: tuple[float, float] = (0, 0)
) -> list[str]:
    return failing(rules.late_gates(found, RULES, first_promotion=first, violation_rates=violations))


def test_late_gates() -> None:
    better = result(Round.BETTER, difference=0.1, parts=(("fake", 0.1, 0.01),))
    assert late(better) == []
    assert late(result()) == ["gain"]
    assert late(result(), first=True) == []
    assert late(result(parts=(("fake", 0.2, 0.01), ("web", -0.04, 0.5)))) == []
    assert late(result(parts=(("fake", 0.2, 0.01), ("web", -0.051, 0.5)))) == ["every environment"]
    assert late(better, violations=(0.1, 0.04)) == ["safety"]
    assert late(better, violations=(0.1, 0.05)) == []
    assert "not worse" in late(result(Round.WORSE, difference=-0.1), first=True)
    assert "not worse" in late(result(Round.FAILED), first=True)


def test_pause_after_four_failed_comparisons_in_a_row() -> None:
    assert not rules.pause_due(state(failed_in_a_row=3))
    assert rules.pause_due(state(failed_in_a_row=4))


def test_after_a_comparison() -> None:
    before = state(pair=FrozenPair(rounds=1, streak=1), failed_in_a_row=2, window=(Round.WORSE,) * 3)
    after = rules.after_comparison(before, result(Round.SAME))
    assert after.failed_in_a_row == 0
    assert after.window == (Round.WORSE, Round.WORSE, Round.SAME)
    assert after.covered == ("fake",)
    assert after.rounds_since_check == 1
    failed = rules.after_comparison(before, result(Round.FAILED))
    assert failed.failed_in_a_row == 3
    assert failed.streak == 1
    assert failed.covered == ()
    assert failed.rounds_since_check == 0
