"""The first step of an epoch: its tasks."""

import dagster as dg

from rlaios_core.reporting.frames import benchmark_frame
from rlaios_pipeline import metadata
from rlaios_pipeline.partitions import EPOCHS, parse
from rlaios_pipeline.resources import Control
from rlaios_pipeline.steps import begin_epoch, waiting_for_the_writer


@dg.asset(partitions_def=EPOCHS, group_name="epoch", kinds={"json"})
def benchmark(
    context: dg.AssetExecutionContext, control: dg.ResourceParam[Control]
) -> dg.MaterializeResult[None]:
    """Fresh tasks for every environment, drawn from the campaign's seed and the epoch's number alone."""
    with waiting_for_the_writer(control):
        key = begin_epoch(context, control.controller, parse(context.partition_key))
        report = control.controller.generate_benchmark(key, progress=control.progress)
    return dg.MaterializeResult(
        metadata={
            "tasks": report.tasks,
            "rejected": sum(part.rejected for part in report.environments),
            "seconds": sum(part.seconds for part in report.environments),
            "families": metadata.table(benchmark_frame(report)),
        }
    )
