"""Stage 1: fresh tasks for every environment, at places that no earlier epoch used."""

from collections import Counter
from functools import partial

from rlaios_core.control.reports import BenchmarkReport, EnvironmentBenchmark, Stage
from rlaios_core.control.stages.desk import Desk, Epoch, Progress, Stopwatch, open_epoch, require_open, silent
from rlaios_core.control.stages.sampling import SEARCHED, rejected, sample_distinct
from rlaios_core.schema import Split


def generate_benchmark(desk: Desk, key: str, progress: Progress = silent) -> BenchmarkReport:
    """Draw and store the epoch's tasks."""
    epoch = open_epoch(desk, key)
    stored = desk.ledger.report(key, Stage.BENCHMARK, BenchmarkReport)
    if stored is not None:
        return stored
    require_open(epoch)
    total, done, files, parts = epoch.settings.episodes_per_epoch, 0, [], []
    for environment, quota in epoch.quotas.items():
        watch = Stopwatch()
        world = desk.environment(epoch.name.campaign, environment)
        before = rejected(world)
        tasks = sample_distinct(
            world,
            Split.TRAIN,
            quota,
            task_seed(epoch, environment),
            epoch.settings.workers,
            partial(_advance, progress, done, total),
            first=first_place(epoch, quota),
        )
        done += len(tasks)
        files.append(desk.episodes.write_tasks(epoch.tasks_path(environment), tasks))
        parts.append(
            EnvironmentBenchmark(
                environment=environment,
                tasks=len(tasks),
                families=dict(sorted(Counter(task.family for task in tasks).items())),
                rejected=rejected(world) - before,
                seconds=watch.seconds,
            )
        )
    report = BenchmarkReport(key=key, environments=tuple(parts))
    with desk.store.writing(epoch.name.campaign) as connection:
        for file in files:
            desk.episodes.record_file(connection, epoch.name.campaign, file)
        desk.ledger.put_report(connection, key, Stage.BENCHMARK, report)
    return report


def _advance(progress: Progress, before: int, total: int, made: int) -> None:
    progress(Stage.BENCHMARK.value, before + made, total)


def first_place(epoch: Epoch, quota: int) -> int:
    """Where the epoch's places in the environment's stream begin; they count up, so tasks are fresh."""
    return (epoch.name.epoch - 1) * quota * SEARCHED


def task_seed(epoch: Epoch, environment: str) -> int:
    """Seed of the environment's stream of training tasks."""
    return epoch.seed("tasks", environment)
