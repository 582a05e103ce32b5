"""Options that several commands share, and the command classes that make `--help` teach."""

import re
from collections.abc import Callable
from typing import Any

import click

from rlaios_core.schema import Split

Decorated = Callable[..., Any]


class ExampleCommand(click.Command):
    """A command whose help ends with examples, kept as they were written."""

    def __init__(self, *args: Any, examples: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the examples after the options."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples.strip().splitlines():
                    formatter.write(f"  {line.strip()}\n")


class CampaignName(click.ParamType[str]):
    """A campaign's name, refused early and in words."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name itself when it is one."""
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,40}", str(value)):
            self.fail(f"{value!r}: use 1 to 41 small letters, digits and dashes", param, ctx)
        return str(value)


def json_option(command: Decorated) -> Decorated:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")(command)


def quiet_option(command: Decorated) -> Decorated:
    """`--quiet`."""
    return click.option("--quiet", is_flag=True, help="No progress on stderr.")(command)


def campaign_option(default: str | None, text: str) -> Callable[[Decorated], Decorated]:
    """`--campaign NAME`."""
    return click.option("--campaign", type=CampaignName(), default=default, show_default=True, help=text)


def split_option(default: Split, text: str) -> Callable[[Decorated], Decorated]:
    """`--split`."""
    return click.option(
        "--split",
        type=click.Choice([split.value for split in Split]),
        default=default.value,
        show_default=True,
        callback=lambda _ctx, _param, value: Split(value),
        help=text,
    )


def checkpoint_option(command: Decorated) -> Decorated:
    """`--checkpoint`."""
    return click.option(
        "--checkpoint", default="active", show_default=True,
        help="active, last_stable, pre_update_ref or a checkpoint id.",
    )(command)  # fmt: skip


def resume_option(command: Decorated) -> Decorated:
    """`--resume`, for commands that train."""
    return click.option(
        "--resume", is_flag=True,
        help="Go on with the campaign's own settings; only --epochs and --runner may be given beside it.",
    )(command)  # fmt: skip


def runner_option(command: Decorated) -> Decorated:
    """`--runner`."""
    return click.option(
        "--runner", default="dagster", show_default=True,
        help="dagster: each epoch is a run that `make ui` shows; direct: without Dagster.",
    )(command)  # fmt: skip


def settings_options(command: Decorated) -> Decorated:
    """The flags that make a campaign's settings, and who runs it."""
    for option in reversed(
        (
            click.option("--epochs", type=click.IntRange(1, 10_000), help="Training epochs."),
            click.option("--seed", type=click.IntRange(0, 2**62), help="Equal seeds give equal campaigns."),
            click.option(
                "--episodes-per-epoch", type=click.IntRange(1, 100_000), help="Over all environments."
            ),
            click.option(
                "--held-out-episodes", type=click.IntRange(1, 100_000), help="Per environment and arm."
            ),
            click.option(
                "--learning-rate", type=click.FloatRange(0.0, 1.0), help="0 is a control that learns nothing."
            ),
            click.option("--workers", type=click.IntRange(1, 1024), help="Threads that make tasks."),
            click.option(
                "--set", "assignments", metavar="NAME=VALUE", multiple=True,
                help="Any other setting, such as --set ppo.passes=2; may be repeated.",
            ),
            runner_option,
        )
    ):  # fmt: skip
        command = option(command)
    return command
