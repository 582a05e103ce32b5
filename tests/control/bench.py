"""What the controller's tests share: a small campaign, and the worlds and learner it runs on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlaios_core.control import CampaignController, CampaignSettings, ComparisonSettings, Workspace
from rlaios_core.environments import Environment
from tests.control.fakes import FakeEnvironment, FakeLearner

QUICK = ComparisonSettings(confirmation_pairs=40)


def campaign(**changes: Any) -> CampaignSettings:
    fields: dict[str, Any] = {
        "name": "alpha",
        "seed": 5,
        "environments": ("fake",),
        "epochs": 4,
        "episodes_per_epoch": 30,
        "comparison": QUICK,
    }
    return CampaignSettings.model_validate({**fields, **changes})


class Bench:
    """A workspace and the worlds and learner that a controller on it uses."""

    def __init__(
        self, root: Path, learner: FakeLearner | None = None, database_url: str | None = None
    ) -> None:
        self.workspace = Workspace.open(root, database_url)
        self.learner = learner or FakeLearner()
        self.worlds: dict[str, FakeEnvironment] = {}

    def world(self, name: str, _settings: CampaignSettings) -> Environment:
        return self.worlds.setdefault(name, FakeEnvironment(name))

    def controller(self) -> CampaignController:
        return CampaignController(self.workspace, environments=self.world, learner=self.learner)

    def rows(self, table: Any) -> list[Mapping[str, Any]]:
        with self.controller() as controller, controller._desk.store.reading() as connection:
            return [dict(row._mapping) for row in connection.execute(table.select())]


def ledger(controller: CampaignController) -> list[dict[str, Any]]:
    """The epochs without their clock times."""
    return [record.model_copy(update={"seconds": {}}).to_json() for record in controller.epochs("alpha")]
