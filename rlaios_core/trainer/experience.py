"""From stored episodes to the arrays that an update reads."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from rlaios_core.schema import Episode, Step
from rlaios_core.student.features import ObservationFeatures, observation_features
from rlaios_core.trainer.advantages import gae, normalise_by_group
from rlaios_core.trainer.settings import PpoSettings


class Experience(NamedTuple):
    """What one update learns from.

    `live`: the sealed batch. `replay`: earlier admitted episodes with the probabilities logged then.
    `negative`: episodes on whose states the policy is held to the reference. `references`: verified
    solutions, imitated step by step; `earlier_references`: those that earlier updates imitated.
    """

    live: Sequence[Episode]
    replay: Sequence[Episode] = ()
    negative: Sequence[Episode] = ()
    references: Sequence[Episode] = ()
    earlier_references: Sequence[Episode] = ()


class Transitions(NamedTuple):
    """Steps [T] for the clipped surrogate: the first `live` of them are of the live batch."""

    features: list[ObservationFeatures]
    chosen: torch.Tensor
    log_probabilities: torch.Tensor
    values: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    live: int


class Demonstrations(NamedTuple):
    """Steps [D] of reference solutions: what was seen and what was done. The first `fresh` are new."""

    features: list[ObservationFeatures]
    chosen: torch.Tensor
    fresh: int


class UnusableExperienceError(ValueError):
    """The experience cannot be learned from: nothing in it, or numbers that are not finite."""


def transitions(experience: Experience, settings: PpoSettings) -> Transitions:
    """Advantages and returns of live and replayed episodes, normalised per environment."""
    episodes = [*experience.live, *experience.replay]
    steps = [step for episode in episodes for step in episode.trajectory]
    if not steps:
        raise UnusableExperienceError("the live batch holds no step")
    values = np.array([step.value for step in steps])
    advantages = np.concatenate(
        [
            gae([s.value for s in e.trajectory], e.reward, settings.discount, settings.gae_lambda)
            for e in episodes
        ]
    )
    if not (np.isfinite(values).all() and np.isfinite(advantages).all()):
        raise UnusableExperienceError("a stored value or reward is not finite")
    groups = [episode.environment for episode in episodes for _ in episode.trajectory]
    return Transitions(
        features=[observation_features(step.observation) for step in steps],
        chosen=_chosen(steps),
        log_probabilities=_floats([step.log_probability for step in steps]),
        values=_floats(values),
        advantages=_floats(normalise_by_group(advantages, groups)),
        returns=_floats(values + advantages),
        live=sum(len(episode.trajectory) for episode in experience.live),
    )


def demonstrations(experience: Experience) -> Demonstrations:
    """Every step of the references where there was something to choose."""
    fresh, earlier = (
        [step for episode in episodes for step in episode.trajectory if len(step.observation.actions) > 1]
        for episodes in (experience.references, experience.earlier_references)
    )
    steps = [*fresh, *earlier]
    features = [observation_features(step.observation) for step in steps]
    return Demonstrations(features, _chosen(steps), len(fresh))


def _chosen(steps: Sequence[Step]) -> torch.Tensor:
    return torch.tensor([step.chosen for step in steps], dtype=torch.int64)


def _floats(values: Sequence[float] | np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.asarray(values, dtype=np.float32))
