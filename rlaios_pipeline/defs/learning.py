"""From episodes to the next policy: comparison, replay lanes, candidate, promotion."""

import dagster as dg

from rlaios_core.control import PromotionReport
from rlaios_core.environments import registry
from rlaios_core.reporting import frames, plots, stage_plots
from rlaios_core.reporting.theme import LIGHT
from rlaios_pipeline import metadata
from rlaios_pipeline.config import POOL
from rlaios_pipeline.partitions import EPOCHS, parse, register
from rlaios_pipeline.pointers import show_moves
from rlaios_pipeline.resources import Control
from rlaios_pipeline.steps import waiting_for_the_writer

_EPISODES = [f"episodes_{name}" for name in registry.names()]


@dg.asset(deps=_EPISODES, partitions_def=EPOCHS, group_name="epoch", kinds={"pandas"})
def comparison(
    context: dg.AssetExecutionContext, control: dg.ResourceParam[Control]
) -> dg.MaterializeResult[None]:
    """The active policy against what the last update replaced: one verdict. *Worse* is no error."""
    with waiting_for_the_writer(control):
        result = control.controller.compare(parse(context.partition_key).key)
    if result is None:
        return dg.MaterializeResult(metadata={"verdict": "none: there is no reference yet"})
    return dg.MaterializeResult(
        metadata={
            "verdict": result.relative_outcome.value if result.relative_outcome else "comparison failed",
            **metadata.numbers(
                result, "pairs", "valid_pairs", "better_pairs", "worse_pairs", "mean_difference",
                "interval_low", "interval_high", "p_worse", "p_better", "failure_reason",
                "active_checkpoint", "reference_checkpoint",
            ),
            "by_environment": metadata.table(frames.breakdown_frame(result)),
            **metadata.plot(stage_plots.comparison(result, LIGHT), "Difference, active minus reference"),
        }
    )  # fmt: skip


@dg.asset(deps=[comparison], partitions_def=EPOCHS, group_name="epoch", kinds={"pandas"})
def replay_lanes(
    context: dg.AssetExecutionContext, control: dg.ResourceParam[Control]
) -> dg.MaterializeResult[None]:
    """Every episode's fused reward and replay lane, by how its pair compared."""
    with waiting_for_the_writer(control):
        report = control.controller.route_lanes(parse(context.partition_key).key)
    return dg.MaterializeResult(
        metadata={
            **{lane.value: count for lane, count in report.lanes.items()},
            **metadata.numbers(report, "mean_reward", "seconds"),
            "diagnostic_reasons": metadata.counts("reason", report.diagnostic_reasons),
            **metadata.plot(stage_plots.lanes(report, LIGHT), "Replay lanes"),
        }
    )


@dg.asset(deps=[replay_lanes], partitions_def=EPOCHS, group_name="epoch", kinds={"pytorch"}, pool=POOL)
def candidate(
    context: dg.AssetExecutionContext, control: dg.ResourceParam[Control]
) -> dg.MaterializeResult[None]:
    """The checkpoint that one PPO update makes of the active one; none in a monitoring epoch."""
    epoch = parse(context.partition_key)
    with waiting_for_the_writer(control):
        report = control.controller.train_candidate(epoch.key, progress=control.progress)
    return dg.MaterializeResult(
        data_version=dg.DataVersion(report.checkpoint_id) if report.checkpoint_id else None,
        metadata={
            "status": report.status.value,
            **metadata.numbers(
                report, "reason", "checkpoint_id", "parent", "weights_hash", "batch_id", "live_episodes",
                "replay_episodes", "negative_episodes", "reference_episodes", "seconds",
            ),
            **frames.update_numbers(report),
        },
    )  # fmt: skip


@dg.asset(deps=[candidate], partitions_def=EPOCHS, group_name="epoch", pool=POOL)
def promotion(
    context: dg.AssetExecutionContext, control: dg.ResourceParam[Control]
) -> dg.MaterializeResult[None]:
    """The gates' findings, the pointer moves that follow, and what the campaign does next."""
    epoch = parse(context.partition_key)
    controller = control.controller
    with waiting_for_the_writer(control):
        report = controller.promote(epoch.key, progress=control.progress)
    show_moves(context, controller, epoch.campaign)
    register(context.instance, epoch=controller.next_epoch(epoch.campaign).key)
    return dg.MaterializeResult(
        metadata={
            "promoted": int(report.promoted),
            "moves": len(report.moves),
            "streak": report.streak,
            "seconds": report.seconds,
            "next": _next(report),
            "gates": metadata.table(frames.gates_frame(report.gates)),
            "pointer_moves": metadata.table(frames.moves_frame(report.moves)),
            **metadata.plot(
                plots.success_by_epoch(controller.collection_reports(epoch.campaign), LIGHT),
                "Success by epoch",
            ),
        }
    )


def _next(report: PromotionReport) -> str:
    """What the campaign does after this epoch, in words."""
    if report.rollback is not None:
        return f"rollback ({report.rollback.value})"
    return "paused: a person has to look" if report.paused else f"{report.next_kind.value} epoch"
