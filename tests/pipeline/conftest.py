from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import dagster as dg
import pytest

from rlaios_core.control import CampaignController, CampaignSettings, Workspace
from rlaios_pipeline.definitions import defs
from rlaios_pipeline.launch_form import CampaignForm
from rlaios_pipeline.resources import Control
from tests.cli.toy import ToyShell


@pytest.fixture(scope="session")
def definitions() -> dg.Definitions:
    return defs()


class Deck(NamedTuple):
    """Everything a test of the pipeline works with."""

    definitions: dg.Definitions
    instance: dg.DagsterInstance
    controller: CampaignController

    def run(
        self, name: str, *, config: Mapping[str, Any] | None = None, partition: str | None = None
    ) -> dg.ExecuteInProcessResult:
        """Run a job of the code location against this deck's own store."""
        return self.definitions.resolve_job_def(name).execute_in_process(
            instance=self.instance,
            resources={"control": Control(lambda: self.controller)},
            run_config={
                "ops": {op: {"config": values} for op, values in (config or {}).items()},
                "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
            },
            partition_key=partition,
        )

    def open(self, settings: CampaignSettings) -> None:
        """Open a campaign."""
        form = dg.RunConfig(ops={"form": CampaignForm.of(settings)}).to_config_dict()
        self.definitions.resolve_job_def("open_campaign").execute_in_process(
            instance=self.instance,
            resources={"control": Control(lambda: self.controller)},
            run_config=form["ops"]["form"]["config"],
        )

    def shown(self, *key: str) -> dict[str, Any]:
        """The newest metadata of an asset."""
        event = self.instance.get_latest_materialization_event(dg.AssetKey(list(key)))
        assert event is not None
        assert event.asset_materialization is not None
        return {name: value.value for name, value in event.asset_materialization.metadata.items()}


@contextmanager
def opened(definitions: dg.Definitions, folder: Path) -> Iterator[Deck]:
    """An in-memory instance (ten times faster than SQLite) and an open campaign called `alpha`."""
    workspace = Workspace.open(folder)
    with (
        dg.DagsterInstance.ephemeral() as instance,
        CampaignController(workspace, environments=lambda _name, _settings: ToyShell()) as controller,
    ):
        deck = Deck(definitions, instance, controller)
        deck.open(tiny_settings())
        yield deck


@pytest.fixture
def deck(definitions: dg.Definitions, tmp_path: Path) -> Iterator[Deck]:
    """A deck of this test's own."""
    with opened(definitions, tmp_path / "var") as made:
        yield made


def tiny_settings() -> CampaignSettings:
    """A campaign whose epochs take a fraction of a second."""
    return CampaignSettings.model_validate(
        {
            "name": "alpha",
            "epochs": 3,
            "episodes_per_epoch": 6,
            "held_out_episodes": 6,
            "student": {"width": 16, "hidden": 16, "layers": 1, "heads": 2},
            "ppo": {"passes": 1, "threads": 1},
            "comparison": {"confirmation_pairs": 4},
        }
    )
