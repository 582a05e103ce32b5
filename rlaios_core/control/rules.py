"""The consequences of verdicts, as pure functions of the control state (design section 5)."""

from collections.abc import Sequence
from enum import StrEnum
from math import log

from rlaios_core.control.events import GateFinding
from rlaios_core.control.settings import ComparisonSettings
from rlaios_core.control.state import ControlState, FrozenPair, Mode, Round, round_of
from rlaios_core.schema import ComparisonResult, EpochKind, RelativeOutcome, RollbackReason


def count_round(pair: FrozenPair, outcome: Round, rules: ComparisonSettings) -> FrozenPair:
    """The frozen pair after one more round.

    better: streak 0; same: unchanged; worse: +1; failed: unchanged, or +1 when the settings say so.
    Failed rounds do not count towards `max_rounds`. A released pair has no streak any more. A sequential
    test that finds the pair not worse releases it too.
    """
    counts = outcome is Round.WORSE or (outcome is Round.FAILED and rules.count_failed_comparisons)
    rounds = pair.rounds + (outcome is not Round.FAILED)
    streak = 0 if outcome is Round.BETTER or pair.released else pair.streak + counts
    settled = sequential_decision(pair, rules) is SequentialDecision.NOT_WORSE
    released = pair.released or settled or (rounds >= rules.max_rounds and streak < rules.streak_limit)
    return pair.model_copy(
        update={
            "rounds": rounds,
            "streak": 0 if released else streak,
            "released": released,
            "last": outcome,
        }
    )


class SequentialDecision(StrEnum):
    """What the pooled rounds on one frozen pair say."""

    WORSE = "worse"
    """The active policy is worse."""
    NOT_WORSE = "not_worse"
    """It is not worse by as much as matters."""
    OPEN = "open"
    """More pairs are needed, or nobody asked."""


def pooled(pair: FrozenPair, result: ComparisonResult, rules: ComparisonSettings) -> FrozenPair:
    """The frozen pair with a completed round's matched pairs added, where a sequential test wants them."""
    if result.relative_outcome is None or not rules.sequential:
        return pair
    return pair.model_copy(
        update={
            "better_pairs": pair.better_pairs + result.better_pairs,
            "worse_pairs": pair.worse_pairs + result.worse_pairs,
        }
    )


def sequential_decision(pair: FrozenPair, rules: ComparisonSettings) -> SequentialDecision:
    """Wald's sequential probability ratio test on the pairs that differ (Wald 1945, "Sequential tests of
    statistical hypotheses"): is the share of worse ones 1/2, or `sequential_share`?

    Only a pair in doubt is tested: one whose streak has begun.
    """
    if not rules.sequential or pair.streak == 0:
        return SequentialDecision.OPEN
    share, alpha, beta = rules.sequential_share, rules.sequential_alpha, rules.sequential_beta
    evidence = pair.worse_pairs * log(2 * share) + pair.better_pairs * log(2 * (1 - share))
    if evidence >= log((1 - beta) / alpha):
        return SequentialDecision.WORSE
    return SequentialDecision.NOT_WORSE if evidence <= log(beta / (1 - alpha)) else SequentialDecision.OPEN


def rollback_due(
    pair: FrozenPair, result: ComparisonResult, rules: ComparisonSettings
) -> RollbackReason | None:
    """Whether a round against `pre_update_ref` calls for a rollback: a sharp loss, the streak's end, or the
    sequential test's word.
    """
    sharp = result.mean_difference <= -rules.sharp_loss and result.p_worse <= rules.sharp_alpha
    if result.relative_outcome is not None and sharp:
        return RollbackReason.SHARP_LOSS
    if pair.streak >= rules.streak_limit:
        return RollbackReason.STREAK
    decided = sequential_decision(pair, rules) is SequentialDecision.WORSE
    return RollbackReason.SEQUENTIAL if decided else None


def drifted(result: ComparisonResult, rules: ComparisonSettings) -> bool:
    """Whether one check finds active below `last_stable`."""
    return (
        result.relative_outcome is not None
        and result.p_worse <= rules.drift_alpha
        and result.mean_difference <= -rules.margin
    )


def drift_due(confirmations: Sequence[ComparisonResult], rules: ComparisonSettings) -> bool:
    """Whether two checks on fresh pairs both find a drift; one alone is too often chance."""
    return len(confirmations) >= 2 and all(drifted(result, rules) for result in confirmations)


def rollback_target(state: ControlState, reason: RollbackReason) -> str | None:
    """The checkpoint that a rollback for `reason` restores; null when there is none to return to."""
    if reason is RollbackReason.DRIFT:
        return state.lineage.last_stable
    return state.lineage.pre_update_ref


def next_epoch_kind(state: ControlState) -> EpochKind:
    """Training after better or same, or without a reference; monitoring while there is doubt."""
    pair = state.pair
    doubt = pair.streak > 0 or pair.last in (Round.WORSE, Round.FAILED)
    if state.lineage.pre_update_ref is None or pair.released or not doubt:
        return EpochKind.TRAINING
    return EpochKind.MONITORING


def update_refusal(state: ControlState) -> str | None:
    """Why the open epoch may not update the policy; null when it may."""
    epoch = state.open_epoch
    if state.mode is not Mode.RUNNING:
        return f"the campaign is {state.mode.value}"
    if epoch is None:
        return "no epoch is open"
    if epoch.kind is EpochKind.MONITORING:
        return "a monitoring epoch updates nothing"
    if state.due is not None:
        return f"a rollback is due ({state.due.value})"
    if state.lineage.pre_update_ref is None:
        return None
    if not epoch.compared:
        return "the last update was not compared yet"
    if state.pair.last is Round.FAILED:
        return "the comparison failed"
    if state.pair.released:
        return None
    if state.pair.last is Round.WORSE:
        return "the last update was found worse"
    if state.pair.streak > 0:
        return f"the degradation streak is {state.pair.streak}"
    return None


def check_due(state: ControlState) -> bool:
    """Whether the active policy is to be held against `last_stable` in this epoch."""
    return (
        state.mode is Mode.RUNNING
        and state.rules.confirmation_pairs > 0
        and state.due is None
        and state.lineage.active != state.lineage.last_stable
        and state.rounds_since_check >= state.rules.stable_rounds
    )


def pause_due(state: ControlState) -> bool:
    """Whether so many comparisons failed in a row that a person must look."""
    return state.mode is Mode.RUNNING and state.failed_in_a_row >= state.rules.failed_limit


def early_gates(state: ControlState) -> tuple[GateFinding, ...]:
    """The promotion gates that need no confirmation, in order."""
    missing = sorted(set(state.environments) - set(state.covered))
    window = state.window[-state.rules.stable_rounds :]
    calm = len(window) == state.rules.stable_rounds and Round.WORSE not in window
    return (
        GateFinding(
            gate="no rollback due",
            passed=state.due is None and state.mode is Mode.RUNNING,
            detail=state.due.value if state.due else "none",
        ),
        GateFinding(
            gate="coverage",
            passed=not missing,
            detail=f"not compared since the last promotion: {', '.join(missing)}" if missing else "complete",
        ),
        GateFinding(
            gate="no failed comparison",
            passed=Round.FAILED not in window,
            detail=f"{window.count(Round.FAILED)} of the last {len(window)} rounds failed",
        ),
        GateFinding(
            gate="stable rounds",
            passed=calm,
            detail=f"{len(window)} rounds, {window.count(Round.WORSE)} worse, "
            f"{state.rules.stable_rounds} needed",
        ),
    )


def late_gates(
    result: ComparisonResult,
    rules: ComparisonSettings,
    *,
    first_promotion: bool,
    violation_rates: tuple[float, float],
) -> tuple[GateFinding, ...]:
    """The promotion gates that a confirmation against `last_stable` decides, in order.

    `violation_rates` are the shares of episodes with a safety violation, of active and of last_stable.
    """
    active, stable = violation_rates
    low = [e for e in result.environments if e.mean_difference < -rules.gate_tolerance]
    gained = result.relative_outcome is RelativeOutcome.BETTER or any(
        part.p_better <= rules.alpha_better and part.mean_difference >= rules.margin
        for part in result.environments
    )
    return (
        GateFinding(
            gate="not worse",
            passed=round_of(result) in (Round.BETTER, Round.SAME),
            detail=f"{round_of(result).value}, mean difference {result.mean_difference:+.3f}",
        ),
        GateFinding(
            gate="safety",
            passed=active - stable <= rules.gate_tolerance,
            detail=f"violations {active:.3f} against {stable:.3f}",
        ),
        GateFinding(
            gate="every environment",
            passed=not low,
            detail=", ".join(f"{e.environment} {e.mean_difference:+.3f}" for e in low) or "none below",
        ),
        GateFinding(
            gate="gain",
            passed=gained or first_promotion,
            detail="better somewhere" if gained else f"no gain, first promotion: {first_promotion}",
        ),
    )


def after_comparison(state: ControlState, result: ComparisonResult) -> ControlState:
    """The state after a verdict against `pre_update_ref`."""
    rules, outcome = state.rules, round_of(result)
    pair = count_round(pooled(state.pair, result, rules), outcome, rules)
    failed = outcome is Round.FAILED
    covered = {*state.covered, *(part.environment for part in result.environments if part.valid_pairs)}
    return state.model_copy(
        update={
            "pair": pair,
            "failed_in_a_row": state.failed_in_a_row + 1 if failed else 0,
            "window": (*state.window, outcome)[-rules.stable_rounds :],
            "covered": state.covered if failed else tuple(sorted(covered)),
            "rounds_since_check": state.rounds_since_check + (not failed),
            "due": rollback_due(pair, result, rules),
        }
    )
