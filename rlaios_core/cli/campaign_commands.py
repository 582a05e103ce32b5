"""`rlaios campaign`: train and measure, from an empty store to a report. What `make campaign` runs."""

from typing import Any

import click

from rlaios_core.cli.options import CampaignName, ExampleCommand, json_option, quiet_option, settings_options


@click.command(
    cls=ExampleCommand,
    examples="""
        rlaios campaign                                  # the default budget, about ten minutes on two cores
        rlaios campaign --name beta --seed 3 --epochs 3
        rlaios campaign --name control --learning-rate 0 # a control arm: must show no gain
        rlaios campaign --name beta --resume             # go on with what it was opened with
    """,
)
@click.option(
    "--name", type=CampaignName(), default="alpha", show_default=True, help="Campaign to open or go on with."
)
@click.option(
    "--environments", metavar="A,B", help="Environments that take part, by comma.  [default: all installed]"
)
@click.option("--no-baselines", is_flag=True, help="Do not measure the heuristic and the oracle.")
@click.option(
    "--resume", is_flag=True, help="Go on with the campaign's own settings; only --epochs may differ."
)
@settings_options
@quiet_option
@json_option
@click.pass_context
def campaign(context: click.Context, /, name: str, environments: str | None, **rest: Any) -> None:
    """Train and measure: open, measure untrained and baselines, run epochs, measure again, report.

    Writes summary.json and report.html into the campaign's folder. Everything finished is stored: start
    the same command again after an interruption and it goes on; a finished campaign is reported again.
    """
    from rlaios_core.cli import campaigning

    campaigning.campaign(context, name, environments, **rest)


COMMANDS = (campaign,)
