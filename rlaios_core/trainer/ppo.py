"""The PPO update, top to bottom.

Each detail, where it is, and the test in tests/trainer/ that pins it:

- ratio 1 before the first gradient step: `_check_first_ratio`; test_ratio_is_one_before_the_first_step
- clipped surrogate, stored log-probabilities: `clipped_surrogate`; test_clipping_removes_the_gradient
- GAE without bootstrap after the end: `advantages.gae`; test_gae_matches_the_definition
- advantages per environment: `normalise_by_group`; test_each_environment_is_normalised_alone
- value clipping, optional: `losses.value_loss`; test_value_clipping_takes_the_worse_error
- minibatches shuffled anew in every pass: `_shuffled`; test_every_pass_sees_every_step_once
- KL to the frozen reference on negative states: `_negative_kl`; test_negative_states_hold_the_policy
- distillation of verified references, beside the surrogate (`imitation`) and in passes of its own
  (`_imitate`), as a reference is too rare to be seen only as often as live steps are;
  test_distillation_imitates_the_reference; there with features dropped at random, as the same few
  references are seen often: test_dropped_features_keep_their_expectation
- imitation before reinforcement, values from the start: `warming_up`;
  test_warming_up_the_live_batch_teaches_values_only
- early stop on KL after a pass: `target_kl`; test_passes_stop_at_the_target_kl
- gradient clipped by global norm: `clip_grad_norm_`; test_gradient_norm_is_bounded
- anything not finite changes nothing: `_require_finite`; test_non_finite_input_is_quarantined
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from torch.nn import functional

from rlaios_core.schema import Model
from rlaios_core.student.features import ObservationFeatures, feature_dropout
from rlaios_core.student.policy import Evaluation, Student
from rlaios_core.trainer.experience import Demonstrations, Transitions
from rlaios_core.trainer.losses import approximate_kl, clipped_surrogate, kl_to_reference, value_loss
from rlaios_core.trainer.settings import PpoSettings


class NonFiniteUpdateError(ArithmeticError):
    """A loss, gradient or weight stopped being finite: the batch is quarantined, nothing is kept."""


class StaleBatchError(ValueError):
    """The live batch was not collected by these weights: its ratio does not start at 1."""


class UpdateReport(Model):
    """What an update did. Means over its gradient steps, but KL and clip fraction over the last pass."""

    steps: int
    demonstrations: int
    minibatches: int
    passes: int
    stopped_early: bool
    first_ratio_error: float
    policy_loss: float
    value_loss: float
    entropy: float
    distillation_loss: float
    negative_kl: float
    approx_kl: float
    clip_fraction: float
    gradient_norm: float
    seconds: float = 0.0


def ppo_update(
    student: Student,
    optimiser: torch.optim.Optimizer,
    data: Transitions,
    references: Demonstrations,
    negative: Sequence[ObservationFeatures],
    settings: PpoSettings,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] = lambda done, total: None,
    *,
    warming_up: bool = False,
) -> UpdateReport:
    """Change the student in place by `settings.passes` passes over `data`; return what happened.

    While `warming_up` the live batch teaches values only.
    """
    count = len(data.chosen)
    policy_weight = 0.0 if warming_up else settings.policy_weight
    total = settings.passes * -(-count // settings.minibatch)
    frozen = _frozen_distributions(student, negative, settings.minibatch)
    demonstration_stream = _endless(len(references.chosen), settings.distillation_minibatch, rng)
    negative_stream = _endless(len(negative), settings.minibatch, rng)
    losses: list[list[float]] = []
    first_ratio_error, passes, kls, clipped = 0.0, 0, [0.0], [0.0]
    while passes < settings.passes:
        passes += 1
        kls, clipped = [], []
        for rows in _shuffled(count, settings.minibatch, rng):
            new = _evaluate(student, data.features, data.chosen, rows)
            old = data.log_probabilities[rows]
            if not losses:
                first_ratio_error = _check_first_ratio(new.log_probabilities, old, rows < data.live, settings)
            policy = clipped_surrogate(new.log_probabilities, old, data.advantages[rows], settings.clip)
            value = value_loss(new.values, data.values[rows], data.returns[rows], settings.value_clip)
            entropy = new.entropies.mean()
            imitation = torch.zeros(())
            if (shown := next(demonstration_stream)) is not None and settings.distillation_weight > 0:
                seen = _evaluate(student, references.features, references.chosen, shown)
                imitation = -seen.log_probabilities.mean()
            held = torch.zeros(())
            if (held_rows := next(negative_stream)) is not None and settings.kl_weight > 0:
                held = _negative_kl(student, negative, frozen, held_rows)
            loss = (
                policy_weight * policy
                + settings.policy_weight * settings.value_weight * value
                - policy_weight * settings.entropy_weight * entropy
                + settings.distillation_weight * imitation
                + settings.kl_weight * held
            )
            norm = _descend(student, optimiser, loss, settings.max_gradient_norm)
            ratio = torch.exp(new.log_probabilities.detach() - old)
            kls.append(float(approximate_kl(new.log_probabilities.detach(), old)))
            clipped.append(float(((ratio - 1).abs() > settings.clip).float().mean()))
            losses.append([float(x.detach()) for x in (policy, value, entropy, imitation, held, norm)])
            progress(len(losses), total)
        if policy_weight > 0 and np.mean(kls) > settings.target_kl:
            break
    imitated = _imitate(student, optimiser, references, settings, rng)
    for parameter in student.network.parameters():
        _require_finite("a weight", parameter)
    mean = np.mean(losses, axis=0)
    return UpdateReport(
        steps=count,
        demonstrations=len(references.chosen),
        minibatches=len(losses),
        passes=passes,
        stopped_early=passes < settings.passes,
        first_ratio_error=first_ratio_error,
        policy_loss=mean[0],
        value_loss=mean[1],
        entropy=mean[2],
        distillation_loss=imitated if imitated is not None else mean[3],
        negative_kl=mean[4],
        gradient_norm=mean[5],
        approx_kl=float(np.mean(kls)),
        clip_fraction=float(np.mean(clipped)),
    )


def _imitate(
    student: Student,
    optimiser: torch.optim.Optimizer,
    references: Demonstrations,
    settings: PpoSettings,
    rng: np.random.Generator,
) -> float | None:
    """Passes over the fresh references, each with a draw of earlier ones beside them: what is old is
    rehearsed, not learned by heart. Returns the mean cross-entropy of the last pass.
    """
    if settings.distillation_weight == 0 or not references.fresh:
        return None
    earlier = np.arange(references.fresh, len(references.chosen))
    rehearsed = min(len(earlier), round(settings.distillation_rehearsal * references.fresh))
    losses: list[float] = []
    for _ in range(settings.distillation_passes):
        losses = []
        shown = np.concatenate([np.arange(references.fresh), rng.choice(earlier, rehearsed, replace=False)])
        for places in _shuffled(len(shown), settings.distillation_minibatch, rng):
            rows = shown[places]
            scales = feature_dropout(settings.feature_dropout, rng)
            features = [references.features[row] for row in rows]
            seen = student.evaluate(features, references.chosen[rows], scales)
            loss = -seen.log_probabilities.mean()
            _descend(student, optimiser, loss, settings.max_gradient_norm)
            losses.append(float(loss.detach()))
    return float(np.mean(losses)) if losses else None


def _descend(
    student: Student, optimiser: torch.optim.Optimizer, loss: torch.Tensor, max_norm: float
) -> torch.Tensor:
    """One gradient step, unless something is not finite; returns the gradient's norm before clipping."""
    _require_finite("the loss", loss)
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    norm = torch.nn.utils.clip_grad_norm_(student.network.parameters(), max_norm)
    _require_finite("the gradient", norm)
    optimiser.step()
    return norm


def _evaluate(
    student: Student, features: Sequence[ObservationFeatures], chosen: torch.Tensor, rows: np.ndarray
) -> Evaluation:
    return student.evaluate([features[row] for row in rows], chosen[rows])


def _shuffled(count: int, size: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    order = rng.permutation(count)
    for start in range(0, count, size):
        yield order[start : start + size]


def _endless(count: int, size: int, rng: np.random.Generator) -> Iterator[np.ndarray | None]:
    """Minibatches for ever, `None` where there is nothing to draw from."""
    while True:
        if count == 0:
            yield None
        else:
            yield from _shuffled(count, size, rng)


def _check_first_ratio(
    new: torch.Tensor, old: torch.Tensor, live: np.ndarray, settings: PpoSettings
) -> float:
    """Largest |ratio - 1| on the live steps of the first minibatch, before any gradient step."""
    mask = torch.from_numpy(live)
    error = float((torch.exp(new.detach() - old) - 1)[mask].abs().max()) if bool(mask.any()) else 0.0
    if error > settings.first_ratio_tolerance:
        raise StaleBatchError(
            f"the first minibatch's ratio is off by {error:.2g}: these weights did not collect this batch"
        )
    return error


@torch.no_grad()
def _frozen_distributions(
    student: Student, negative: Sequence[ObservationFeatures], size: int
) -> list[torch.Tensor]:
    """Log-distributions of the policy before the update, one [A] per negative state."""
    rows: list[torch.Tensor] = []
    for start in range(0, len(negative), size):
        part = negative[start : start + size]
        logs = student.evaluate(part, torch.zeros(len(part), dtype=torch.int64)).distribution
        rows.extend(logs[i, : len(state.actions)] for i, state in enumerate(part))
    return rows


def _negative_kl(
    student: Student,
    negative: Sequence[ObservationFeatures],
    frozen: Sequence[torch.Tensor],
    rows: np.ndarray,
) -> torch.Tensor:
    states = [negative[row] for row in rows]
    current = student.evaluate(states, torch.zeros(len(states), dtype=torch.int64)).distribution
    width = current.shape[1]
    reference = torch.stack(
        [functional.pad(frozen[row], (0, width - len(frozen[row])), value=float("-inf")) for row in rows]
    )
    return kl_to_reference(current, reference)


def _require_finite(what: str, tensor: torch.Tensor) -> None:
    if not torch.isfinite(tensor).all():
        raise NonFiniteUpdateError(f"{what} is not finite: the batch is quarantined and the weights kept")
