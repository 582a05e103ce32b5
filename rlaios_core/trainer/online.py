"""The online entry: one sealed batch, one new checkpoint. The given checkpoint is never changed."""

import copy
import time
from collections.abc import Callable, Mapping

import numpy as np
import torch

from rlaios_core.student import Checkpoint, NonFiniteOutputError, Student
from rlaios_core.student.features import observation_features
from rlaios_core.trainer.experience import Experience, UnusableExperienceError, demonstrations, transitions
from rlaios_core.trainer.ppo import NonFiniteUpdateError, UpdateReport, ppo_update
from rlaios_core.trainer.settings import PpoSettings

_LINEAR_TABLES = ("wide", "crosses")
_ADAM_BETAS = (0.9, 0.99)


def train_online(
    checkpoint: Checkpoint,
    experience: Experience,
    settings: PpoSettings,
    seed: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[Checkpoint, UpdateReport]:
    """One update. Equal checkpoint, experience, settings, seed and threads give equal weights.

    Raises `NonFiniteUpdateError` when anything stops being finite, `UnusableExperienceError` for
    an empty batch, `StaleBatchError` when other weights collected it.
    """
    started = time.monotonic()
    torch.set_num_threads(settings.threads)
    network = copy.deepcopy(checkpoint.student.network)
    student = Student(network, checkpoint.settings)
    optimiser = _optimiser(network, settings, checkpoint.optimiser)
    negative = [
        observation_features(step.observation)
        for episode in experience.negative
        for step in episode.trajectory
    ]
    try:
        report = ppo_update(
            student,
            optimiser,
            transitions(experience, settings),
            demonstrations(experience),
            negative,
            settings,
            np.random.default_rng(seed),
            progress,
            warming_up=settings.distillation_weight > 0
            and checkpoint.counters.get("epochs", 0) < settings.warmup_updates,
        )
    except (NonFiniteOutputError, UnusableExperienceError) as error:
        raise NonFiniteUpdateError(str(error)) from error
    counters = {
        **checkpoint.counters,
        "updates": checkpoint.counters.get("updates", 0) + report.minibatches,
        "epochs": checkpoint.counters.get("epochs", 0) + 1,
    }
    updated = Checkpoint(student, checkpoint.settings, _moments(network, optimiser), counters)
    return updated, report.model_copy(update={"seconds": time.monotonic() - started})


def _optimiser(
    network: torch.nn.Module, settings: PpoSettings, moments: Mapping[str, torch.Tensor]
) -> torch.optim.Adam:
    """Adam with the moments it had when the checkpoint was written."""
    tables: list[torch.nn.Parameter] = []
    rest: list[torch.nn.Parameter] = []
    for name, parameter in network.named_parameters():
        (tables if name in _LINEAR_TABLES else rest).append(parameter)
    optimiser = torch.optim.Adam(
        [
            {"params": rest, "lr": settings.learning_rate},
            {"params": tables, "lr": settings.sparse_learning_rate if settings.learning_rate > 0 else 0.0},
        ],
        betas=_ADAM_BETAS,
        eps=1e-6,
        fused=True,
    )
    for name, parameter in network.named_parameters():
        kept = {
            moment: moments[f"{name}.{moment}"].clone()
            for moment in ("step", "exp_avg", "exp_avg_sq")
            if f"{name}.{moment}" in moments
        }
        if kept:
            optimiser.state[parameter] = kept
    return optimiser


def _moments(network: torch.nn.Module, optimiser: torch.optim.Adam) -> dict[str, torch.Tensor]:
    return {
        f"{name}.{moment}": value
        for name, parameter in network.named_parameters()
        for moment, value in optimiser.state.get(parameter, {}).items()
    }
