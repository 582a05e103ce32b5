"""Commands that look."""

import click

from rlaios_core.cli.options import ExampleCommand, campaign_option, json_option

_WHICH = "Campaign to look at; needed when there are several."


@click.command(cls=ExampleCommand, examples="rlaios status\nrlaios status --campaign alpha --json")
@campaign_option(None, "Only this campaign.")
@json_option
@click.pass_context
def status(context: click.Context, campaign: str | None, as_json: bool) -> None:
    """What every campaign is doing, where its pointers stand, and what comes next."""
    from rlaios_core.cli import inspection

    inspection.status(context, campaign, as_json)


@click.command(cls=ExampleCommand, examples="rlaios lineage\nrlaios lineage --campaign alpha --json")
@campaign_option(None, _WHICH)
@json_option
@click.pass_context
def lineage(context: click.Context, campaign: str | None, as_json: bool) -> None:
    """Who was active when, and every pointer move: which checkpoint became what, when and why.

    With --json each move carries the verdicts and gates behind it.
    """
    from rlaios_core.cli import inspection

    inspection.lineage(context, campaign, as_json)


@click.command(cls=ExampleCommand, examples="rlaios epochs\nrlaios epochs --campaign alpha --json")
@campaign_option(None, _WHICH)
@json_option
@click.pass_context
def epochs(context: click.Context, campaign: str | None, as_json: bool) -> None:
    """Every epoch: kind, verdict, success, candidate, seconds."""
    from rlaios_core.cli import inspection

    inspection.epochs(context, campaign, as_json)


@click.command(cls=ExampleCommand, examples="rlaios report\nrlaios report --campaign alpha")
@campaign_option(None, _WHICH)
@json_option
@click.pass_context
def report(context: click.Context, campaign: str | None, as_json: bool) -> None:
    """Print the summary table and write summary.json and report.html anew. Plays nothing."""
    from rlaios_core.cli import inspection

    inspection.report(context, campaign, as_json)


COMMANDS = (status, lineage, epochs, report)
