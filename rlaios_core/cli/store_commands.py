"""Commands that keep the store: what is kept, and whether it is sound."""

import click

from rlaios_core.cli.options import ExampleCommand, campaign_option, json_option

_WHICH = "Campaign of the checkpoint; needed when there are several."
_CHECKPOINT = "CHECKPOINT is an id, or a pointer: active, pre_update_ref, last_stable."


@click.command(
    cls=ExampleCommand,
    examples="rlaios pin last_stable\nrlaios pin ck-46b4a8edc5660096 --campaign alpha",
    help=f"Keep a checkpoint's file whatever its age; also while its campaign is running. {_CHECKPOINT}",
)
@click.argument("checkpoint")
@campaign_option(None, _WHICH)
@json_option
@click.pass_context
def pin(context: click.Context, checkpoint: str, campaign: str | None, as_json: bool) -> None:
    """Keep a checkpoint."""
    from rlaios_core.cli import storekeeping

    storekeeping.pin(context, campaign, checkpoint, pinned=True, as_json=as_json)


@click.command(
    cls=ExampleCommand,
    examples="rlaios unpin ck-46b4a8edc5660096 --campaign alpha",
    help=f"Let a pinned checkpoint's file age like the others. {_CHECKPOINT}",
)
@click.argument("checkpoint")
@campaign_option(None, _WHICH)
@json_option
@click.pass_context
def unpin(context: click.Context, checkpoint: str, campaign: str | None, as_json: bool) -> None:
    """Keep a checkpoint no longer."""
    from rlaios_core.cli import storekeeping

    storekeeping.pin(context, campaign, checkpoint, pinned=False, as_json=as_json)


@click.command(
    cls=ExampleCommand, examples="rlaios prune --keep 5 --dry-run\nrlaios prune --campaign alpha --keep 5"
)
@campaign_option(None, "Campaign to prune; needed when there are several.")
@click.option(
    "--keep", type=click.IntRange(0), help="Newest checkpoints kept.  [default: the campaign's own]"
)
@click.option("--dry-run", is_flag=True, help="Say what would go; remove nothing.")
@json_option
@click.pass_context
def prune(
    context: click.Context, campaign: str | None, keep: int | None, dry_run: bool, as_json: bool
) -> None:
    """Remove the files of older checkpoints. What a pointer names and what is pinned always stays."""
    from rlaios_core.cli import storekeeping

    storekeeping.prune(context, campaign, keep, dry_run=dry_run, as_json=as_json)


@click.command(cls=ExampleCommand, examples="rlaios doctor\nrlaios doctor --json")
@json_option
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> int:
    """Examine the store and name each fault with its mend; changes nothing. Exit code 1 when there is one."""
    from rlaios_core.cli import storekeeping

    return storekeeping.doctor(context, as_json)


COMMANDS = (pin, unpin, prune, doctor)
