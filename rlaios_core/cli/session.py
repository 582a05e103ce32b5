"""Opening the controller for a command, with the environments that the campaign asks for."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from rlaios_core.cli.benchmark_folder import FolderEnvironment, read_folder
from rlaios_core.control import CampaignController, CampaignSettings, Workspace
from rlaios_core.environments import Environment, registry

FOLDER_OPTION = "benchmark_folder"
"""The environment option under which a campaign remembers the folder it draws its tasks from."""


def home_of(context: click.Context) -> Path | None:
    """The folder given with `--home`, if any."""
    home: Path | None = context.find_root().params.get("home")
    return home


@contextmanager
def open_controller(context: click.Context) -> Iterator[CampaignController]:
    """The controller on the chosen store."""
    with CampaignController(Workspace.open(home_of(context)), environments=make_environment) as controller:
        yield controller


def make_environment(name: str, settings: CampaignSettings) -> Environment:
    """The campaign's environment, drawing its training tasks from a folder when it remembers one."""
    options = dict(settings.environment_options.get(name, {}))
    folder = options.pop(FOLDER_OPTION, None)
    if folder is None:
        return registry.create(name, **options)
    index, tasks = read_folder(Path(str(folder)), name)
    return FolderEnvironment(registry.create(name, **options), index.split, tasks)
