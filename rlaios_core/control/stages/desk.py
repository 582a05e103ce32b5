"""What every stage works with, gathered once."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from rlaios_core.control.checkpoint_registry import CheckpointRegistry
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.episode_store import EpisodeStore
from rlaios_core.control.epoch_ledger import EpochLedger, EpochName, parse_key
from rlaios_core.control.errors import CampaignError
from rlaios_core.control.learner import Learner
from rlaios_core.control.settings import CampaignSettings, quotas
from rlaios_core.control.workspace import Workspace
from rlaios_core.environments import Environment
from rlaios_core.rollout import RolloutSettings
from rlaios_core.schema import EpochRecord, EpochStatus, Policy, derive_seed

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, the work done and the work in all."""


def silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class Desk:
    """The stores, the learner and where environments and policies come from."""

    workspace: Workspace
    store: ControlStateStore
    ledger: EpochLedger
    registry: CheckpointRegistry
    episodes: EpisodeStore
    learner: Learner
    environment: Callable[[str, str], Environment]
    policy: Callable[[str], Policy]


@dataclass(frozen=True)
class Epoch:
    """The epoch that a stage is about."""

    key: str
    name: EpochName
    record: EpochRecord
    settings: CampaignSettings

    @property
    def quotas(self) -> dict[str, int]:
        """Tasks per environment."""
        return quotas(self.settings.episodes_per_epoch, self.settings.environments)

    def seed(self, *position: str | int) -> int:
        """A seed that depends on the campaign and the position alone."""
        return derive_seed(self.settings.seed, self.settings.name, *position)

    def tasks_path(self, environment: str) -> str:
        """Path of the file with the epoch's tasks of an environment, relative to the store's artifacts."""
        return f"episodes/{self.name.campaign}/{self.key}/{environment}.tasks.gz"

    def episodes_path(self, environment: str) -> str:
        """Path of the file with the epoch's episodes of an environment."""
        return f"episodes/{self.name.campaign}/{self.key}/{environment}.parquet"


def open_epoch(desk: Desk, key: str) -> Epoch:
    """The epoch of a key. Raises `CampaignError` when it was never planned."""
    name = parse_key(key)
    return Epoch(key, name, desk.ledger.record(key), desk.store.settings(name.campaign))


def require_open(epoch: Epoch) -> None:
    """Raise `CampaignError` for an epoch whose record no longer changes."""
    if epoch.record.status is EpochStatus.CLOSED:
        raise CampaignError(f"epoch {epoch.key} is closed")


def require_environment(epoch: Epoch, environment: str) -> None:
    """Raise `CampaignError` unless the environment is active in the campaign."""
    if environment not in epoch.settings.environments:
        known = ", ".join(epoch.settings.environments)
        raise CampaignError(
            f"environment {environment!r} is not active in campaign {epoch.name.campaign!r}; active: {known}"
        )


def rollout_settings(settings: CampaignSettings) -> RolloutSettings:
    """The rollout's own settings."""
    return RolloutSettings(settings.rollout.concurrency, settings.rollout.deadline_seconds)


class Stopwatch:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self._started = time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds so far, to the millisecond."""
        return round(time.monotonic() - self._started, 3)
