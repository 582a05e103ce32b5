"""`train`: open or resume a campaign and run its epochs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Group
from rich.text import Text

from rlaios_core.cli import output, runners
from rlaios_core.cli.benchmark_folder import read_folder
from rlaios_core.cli.errors import CliError
from rlaios_core.cli.progress import Display
from rlaios_core.cli.session import FOLDER_OPTION, open_controller
from rlaios_core.cli.settings import build_settings
from rlaios_core.cli.whole_campaign import epoch_phases, run_epochs
from rlaios_core.control import CampaignController, CampaignSettings
from rlaios_core.reporting.frames import epochs_frame
from rlaios_core.schema import Split


def train(
    context: click.Context,
    environments: Sequence[str],
    campaign: str,
    *,
    runner_name: str,
    resume: bool,
    benchmark: Path | None,
    quiet: bool,
    as_json: bool,
    assignments: Sequence[str],
    flags: Mapping[str, Any],
) -> None:
    """Run training epochs until the wanted number is closed, then say what they did."""
    if resume:
        refuse_beside_resume(flags, assignments, benchmark)
        wanted = None
    else:
        options = folder_options(environments[0], benchmark)
        wanted = build_settings(campaign, environments, flags, assignments, options)
    with open_controller(context) as controller:
        settings = opened(controller, campaign, wanted)
        target = flags.get("epochs") or settings.epochs
        runner = runners.create(runner_name, controller)
        try:
            runner.open_campaign(settings)
            first = controller.state(campaign).epoch + 1
            with Display(epoch_phases(settings, first, target), quiet=quiet) as display:
                run_epochs(controller, runner, campaign, target, display)
        finally:
            runner.close()
        epochs, lineage = controller.epochs(campaign), controller.state(campaign).lineage
    ran = sum(record.epoch >= first for record in epochs)
    if not ran:
        note = f"campaign {campaign} already has {target} epochs; add some with --resume --epochs N"
    else:
        measure = f"{settings.environments[0]} eval" if len(settings.environments) == 1 else "mixed-eval"
        note = f"measure it with `rlaios {measure} --campaign {campaign}`"
    frame = epochs_frame(epochs)[
        ["epoch", "verdict", "episodes", "faults", "success", "mean reward", "candidate"]
    ]
    output.emit(
        as_json,
        {
            "campaign": campaign,
            "pointers": lineage.to_json(),
            "epochs": [record.to_json() for record in epochs],
        },
        Group(output.frame_table(frame, f"Campaign {campaign}"), Text(note)),
    )


def opened(
    controller: CampaignController, campaign: str, wanted: CampaignSettings | None
) -> CampaignSettings:
    """The settings to go on with: the wanted ones, or those of the campaign that is resumed."""
    known = campaign in controller.campaigns()
    if wanted is None and not known:
        raise CliError(f"there is no campaign {campaign!r} to resume; leave out --resume to open it")
    return controller.settings(campaign) if wanted is None else wanted


def refuse_beside_resume(
    flags: Mapping[str, Any], assignments: Sequence[str], benchmark: Path | None
) -> None:
    """A resumed campaign keeps its own settings."""
    given = [
        f"--{name.replace('_', '-')}"
        for name, value in flags.items()
        if value is not None and name != "epochs"
    ]
    given += ["--set"] if assignments else []
    given += ["--benchmark"] if benchmark else []
    if given:
        raise CliError(
            f"{', '.join(given)} cannot be given with --resume: the campaign keeps its own settings"
        )


def folder_options(environment: str, benchmark: Path | None) -> dict[str, dict[str, object]]:
    """Check the benchmark folder; the environment options that make a campaign remember it."""
    if benchmark is None:
        return {}
    index, _ = read_folder(benchmark, environment)
    if index.split is not Split.TRAIN:
        raise CliError(
            f"{benchmark}: holds {index.split.value} tasks; training needs a folder of --split train"
        )
    return {environment: {FOLDER_OPTION: str(benchmark.resolve())}}
