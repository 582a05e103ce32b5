"""Error rates of the default rules: false rollbacks, and how soon a loss or a drift is caught.

Campaigns are simulated with the very functions that decide. Tasks have pass rates from Beta(1.2, 1.2); 70%
of matched pairs share their luck; the environments have equal shares of the 60 pairs. `last_stable` was
promoted before the simulation begins. Run it with `make bench-gate-errors`; its last line is one JSON object.
"""

import argparse
import json
from dataclasses import dataclass, field

import numpy as np

from rlaios_core.control import ComparisonSettings, rules
from rlaios_core.control.comparison_engine import Measure, verdict
from rlaios_core.control.state import FrozenPair, Round
from rlaios_core.evaluation import mcnemar_p, wilson_interval
from rlaios_core.schema import ComparisonResult, ComparisonStatus, EnvironmentBreakdown, RollbackReason

NAME = "gate-errors"
RULES = ComparisonSettings()
PAIRS = 60
SHARED_LUCK = 0.7
FALSE, SHARP, DRIFT = 0.01, 4.0, 0.15
"""Targets: false rollbacks in 50 rounds, rounds until -20 points are caught, loss until -2 a round is."""


def play(rng: np.random.Generator, pairs: int, active: float, reference: float) -> np.ndarray:
    """Differences of success per pair, for skills given as shifts of the tasks' pass rates."""
    rate = rng.beta(1.2, 1.2, size=pairs)
    luck = rng.random(pairs)
    other = np.where(rng.random(pairs) < SHARED_LUCK, luck, rng.random(pairs))
    won = luck < np.clip(rate + active, 0, 1)
    return won.astype(int) - (other < np.clip(rate + reference, 0, 1)).astype(int)


def measured(differences: np.ndarray) -> Measure:
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    return Measure(
        pairs=len(differences),
        better=better,
        worse=worse,
        active_mean=0.0,
        reference_mean=0.0,
        mean_difference=float(differences.mean()),
        p_worse=mcnemar_p(better, worse),
        p_better=mcnemar_p(worse, better),
    )


def judged(differences: np.ndarray, environments: int) -> tuple[ComparisonResult, Round]:
    overall = measured(differences)
    parts = {str(i): measured(part) for i, part in enumerate(np.array_split(differences, environments))}
    outcome = verdict(overall, parts, RULES)
    result = ComparisonResult.model_construct(
        status=ComparisonStatus.COMPLETED,
        relative_outcome=outcome,
        mean_difference=overall.mean_difference,
        p_worse=overall.p_worse,
        p_better=overall.p_better,
        better_pairs=overall.better,
        worse_pairs=overall.worse,
        environments=tuple(
            EnvironmentBreakdown.model_construct(
                environment=name, mean_difference=part.mean_difference, p_better=part.p_better
            )
            for name, part in parts.items()
        ),
    )
    return result, Round(outcome.value)


@dataclass
class Run:
    """A campaign in which every update shifts the skill by `step`; `shock` is a one-off at the start."""

    rng: np.random.Generator
    environments: int
    step: float = 0.0
    shock: float = 0.0
    settings: ComparisonSettings = RULES
    skill: float = 0.0
    before: float = 0.0
    stable: float = 0.0
    pair: FrozenPair = field(default_factory=FrozenPair)
    window: tuple[Round, ...] = ()
    since_check: int = 0

    def __post_init__(self) -> None:
        self.skill = self.shock or self.step

    def round(self) -> RollbackReason | None:
        """One epoch: compare, check, update where the rules allow it."""
        result, outcome = judged(play(self.rng, PAIRS, self.skill, self.before), self.environments)
        self.pair = rules.count_round(rules.pooled(self.pair, result, self.settings), outcome, self.settings)
        self.window = (*self.window, outcome)[-RULES.stable_rounds :]
        self.since_check += 1
        due = rules.rollback_due(self.pair, result, self.settings)
        if due is None and self.since_check >= RULES.stable_rounds:
            due = self.check()
        if due is None and self.may_update():
            self.before, self.skill = self.skill, self.skill + self.step
            self.pair = FrozenPair()
        return due

    def may_update(self) -> bool:
        """Whether the rules let the next update go ahead."""
        return self.pair.released or (self.pair.streak == 0 and self.pair.last is not Round.WORSE)

    def check(self) -> RollbackReason | None:
        """The check against `last_stable`: a drift is rolled back, a stable stretch promoted."""
        self.since_check = 0
        first, _ = self.confirmation()
        if rules.drifted(first, RULES):
            second, _ = self.confirmation()
            return RollbackReason.DRIFT if rules.drift_due([first, second], RULES) else None
        gates = rules.late_gates(first, RULES, first_promotion=False, violation_rates=(0.0, 0.0))
        if Round.WORSE not in self.window and all(gate.passed for gate in gates):
            self.stable = self.skill
        return None

    def confirmation(self) -> tuple[ComparisonResult, Round]:
        """The larger comparison against `last_stable`."""
        return judged(play(self.rng, RULES.confirmation_pairs, self.skill, self.stable), self.environments)


def rounds_until_rollback(run: Run, limit: int) -> int | None:
    for number in range(1, limit + 1):
        if run.round() is not None:
            return number
    return None


def false_rollbacks(environments: int, campaigns: int, settings: ComparisonSettings = RULES) -> float:
    """Share of campaigns of 50 rounds without any change that roll back all the same."""
    rng = np.random.default_rng([1, environments])
    runs = (Run(rng, environments, settings=settings) for _ in range(campaigns))
    return sum(rounds_until_rollback(run, 50) is not None for run in runs) / campaigns


def rounds_to_catch(
    environments: int, loss: float, campaigns: int, settings: ComparisonSettings = RULES
) -> np.ndarray:
    """Rounds until a sudden loss is rolled back; a loss not caught in 60 rounds counts as 60."""
    rng = np.random.default_rng([2, environments, round(100 * loss)])
    runs = (Run(rng, environments, shock=-loss, settings=settings) for _ in range(campaigns))
    return np.array([rounds_until_rollback(run, 60) or 60 for run in runs])


def loss_when_caught(environments: int, campaigns: int) -> np.ndarray:
    """Skill lost when a drift of -2 points per update is caught; 60 rounds at most."""
    rng = np.random.default_rng([3, environments])
    losses = []
    for _ in range(campaigns):
        run = Run(rng, environments, step=-0.02)
        rounds_until_rollback(run, 60)
        losses.append(-run.skill)
    return np.array(losses)


def table(environments: int, campaigns: int, settings: ComparisonSettings = RULES) -> dict[str, float]:
    sharp = rounds_to_catch(environments, 0.20, campaigns, settings)
    mild = rounds_to_catch(environments, 0.10, campaigns, settings)
    drift = loss_when_caught(environments, campaigns)
    return {
        "false rollback in 50 rounds": false_rollbacks(environments, campaigns, settings),
        "rounds to catch -20: mean": sharp.mean(),
        "rounds to catch -20: 90%": float(np.quantile(sharp, 0.9)),
        "rounds to catch -10: mean": mild.mean(),
        "rounds to catch -10: 90%": float(np.quantile(mild, 0.9)),
        "loss when a drift of -2 is caught: mean": drift.mean(),
        "loss when a drift of -2 is caught: 90%": float(np.quantile(drift, 0.9)),
    }


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=3000, help="simulated campaigns per cell")
    campaigns = parser.parse_args().campaigns
    tables = {}
    for environments in (1, 2, 3):
        tables[environments] = table(environments, campaigns)
        print(f"{environments} environment(s), {campaigns} campaigns each:", flush=True)
        for what, value in tables[environments].items():
            print(f"  {what:42} {value:.4f}", flush=True)
    false = [found["false rollback in 50 rounds"] for found in tables.values()]
    worst = max(false)
    interval = wilson_interval(round(worst * campaigns), campaigns)
    ok = (
        worst <= FALSE
        and all(found["rounds to catch -20: mean"] <= SHARP for found in tables.values())
        and all(found["loss when a drift of -2 is caught: mean"] < DRIFT for found in tables.values())
    )
    result = {
        "name": NAME,
        "value": round(worst, 5),
        "baseline": FALSE,
        "ratio": round(worst / FALSE, 3),
        "target": FALSE,
        "ok": ok,
        "details": {
            "campaigns": campaigns,
            "interval": [round(interval.low, 5), round(interval.high, 5)],
            "byEnvironments": {
                count: {what: round(float(value), 4) for what, value in found.items()}
                for count, found in tables.items()
            },
        },
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
