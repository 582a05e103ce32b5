"""Episode collection: one asset per installed environment, all made by one factory."""

import dagster as dg

from rlaios_core.environments import registry
from rlaios_pipeline import metadata
from rlaios_pipeline.partitions import EPOCHS, parse
from rlaios_pipeline.resources import Control

_NUMBERS = (
    *("episodes", "faults", "success_active", "success_low", "success_high", "success_reference"),
    *("reference_episodes", "reference_faults", "mean_reward", "mean_steps", "mean_verifications"),
    *("consultations", "teacher_errors", "verified_references", "seconds"),
)


def build_episodes(environment: str) -> dg.AssetsDefinition:
    """The episodes asset of one environment."""

    @dg.asset(
        name=f"episodes_{environment}",
        deps=["benchmark"],
        partitions_def=EPOCHS,
        group_name="epoch",
        kinds={"pytorch"},
        description=f"The epoch's {environment} tasks, played by the active policy and by what it replaced.",
    )
    def episodes(
        context: dg.AssetExecutionContext, control: dg.ResourceParam[Control]
    ) -> dg.MaterializeResult[None]:
        epoch = parse(context.partition_key)
        if environment not in control.controller.settings(epoch.campaign).environments:
            return dg.MaterializeResult(metadata={"episodes": 0})
        report = control.controller.collect_episodes(epoch.key, environment, progress=control.progress)
        return dg.MaterializeResult(
            metadata={
                **metadata.numbers(report, *_NUMBERS),
                **metadata.numbers(report.metrics),
                "faults_by_boundary": metadata.counts("boundary", report.faults_by_boundary),
            }
        )

    return episodes


@dg.definitions
def episodes() -> dg.Definitions:
    """One asset per installed environment."""
    return dg.Definitions(assets=[build_episodes(name) for name in registry.names()])
