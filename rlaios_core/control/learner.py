"""The seam between control and learning: checkpoints by path and id, updates from experience."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from rlaios_core.control.settings import CampaignSettings
from rlaios_core.schema import CheckpointRecord, Policy, derive_seed
from rlaios_core.student import load_checkpoint, new_checkpoint, save_checkpoint, weights_hash
from rlaios_core.trainer import Experience, NonFiniteUpdateError, StaleBatchError, train_online


class UpdateFailure(Exception):
    """The update gave nothing usable; the message says why. No checkpoint was written."""


class Update(NamedTuple):
    """A written candidate and the numbers of its update."""

    record: CheckpointRecord
    numbers: dict[str, bool | int | float]


class Learner(Protocol):
    """Makes, loads and improves checkpoints. Loading raises the student's `CheckpointError`."""

    def create(self, directory: Path, settings: CampaignSettings) -> CheckpointRecord:
        """Write the campaign's untrained student."""
        ...

    def policy(self, path: Path, checkpoint_id: str) -> Policy:
        """The policy of a checkpoint whose file was verified."""
        ...

    def weights_hash(self, path: Path, checkpoint_id: str) -> str:
        """The hash of a checkpoint's weights, after its file was verified."""
        ...

    def update(
        self,
        path: Path,
        checkpoint_id: str,
        experience: Experience,
        settings: CampaignSettings,
        epoch: int,
        progress: Callable[[int, int], None],
    ) -> Update:
        """Train from a checkpoint and write the candidate. Raises `UpdateFailure`."""
        ...


class StudentLearner:
    """The default student under the PPO trainer."""

    def create(self, directory: Path, settings: CampaignSettings) -> CheckpointRecord:
        """Write the campaign's untrained student."""
        fresh = new_checkpoint(settings.student, derive_seed(settings.seed, settings.name, "student"))
        return save_checkpoint(directory, fresh, parent=None, campaign=settings.name, epoch=0)

    def policy(self, path: Path, checkpoint_id: str) -> Policy:
        """The student of a checkpoint."""
        return load_checkpoint(path, checkpoint_id).student

    def weights_hash(self, path: Path, checkpoint_id: str) -> str:
        """The hash of a checkpoint's weights."""
        return weights_hash(load_checkpoint(path, checkpoint_id))

    def update(
        self,
        path: Path,
        checkpoint_id: str,
        experience: Experience,
        settings: CampaignSettings,
        epoch: int,
        progress: Callable[[int, int], None],
    ) -> Update:
        """One PPO update."""
        parent = load_checkpoint(path, checkpoint_id)
        seed = derive_seed(settings.seed, settings.name, "update", epoch)
        try:
            child, report = train_online(parent, experience, settings.ppo, seed, progress)
        except (NonFiniteUpdateError, StaleBatchError) as error:
            raise UpdateFailure(str(error)) from error
        record = save_checkpoint(
            path.parent, child, parent=checkpoint_id, campaign=settings.name, epoch=epoch
        )
        return Update(record, report.to_json())
