"""Commands by which a person steers a campaign: roll back, measure what serves, pause, let go on."""

import click

from rlaios_core.cli.options import (
    ExampleCommand,
    campaign_option,
    json_option,
    quiet_option,
    runner_option,
)

_WHICH = "Campaign; needed when there are several."


@click.command(
    cls=ExampleCommand,
    examples="""
        rlaios rollback                                        # the one that the campaign waits for
        rlaios rollback --campaign alpha --reason "it loops"   # one that you call for
    """,
)
@campaign_option(None, _WHICH)
@click.option("--reason", help="Call for a rollback and say why; kept in the campaign's log.")
@runner_option
@json_option
@click.pass_context
def rollback(
    context: click.Context, campaign: str | None, reason: str | None, runner: str, as_json: bool
) -> int:
    """Restore the policy before the last update and verify its weights.

    Without --reason only a rollback that the campaign waits for is carried out. Exit code 1 when the
    weights could not be verified: the campaign is frozen then, and its pointers stay.
    """
    from rlaios_core.cli import operating

    return operating.rollback(context, campaign, reason, runner, as_json)


@click.command(
    cls=ExampleCommand,
    examples="""
        rlaios monitor                          # a rollback that is due is carried out before and after
        rlaios monitor --campaign alpha --json  # from cron, without a daemon
    """,
)
@campaign_option(None, _WHICH)
@runner_option
@quiet_option
@json_option
@click.pass_context
def monitor(context: click.Context, campaign: str | None, runner: str, quiet: bool, as_json: bool) -> None:
    """Run one monitoring epoch: play and judge the active policy, update nothing.

    What Dagster's `monitoring` schedule asks for, without a daemon. An epoch that is under way is
    finished instead.
    """
    from rlaios_core.cli import operating

    operating.monitor(context, campaign, runner, quiet=quiet, as_json=as_json)


@click.command(cls=ExampleCommand, examples='rlaios pause --campaign alpha --reason "new disk at noon"')
@campaign_option(None, _WHICH)
@click.option("--reason", required=True, help="Why it stops; kept in the campaign's log.")
@json_option
@click.pass_context
def pause(context: click.Context, campaign: str | None, reason: str, as_json: bool) -> None:
    """Stop a campaign between epochs until `rlaios unfreeze`."""
    from rlaios_core.cli import operating

    operating.pause(context, campaign, reason, as_json)


@click.command(cls=ExampleCommand, examples='rlaios unfreeze --campaign alpha --reason "disk replaced"')
@campaign_option(None, _WHICH)
@click.option("--reason", required=True, help="Why it may go on; kept in the campaign's log.")
@json_option
@click.pass_context
def unfreeze(context: click.Context, campaign: str | None, reason: str, as_json: bool) -> None:
    """Let a paused or frozen campaign go on; a rollback that failed is tried again."""
    from rlaios_core.cli import operating

    operating.unfreeze(context, campaign, reason, as_json)


COMMANDS = (rollback, monitor, pause, unfreeze)
