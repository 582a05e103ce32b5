"""Showing held-out measurements as materializations, one external asset per environment."""

from collections.abc import Mapping

import dagster as dg

from rlaios_core.environments import registry
from rlaios_core.reporting import frames
from rlaios_core.reporting.plots import held_out_plot
from rlaios_core.reporting.theme import LIGHT
from rlaios_core.schema import HeldOutScore
from rlaios_pipeline import metadata
from rlaios_pipeline.partitions import CAMPAIGNS


def measurement_key(environment: str) -> dg.AssetKey:
    """The asset that shows an environment's held-out scores."""
    return dg.AssetKey(["held_out", environment])


def measurement_specs() -> list[dg.AssetSpec]:
    """One asset per installed environment."""
    return [
        dg.AssetSpec(
            measurement_key(name),
            partitions_def=CAMPAIGNS,
            group_name="held_out",
            kinds={"pandas"},
            description=f"Success of every measured policy on held-out {name} tasks, which no gate reads.",
        )
        for name in registry.names()
    ]


def log_scores(
    context: dg.OpExecutionContext,
    campaign: str,
    held_out: Mapping[str, Mapping[str, HeldOutScore]],
    measured: Mapping[str, str],
) -> None:
    """Record the scores of the arms just measured (`measured[arm]` is the checkpoint or `none`)."""
    for environment, arms in held_out.items():
        scores = {arm: arms[arm] for arm in measured if arm in arms}
        if not scores:
            continue
        values: dict[str, dg.MetadataValue | float | int | str] = {}
        for arm, score in scores.items():
            values |= {f"{arm}_success": score.success, f"{arm}_low": score.low, f"{arm}_high": score.high}
            values |= {f"{arm}_episodes": score.episodes, f"{arm}_faults": score.faults}
            values[f"{arm}_checkpoint"] = measured[arm]
        every = {environment: arms}
        context.log_event(
            dg.AssetMaterialization(
                asset_key=measurement_key(environment),
                partition=campaign,
                description=f"measured: {', '.join(scores)}",
                metadata={
                    **values,
                    "all_arms": metadata.table(frames.held_out_frame(every)),
                    **metadata.plot(held_out_plot(every, LIGHT), "Held-out success"),
                },
            )
        )
