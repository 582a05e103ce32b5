import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rlaios_core.trainer.advantages import gae, normalise_by_group
from rlaios_core.trainer.losses import approximate_kl, clipped_surrogate, kl_to_reference, value_loss

VALUES = st.lists(st.floats(-1, 1), min_size=1, max_size=12)


@given(VALUES, st.floats(-1, 1), st.floats(0.5, 1), st.floats(0, 1))
def test_gae_matches_the_definition(values: list[float], reward: float, discount: float, lam: float) -> None:
    """The sum of equation 16 of arXiv 1506.02438, written out."""
    following = [*values[1:], 0.0]
    rewards = [0.0] * (len(values) - 1) + [reward]
    deltas = [r + discount * n - v for r, n, v in zip(rewards, following, values, strict=True)]
    expected = [
        sum((discount * lam) ** (k - t) * deltas[k] for k in range(t, len(values)))
        for t in range(len(values))
    ]
    assert gae(values, reward, discount, lam) == pytest.approx(expected, abs=1e-9)


def test_lambda_one_gives_the_return_less_the_value() -> None:
    assert gae([0.2, -0.1], 1.0, 1.0, 1.0) == pytest.approx([0.8, 1.1])


def test_each_environment_is_normalised_alone() -> None:
    advantages = np.array([1.0, 3.0, 100.0, 300.0, 7.0])
    result = normalise_by_group(advantages, ["a", "a", "b", "b", "c"])
    assert result == pytest.approx([-1, 1, -1, 1, 0])


@pytest.mark.parametrize(("ratio", "advantage"), [(1.5, 1.0), (0.5, -1.0)])
def test_clipping_removes_the_gradient(ratio: float, advantage: float) -> None:
    new = torch.log(torch.tensor([ratio])).requires_grad_()
    clipped_surrogate(new, torch.zeros(1), torch.tensor([advantage]), 0.2).backward()
    assert float(new.grad) == 0.0


@pytest.mark.parametrize(("ratio", "advantage"), [(1.5, -1.0), (0.5, 1.0), (1.1, 1.0)])
def test_a_ratio_that_must_come_back_keeps_its_gradient(ratio: float, advantage: float) -> None:
    new = torch.log(torch.tensor([ratio])).requires_grad_()
    clipped_surrogate(new, torch.zeros(1), torch.tensor([advantage]), 0.2).backward()
    assert float(new.grad) != 0.0


def test_value_clipping_takes_the_worse_error() -> None:
    values, old, returns = torch.tensor([0.9]), torch.tensor([0.0]), torch.tensor([1.0])
    assert float(value_loss(values, old, returns, None)) == pytest.approx(0.005)
    assert float(value_loss(values, old, returns, 0.2)) == pytest.approx(0.32)


def test_kl_is_zero_on_equal_policies_and_never_negative() -> None:
    logs = torch.log_softmax(torch.randn(4, 5), dim=1)
    other = torch.log_softmax(torch.randn(4, 5), dim=1)
    assert float(kl_to_reference(logs, logs)) == pytest.approx(0.0, abs=1e-6)
    assert float(kl_to_reference(logs, other)) > 0
    assert float(approximate_kl(logs[:, 0], logs[:, 0])) == 0.0
    assert float(approximate_kl(logs[:, 0], other[:, 0])) >= 0


def test_absent_actions_add_nothing_to_the_kl() -> None:
    absent = torch.tensor([[0.0, float("-inf")]])
    assert float(kl_to_reference(absent, absent)) == 0.0
