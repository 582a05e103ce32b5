"""What `rlaios campaign` does."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.console import Group
from rich.text import Text

from rlaios_core.cli import output, runners
from rlaios_core.cli.errors import CliError
from rlaios_core.cli.progress import Display
from rlaios_core.cli.session import open_controller
from rlaios_core.cli.settings import build_settings
from rlaios_core.cli.training import opened, refuse_beside_resume
from rlaios_core.cli.whole_campaign import (
    campaign_phases,
    run_campaign,
    wall_seconds,
    write_results,
)
from rlaios_core.control import CampaignSettings
from rlaios_core.environments import registry
from rlaios_core.reporting import summary_table

SHORT_BUDGET: Mapping[str, Any] = {"epochs": 6, "held_out_episodes": 20}
SHORT_CONFIRMATION = "comparison.confirmation_pairs=20"
"""The default campaign fits ten minutes; 120 pairs to confirm `last_stable` would take two of them."""


def campaign(
    context: click.Context,
    name: str,
    environments: str | None,
    *,
    no_baselines: bool,
    resume: bool,
    runner: str,
    assignments: Sequence[str],
    quiet: bool,
    as_json: bool,
    **flags: Any,
) -> None:
    """Open or resume the campaign, run what is left of it, write and print what came of it."""
    wanted = None
    if resume:
        refuse_beside_resume({**flags, "environments": environments}, assignments, None)
    else:
        given = {flag: value for flag, value in flags.items() if value is not None}
        wanted = build_settings(
            name,
            choose_environments(environments),
            {**SHORT_BUDGET, **given},
            (SHORT_CONFIRMATION, *assignments),
        )
    with open_controller(context) as controller:
        settings = _with_epochs(opened(controller, name, wanted), flags)
        carried_out_by = runners.create(runner, controller)
        try:
            carried_out_by.open_campaign(settings)
            started = time.monotonic()
            before = controller.summary(name, 0.0)
            phases = campaign_phases(settings, controller.state(name).epoch + 1, baselines=not no_baselines)
            with Display(phases, quiet=quiet) as display:
                run_campaign(controller, carried_out_by, settings, display, baselines=not no_baselines)
        finally:
            carried_out_by.close()
        folder = controller.workspace.campaign(name)
        # A campaign that was finished before took no time now: its own time stands.
        worked = time.monotonic() - started if controller.summary(name, 0.0) != before else 0.0
        summary, *paths = write_results(controller, name, wall_seconds(folder) + worked)
    lines = (f"summary      {paths[0]}", f"report       {paths[1]}", "look closer  make ui")
    output.emit(as_json, summary.to_json(), Group(summary_table(summary), Text("\n".join(lines))))


def choose_environments(text: str | None) -> tuple[str, ...]:
    """The environments named by comma, or all that are installed."""
    installed = registry.names()
    if text is None:
        return installed
    chosen = tuple(part.strip() for part in text.split(",") if part.strip())
    unknown = [part for part in chosen if part not in installed]
    if unknown or not chosen:
        raise CliError(f"--environments {text}: choose from {', '.join(installed)}")
    return chosen


def _with_epochs(settings: CampaignSettings, flags: Mapping[str, Any]) -> CampaignSettings:
    """The settings with the number of epochs that was asked for."""
    epochs = flags.get("epochs")
    return settings.model_copy(update={"epochs": epochs}) if epochs else settings
