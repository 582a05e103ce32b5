"""The commands of one environment: `benchmark-generate`, `train`, `eval`. The same shape for every one.

An environment's further commands come from the entry-point group `rlaios.environment_commands`: under the
environment's name, a callable that gives them.
"""

import time
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click

from rlaios_core.cli.options import (
    ExampleCommand,
    campaign_option,
    checkpoint_option,
    json_option,
    quiet_option,
    resume_option,
    settings_options,
    split_option,
)
from rlaios_core.schema import Split

COMMANDS_GROUP = "rlaios.environment_commands"
_FOLDER = click.Path(file_okay=False, path_type=Path)


def environment_group(name: str) -> click.Group:
    """The group of commands for the environment called `name`."""
    group = click.Group(name, help=f"Tasks, training and measurement in the {name} environment.")
    for command in (_generate(name), _train(name), _evaluate(name)):
        group.add_command(command)
    for entry in entry_points(group=COMMANDS_GROUP):
        if entry.name == name:
            for command in entry.load()():
                group.add_command(command)
    return group


def _generate(environment: str) -> click.Command:
    @click.command(
        "benchmark-generate",
        cls=ExampleCommand,
        examples=f"""
            rlaios {environment} benchmark-generate --count 20 --seed 7
            rlaios {environment} benchmark-generate --count 50 --split final --out bench/final
            rlaios {environment} train --benchmark bench/train      # play what was generated
        """,
    )
    @click.option("--count", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Tasks.")
    @click.option(
        "--seed", type=click.IntRange(0, 2**62), default=0, show_default=True,
        help="Equal seeds give equal tasks.",
    )  # fmt: skip
    @split_option(Split.TRAIN, "Which part of the task space.")
    @click.option("--out", type=_FOLDER, help="Folder to write; replaced whole if it is a benchmark folder.")
    @click.option("--workers", type=click.IntRange(1, 256), default=2, show_default=True, help="Threads.")
    @quiet_option
    @json_option
    @click.pass_context
    def generate(
        context: click.Context, count: int, seed: int, split: Split, out: Path | None, workers: int,
        quiet: bool, as_json: bool,
    ) -> None:  # fmt: skip
        """Generate tasks and write them as JSON files, one a task, with an index.json.

        A task is admitted only if its baseline reproduces; what was rejected is counted in the index.
        """
        from rlaios_core.cli import benchmark_folder, output, sampling
        from rlaios_core.cli.session import home_of

        folder = out or sampling.default_folder(home_of(context), environment, split, count, seed)
        started = time.monotonic()
        tasks, rejections = sampling.sample(environment, split, count, seed, workers, quiet=quiet)
        index = benchmark_folder.write_folder(
            folder, tasks, seed=seed, rejections=rejections, seconds=time.monotonic() - started
        )
        output.emit(as_json, {**index.to_json(), "folder": str(folder)}, sampling.view(index, folder))

    return generate


def _train(environment: str) -> click.Command:
    @click.command(
        "train",
        cls=ExampleCommand,
        examples=f"""
            rlaios {environment} train --epochs 5
            rlaios {environment} train --epochs 5 --campaign beta --seed 3 --learning-rate 0.0005
            rlaios {environment} train --campaign beta --resume --epochs 10   # five more
            rlaios {environment} train --benchmark bench/train --set comparison.stable_rounds=2
        """,
    )
    @campaign_option(environment, "Campaign to open or go on with.")
    @settings_options
    @resume_option
    @click.option("--benchmark", type=_FOLDER, help="Draw the training tasks from a generated folder.")
    @quiet_option
    @json_option
    @click.pass_context
    def train(
        context: click.Context, /, campaign: str, runner: str, resume: bool, benchmark: Path | None,
        quiet: bool, as_json: bool, assignments: tuple[str, ...], **flags: Any,
    ) -> None:  # fmt: skip
        """Run training epochs: collect, compare, update, promote. No held-out measurement.

        An interrupted campaign goes on where it stopped: start the same command again.
        """
        from rlaios_core.cli import training

        training.train(
            context, (environment,), campaign, runner_name=runner, resume=resume, benchmark=benchmark,
            quiet=quiet, as_json=as_json, assignments=assignments, flags=flags,
        )  # fmt: skip

    return train


def _evaluate(environment: str) -> click.Command:
    @click.command(
        "eval",
        cls=ExampleCommand,
        examples=f"""
            rlaios {environment} eval
            rlaios {environment} eval --campaign beta --checkpoint last_stable --episodes 120
            rlaios {environment} eval --split held_out_operator --json
            rlaios {environment} eval --benchmark bench/final
        """,
    )
    @campaign_option(None, f"Whose checkpoint.  [default: {environment}, or the only one]")
    @checkpoint_option
    @split_option(Split.FINAL, "Which tasks; no gate and no tuning reads `final`.")
    @click.option("--episodes", type=click.IntRange(1, 100_000), default=60, show_default=True)
    @click.option("--benchmark", type=_FOLDER, help="Play a generated folder; its split is used.")
    @quiet_option
    @json_option
    @click.pass_context
    def evaluate(
        context: click.Context, campaign: str | None, checkpoint: str, split: Split, episodes: int,
        benchmark: Path | None, quiet: bool, as_json: bool,
    ) -> None:  # fmt: skip
        """Measure a checkpoint on tasks that no update has learned from: success with a 95% interval."""
        from rlaios_core.cli import evaluation

        evaluation.evaluate(
            context, environment, campaign, checkpoint, split, episodes,
            benchmark=benchmark, quiet=quiet, as_json=as_json,
        )  # fmt: skip

    return evaluate
