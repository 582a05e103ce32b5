"""The `rlaios` command: its groups, and the one place where errors become lines and exit codes."""

import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rlaios_core.cli.environment_commands import environment_group
from rlaios_core.cli.errors import BAD_INPUT, INTERRUPTED, exit_code, expected_errors, explain
from rlaios_core.environments import registry
from rlaios_core.schema.refusal import one_line

_HELP = """Train, measure and operate the policy inside an agent harness.

\b
Start here:
  rlaios campaign                      train and measure, with a report at the end
  rlaios status                        what every campaign is doing
  rlaios shell benchmark-generate      look at the tasks
  rlaios shell train --epochs 5        train only
  rlaios shell eval                    measure a checkpoint on held-out tasks

Every command has --help with examples, and most have --json.
"""


@click.group(help=_HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="rlaios", message="%(version)s")
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="RLAIOS_HOME",
    help="Folder of the store: campaigns, checkpoints, episodes.  [default: ./var; env: RLAIOS_HOME]",
)
def cli(home: Path | None) -> None:
    """The root of all commands; `home` is read by those that open the store."""


def _build() -> None:
    from rlaios_core.cli import (
        campaign_commands,
        conformance,
        inspect_commands,
        mixed_commands,
        off_policy,
        operate_commands,
        store_commands,
    )

    for name in registry.names():
        cli.add_command(environment_group(name))
    for module in (
        campaign_commands,
        mixed_commands,
        inspect_commands,
        operate_commands,
        store_commands,
        conformance,
        off_policy,
    ):
        for command in module.COMMANDS:
            cli.add_command(command)


_build()


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; what went wrong stands in one line on stderr."""
    try:
        result = cli.main(args=arguments, prog_name="rlaios", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return BAD_INPUT
    except click.UsageError as error:
        return _refuse(one_line(error.format_message()), _hint(error.ctx))
    except click.ClickException as error:
        return _refuse(one_line(error.format_message()))
    except (click.Abort, KeyboardInterrupt):
        return _say(
            "interrupted; nothing is lost: start the same command again and it goes on where it stopped",
            INTERRUPTED,
        )
    except BrokenPipeError:
        # The reader of our output went away (such as `| head`).
        sys.stderr.close()
        return 0
    except expected_errors() as error:
        return _say(explain(error), exit_code(error))


def main() -> None:
    """The console script."""
    code = run()
    # The work is over and its outcome known: a late Ctrl-C must not turn it into death by a signal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def _hint(context: click.Context | None) -> str:
    return f"see `{context.command_path} --help`" if context else "see `rlaios --help`"


def _refuse(message: str, hint: str = "") -> int:
    return _say(f"{message.rstrip('.')}; {hint}" if hint else message, BAD_INPUT)


def _say(message: str, code: int) -> int:
    click.echo(f"rlaios: {message}", err=True)
    return code
