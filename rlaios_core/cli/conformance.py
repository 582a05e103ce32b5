"""`rlaios environment check`: does a plug-in keep the environment protocol?"""

import click

from rlaios_core.cli.options import ExampleCommand, json_option


@click.group()
def environment() -> None:
    """Environments as plug-ins."""


@environment.command(
    cls=ExampleCommand,
    examples="""
        rlaios environment check shell
        rlaios environment check orchestrator --tasks 8 --json
    """,
)
@click.argument("name")
@click.option(
    "--tasks", type=click.IntRange(1, 1_000), default=3, show_default=True, help="Training tasks to play."
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**62),
    default=0,
    show_default=True,
    help="Equal seeds draw equal tasks.",
)
@json_option
def check(name: str, tasks: int, seed: int, as_json: bool) -> int:
    """Run the conformance kit on the installed environment NAME; exit code 1 when a check fails.

    It samples and really plays tasks: sampling, episodes, faults, comparison, references, baselines, and
    whether closing leaves a process.
    """
    from functools import partial

    from rich.table import Table

    from rlaios_core.cli import output
    from rlaios_core.environments import registry
    from rlaios_core.environments.conformance import check_environment

    findings = check_environment(partial(registry.create, name), seed=seed, tasks=tasks)
    failed = sum(not finding.passed for finding in findings)
    table = Table(
        title=f"{name}: {len(findings) - failed} of {len(findings)} checks passed", title_justify="left"
    )
    for column in ("check", "", "finding"):
        table.add_column(column)
    for finding in findings:
        table.add_row(finding.check, "passed" if finding.passed else "FAILED", finding.detail)
    data = {"environment": name, "passed": not failed, "checks": [finding.to_json() for finding in findings]}
    output.emit(as_json, data, table)
    return 1 if failed else 0


COMMANDS = (environment,)
