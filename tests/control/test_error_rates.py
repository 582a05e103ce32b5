"""The error rates of the default rules, simulated with the very functions that decide.

`pytest -s` prints the table; `make bench-gate-errors` gives it as a figure.
"""

import numpy as np
import pytest

from benchmarks.gate_errors import PAIRS, RULES, false_rollbacks, judged, play, rounds_to_catch, table
from rlaios_core.control import ComparisonSettings
from rlaios_core.control.state import Round
from rlaios_core.schema import RelativeOutcome


def test_verdicts_on_equal_policies_are_rarely_worse() -> None:
    rng = np.random.default_rng(0)
    found = [judged(play(rng, PAIRS, 0.0, 0.0), 1)[1] for _ in range(1000)]
    assert found.count(Round.WORSE) / 1000 < 0.05
    assert RelativeOutcome.SAME.value in found


@pytest.mark.parametrize("environments", [1, 3])
def test_error_rates_in_short(environments: int) -> None:
    found = table(environments, 60)
    assert found["false rollback in 50 rounds"] <= 0.05
    assert found["rounds to catch -20: mean"] <= 4.0
    assert found["loss when a drift of -2 is caught: mean"] <= 0.17


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("environments", [1, 2, 3])
def test_error_rates(environments: int) -> None:
    found = table(environments, 800)
    print(f"\n{environments} environment(s): " + ", ".join(f"{k} {v:.4f}" for k, v in found.items()))
    assert found["false rollback in 50 rounds"] <= 0.01
    assert found["rounds to catch -20: mean"] <= 4.0
    assert found["loss when a drift of -2 is caught: mean"] < 0.15


@pytest.mark.slow
def test_the_sequential_test_decides_no_later_at_known_rates() -> None:
    sequential = ComparisonSettings(sequential=True)
    false = false_rollbacks(1, 800, sequential)
    sooner, plain = (rounds_to_catch(1, 0.10, 800, each).mean() for each in (sequential, RULES))
    print(f"\nsequential: false rollback {false:.4f}, rounds to catch -10 {sooner:.2f} against {plain:.2f}")
    assert false <= 0.01
    assert sooner <= plain
