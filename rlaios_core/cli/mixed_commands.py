"""`rlaios mixed` and `rlaios mixed-eval`: one student, trained and measured in several environments."""

from typing import Any

import click

from rlaios_core.cli.errors import CliError
from rlaios_core.cli.options import (
    Decorated,
    ExampleCommand,
    campaign_option,
    checkpoint_option,
    json_option,
    quiet_option,
    resume_option,
    settings_options,
    split_option,
)
from rlaios_core.environments import registry
from rlaios_core.schema import Split

MIXED = "mixed"


def _which(command: Decorated) -> Decorated:
    """`--mixed` and `--NAME-only` for every installed environment."""
    for name in reversed(registry.names()):
        command = click.option(f"--{name}-only", is_flag=True, help=f"Only the {name} environment.")(command)
    return click.option("--mixed", is_flag=True, help="All of them, in equal shares. The default.")(command)


@click.command(
    MIXED,
    cls=ExampleCommand,
    examples="""
        rlaios mixed --epochs 5                       # shell, browser and orchestrator in equal shares
        rlaios mixed --shell-only --epochs 5          # what `rlaios shell train` does
        rlaios mixed --campaign mixed --resume --epochs 10
    """,
)
@campaign_option(None, "Campaign to open or go on with.  [default: mixed, or the only environment's name]")
@_which
@settings_options
@resume_option
@quiet_option
@json_option
@click.pass_context
def mixed(
    context: click.Context, /, campaign: str | None, runner: str, resume: bool, quiet: bool, as_json: bool,
    assignments: tuple[str, ...], **flags: Any,
) -> None:  # fmt: skip
    """Run training epochs on all environments: equal quotas, one update, one verdict, one rollback decision.

    An interrupted campaign goes on where it stopped: start the same command again.
    """
    from rlaios_core.cli import training

    only = {name: flags.pop(f"{name}_only") for name in registry.names()}
    environments = _chosen(only, flags.pop(MIXED))
    if resume and campaign is not None and any(only.values()):
        raise CliError("leave out the choice of environments: a resumed campaign keeps its own")
    training.train(
        context, environments, campaign or (MIXED if len(environments) > 1 else environments[0]),
        runner_name=runner, resume=resume, benchmark=None, quiet=quiet, as_json=as_json,
        assignments=assignments, flags=flags,
    )  # fmt: skip


def _chosen(only: dict[str, bool], all_of_them: bool) -> tuple[str, ...]:
    """The environments that the flags name. Raises `CliError` for flags that contradict each other."""
    given = [name for name, wanted in only.items() if wanted]
    if len(given) + all_of_them > 1:
        flags = ["--mixed"] * all_of_them + [f"--{name}-only" for name in given]
        raise CliError(f"{' and '.join(flags)}: give one of them")
    return tuple(given) or registry.names()


@click.command(
    "mixed-eval",
    cls=ExampleCommand,
    examples="""
        rlaios mixed-eval
        rlaios mixed-eval --campaign alpha --checkpoint last_stable --episodes 120 --json
    """,
)
@campaign_option(None, "Whose checkpoint.  [default: mixed, or the only one]")
@checkpoint_option
@split_option(Split.FINAL, "Which tasks; no gate and no tuning reads `final`.")
@click.option(
    "--episodes", type=click.IntRange(1, 100_000), default=60, show_default=True, help="Per environment."
)
@quiet_option
@json_option
@click.pass_context
def mixed_eval(
    context: click.Context, campaign: str | None, checkpoint: str, split: Split, episodes: int,
    quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Measure a checkpoint in every environment of its campaign: success with 95% intervals."""
    from rlaios_core.cli import evaluation

    evaluation.evaluate_all(
        context, campaign, checkpoint, split, episodes, preferred=MIXED, quiet=quiet, as_json=as_json
    )


COMMANDS = (mixed, mixed_eval)
