"""The terms of the update's loss: plain functions of tensors."""

import torch


def clipped_surrogate(
    log_probabilities: torch.Tensor, old: torch.Tensor, advantages: torch.Tensor, clip: float
) -> torch.Tensor:
    """Policy loss (arXiv 1707.06347, equation 7, negated): mean over steps [B]."""
    ratio = torch.exp(log_probabilities - old)
    return -torch.min(ratio * advantages, torch.clamp(ratio, 1 - clip, 1 + clip) * advantages).mean()


def value_loss(
    values: torch.Tensor, old_values: torch.Tensor, returns: torch.Tensor, clip: float | None
) -> torch.Tensor:
    """Half the mean squared error [B]; with `clip`, the worse of clipped and unclipped."""
    error = (values - returns) ** 2
    if clip is not None:
        clipped = old_values + torch.clamp(values - old_values, -clip, clip)
        error = torch.max(error, (clipped - returns) ** 2)
    return 0.5 * error.mean()


def approximate_kl(log_probabilities: torch.Tensor, old: torch.Tensor) -> torch.Tensor:
    """Estimate of KL(old || new) from samples of old: mean(ratio - 1 - log ratio).

    Schulman, "Approximating KL Divergence" (2020), estimator k3: unbiased and never negative.
    """
    difference = log_probabilities - old
    return (torch.exp(difference) - 1 - difference).mean()


def kl_to_reference(distribution: torch.Tensor, reference: torch.Tensor) -> torch.Tensor:
    """Mean KL(current || reference) of log-distributions [B, A]; -inf marks no action in both."""
    absent = torch.isinf(distribution)
    current = distribution.masked_fill(absent, 0.0)
    terms = current.exp() * (current - reference.masked_fill(absent, 0.0))
    return terms.masked_fill(absent, 0.0).sum(dim=1).mean()
