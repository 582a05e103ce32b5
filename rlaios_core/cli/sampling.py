"""Drawing tasks for a benchmark folder."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from rich.table import Table

from rlaios_core.cli.benchmark_folder import BenchmarkIndex, write_folder
from rlaios_core.cli.estimate import Phase
from rlaios_core.cli.progress import Display, Report
from rlaios_core.control.stages.sampling import sample_distinct
from rlaios_core.environments import Environment, registry
from rlaios_core.schema import Split, Task

SAMPLE = 4
"""Tasks shown beside a campaign's results."""


def default_folder(home: Path | None, environment: str, split: Split, count: int, seed: int) -> Path:
    """Where a benchmark goes when no folder was named."""
    return (home or Path("var")) / "benchmarks" / f"{environment}-{split.value}-{count}-seed{seed}"


def sample(
    environment: str, split: Split, count: int, seed: int, workers: int, *, quiet: bool = False
) -> tuple[list[Task], Mapping[str, int]]:
    """The first `count` tasks of a split, and what the admission gates rejected on the way."""
    name = f"generate {count} {environment} tasks"
    with (
        Display([Phase(name, "generate", count)], quiet=quiet) as display,
        closing(registry.create(environment)) as world,
        display.phase(name),
    ):
        tasks = draw(world, split, count, seed, workers, display.report)
        return tasks, dict(getattr(world, "rejections", {}))


def draw(world: Environment, split: Split, count: int, seed: int, workers: int, report: Report) -> list[Task]:
    """The first `count` tasks of a split that are not alike."""
    return sample_distinct(world, split, count, seed, workers, lambda done: report("tasks", done, count))


def show_sample(folder: Path, world: Environment, seed: int, workers: int, report: Report) -> None:
    """Write a few training tasks where a person can look at them, unless they are there already."""
    if not folder.exists():
        tasks = draw(world, Split.TRAIN, SAMPLE, seed, workers, report)
        write_folder(folder, tasks, seed=seed, rejections={}, seconds=0.0)


def view(index: BenchmarkIndex, folder: Path) -> Table:
    """What a person sees of a new benchmark folder."""
    table = Table(title=f"{index.count} {index.environment} tasks in {folder}", title_justify="left")
    table.add_column("family")
    table.add_column("tasks", justify="right")
    for family, number in index.families.items():
        table.add_row(family, str(number))
    if index.rejections:
        table.caption = "rejected: " + ", ".join(f"{why} {n}" for why, n in index.rejections.items())
    return table
