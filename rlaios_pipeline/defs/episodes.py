"""Episode collection: one asset and one gate per installed environment, all made by the same factories."""

import dagster as dg

from rlaios_core.environments import registry
from rlaios_pipeline import metadata
from rlaios_pipeline.partitions import EPOCHS, parse
from rlaios_pipeline.resources import Control
from rlaios_pipeline.steps import waiting_for_the_writer

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
        with waiting_for_the_writer(control):
            report = control.controller.collect_episodes(epoch.key, environment, progress=control.progress)
        return dg.MaterializeResult(
            metadata={
                **metadata.numbers(report, *_NUMBERS),
                **metadata.numbers(report.metrics),
                "faults_by_boundary": metadata.counts("boundary", report.faults_by_boundary),
            }
        )

    return episodes


def build_schema_check(environment: str) -> dg.AssetChecksDefinition:
    """The gate of one environment's episodes. An invariant: nothing is compared when it does not hold."""

    @dg.asset_check(
        asset=f"episodes_{environment}",
        name="schema",
        blocking=True,
        partitions_def=EPOCHS,
        description="What was stored is read back: hashes, contracts, counts, each task once per side.",
    )
    def schema(
        context: dg.AssetCheckExecutionContext, control: dg.ResourceParam[Control]
    ) -> dg.AssetCheckResult:
        epoch = parse(context.partition_key)
        if environment not in control.controller.settings(epoch.campaign).environments:
            return dg.AssetCheckResult(passed=True, description="takes no part in this campaign")
        finding = control.controller.episodes_gate(epoch.key, environment)
        return dg.AssetCheckResult(
            passed=finding.passed, description=finding.detail, severity=dg.AssetCheckSeverity.ERROR
        )

    return schema


@dg.definitions
def episodes() -> dg.Definitions:
    """One asset and one gate per installed environment."""
    names = registry.names()
    return dg.Definitions(
        assets=[build_episodes(name) for name in names],
        asset_checks=[build_schema_check(name) for name in names],
    )
