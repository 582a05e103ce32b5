"""Who carries out the steps of a campaign: Dagster (a plug-in of the group `rlaios.runners`), or nobody else.

The command line does not know Dagster. It knows this protocol and finds implementations by name.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Protocol

from rlaios_core.cli.errors import CliError
from rlaios_core.control import CampaignController, CampaignSettings
from rlaios_core.schema import EpochRecord, RollbackReason, RollbackRecord, Split

GROUP = "rlaios.runners"
DIRECT = "direct"

Progress = Callable[[str, int, int], None]


class Runner(Protocol):
    """Carries out steps of campaigns on one controller."""

    def open_campaign(self, settings: CampaignSettings) -> None:
        """Open the campaign; a campaign that is open with equal settings is left as it is."""
        ...

    def measure_checkpoint(
        self, campaign: str, arm: str, checkpoint_id: str, split: Split, episodes: int, progress: Progress
    ) -> None:
        """Play a checkpoint on held-out tasks and store the scores under `arm`."""
        ...

    def measure_baselines(self, campaign: str, split: Split, episodes: int, progress: Progress) -> None:
        """Play the environments' scripted baselines on the same held-out tasks."""
        ...

    def run_epoch(self, campaign: str, *, monitoring: bool, progress: Progress) -> EpochRecord:
        """Run the open epoch, or open the next and run it."""
        ...

    def run_rollback(self, campaign: str, *, requested: bool = False, reason: str = "") -> RollbackRecord:
        """Carry out the rollback that the campaign waits for, or one that a person requests."""
        ...

    def close(self) -> None:
        """Release what the runner itself holds; the controller is its caller's."""
        ...


def names() -> tuple[str, ...]:
    """The runners that can be chosen."""
    return tuple(sorted({entry.name for entry in entry_points(group=GROUP)} | {DIRECT}))


def create(name: str, controller: CampaignController) -> Runner:
    """The runner called `name`, working on `controller`."""
    if name == DIRECT:
        return DirectRunner(controller)
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            runner: Runner = entry.load()(controller)
            return runner
    raise CliError(f"no runner called {name!r}; installed: {', '.join(names())}")


class DirectRunner:
    """Calls the controller and nothing else."""

    def __init__(self, controller: CampaignController) -> None:
        self._controller = controller

    def open_campaign(self, settings: CampaignSettings) -> None:
        """Open the campaign; a campaign that is open with equal settings is left as it is."""
        self._controller.open_campaign(settings)

    def measure_checkpoint(
        self, campaign: str, arm: str, checkpoint_id: str, split: Split, episodes: int, progress: Progress
    ) -> None:
        """Play a checkpoint on held-out tasks and store the scores under `arm`."""
        self._controller.held_out(
            campaign, checkpoint_id=checkpoint_id, split=split, episodes=episodes, arm=arm, progress=progress
        )

    def measure_baselines(self, campaign: str, split: Split, episodes: int, progress: Progress) -> None:
        """Play the environments' scripted baselines on the same held-out tasks."""
        self._controller.baselines_held_out(campaign, split, episodes, progress=progress)

    def run_epoch(self, campaign: str, *, monitoring: bool, progress: Progress) -> EpochRecord:
        """Run the open epoch, or open the next and run it."""
        return self._controller.run_epoch(campaign, monitoring=monitoring, progress=progress)

    def run_rollback(self, campaign: str, *, requested: bool = False, reason: str = "") -> RollbackRecord:
        """Carry out the rollback that the campaign waits for, or one that a person requests."""
        called_for = RollbackReason.REQUESTED if requested else None
        return self._controller.rollback(campaign, reason=called_for, note=reason)

    def close(self) -> None:
        """Nothing is held."""
