"""The one door to `rlaios_core`: the campaign controller, made on first use.

`dagster job execute` initialises every resource twice, so making the resource itself must cost nothing:
no database is opened and no environment is started before an asset asks.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from rlaios_core.control import CampaignController, Workspace
from rlaios_pipeline.launcher import launched, worker_tag

Progress = Callable[[str, int, int], None]


class Control:
    """The controller for the steps of one run, who is told of their progress, and whether anyone waits.

    An `unattended` run waits for what mends itself (another writer, a database that is away); a person
    at a terminal is told at once.
    """

    def __init__(
        self,
        make: Callable[[], CampaignController],
        progress: Progress | None = None,
        *,
        unattended: bool = False,
    ) -> None:
        self._make = make
        self._made: CampaignController | None = None
        self.progress: Progress = progress or (lambda _stage, _done, _total: None)
        self.unattended = unattended

    @property
    def controller(self) -> CampaignController:
        """The controller, made at the first use."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def close(self) -> None:
        """Close the controller if it was ever made."""
        if self._made is not None:
            self._made.close()
            self._made = None


class ControlResource(dg.ConfigurableResource[Control]):
    """The campaign store. Empty fields mean RLAIOS_HOME (default ./var) and the SQLite file in it."""

    home: str = ""
    database_url: str = ""

    @contextmanager
    def yield_for_execution(
        self,
        context: dg.InitResourceContext,
    ) -> Generator[Control, None, None]:
        """Hand out the controller for one run or tick and release it afterwards."""
        run = context.run
        if run is not None and context.instance is not None:
            context.instance.add_run_tags(run.run_id, worker_tag(run.run_id))
        control = Control(self._open, unattended=run is not None and launched(run))
        try:
            yield control
        finally:
            control.close()

    def _open(self) -> CampaignController:
        home = Path(self.home) if self.home else None
        return CampaignController(Workspace.open(home, self.database_url or None))
