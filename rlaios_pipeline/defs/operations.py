"""Jobs that a person, the command line or a sensor starts."""

import dagster as dg

from rlaios_core.reporting import frames
from rlaios_core.schema import Pointer, RollbackReason, Split
from rlaios_pipeline import metadata
from rlaios_pipeline.config import POOL, MeasureConfig, RollbackConfig
from rlaios_pipeline.launch_form import CampaignForm, launch_form
from rlaios_pipeline.measurements import log_scores
from rlaios_pipeline.partitions import register
from rlaios_pipeline.pointers import show_moves
from rlaios_pipeline.resources import Control
from rlaios_pipeline.steps import waiting_for_the_writer

BASELINES = "baselines"
"""The arm that stands for all scripted baselines of the environments."""

# A run is a process of its own already; each further process would import torch again.
_EXECUTOR = dg.in_process_executor
# What was finished is only shown again, and the run page of a retry is complete.
_RETRY = {"dagster/retry_strategy": "ALL_STEPS"}
_EPOCH = dg.AssetSelection.groups("epoch")

training_epoch = dg.define_asset_job(
    "training_epoch",
    selection=_EPOCH,
    executor_def=_EXECUTOR,
    tags=_RETRY,
    description="One epoch: benchmark, episodes, comparison, replay lanes, candidate, promotion.",
)
monitoring_epoch = dg.define_asset_job(
    "monitoring_epoch",
    selection=_EPOCH,
    executor_def=_EXECUTOR,
    tags=_RETRY,
    description="The same steps on an mNNNNN partition: it measures and judges, and makes no update.",
)


@dg.op
def register_campaign(
    context: dg.OpExecutionContext, config: CampaignForm, control: dg.ResourceParam[Control]
) -> None:
    """Open the campaign with a fresh policy under its pointers; one that is open already is left as it is."""
    controller = control.controller
    controller.open_campaign(config.settings())
    register(context.instance, campaign=config.name, epoch=controller.next_epoch(config.name).key)
    show_moves(context, controller, config.name)


@dg.job(
    executor_def=_EXECUTOR,
    config=launch_form,
    description="Open a campaign and its first epoch's partition. The form is refused before there is a run.",
)
def open_campaign() -> None:
    """One op."""
    register_campaign()


@dg.op(pool=POOL)
def restore_weights(
    context: dg.OpExecutionContext, config: RollbackConfig, control: dg.ResourceParam[Control]
) -> None:
    """Restore the weights that the pending rollback names and verify their hash."""
    controller = control.controller
    reason = RollbackReason.REQUESTED if config.requested else None
    with waiting_for_the_writer(control):
        record = controller.rollback(config.campaign, reason=reason, note=config.reason)
    show_moves(context, controller, config.campaign)
    register(context.instance, epoch=controller.next_epoch(config.campaign).key)
    context.add_output_metadata(
        {
            "reason": record.reason.value,
            "from": record.from_checkpoint,
            "to": record.to_checkpoint,
            "weights_hash": record.weights_hash or "none",
            "verified": int(record.verified),
            "diagnosis": metadata.table(frames.diagnosis_frame(record)),
        }
    )
    if not record.verified:
        raise dg.Failure(
            f"campaign {config.campaign}: the weights of {record.to_checkpoint} could not be verified; "
            "the campaign is frozen until a person lifts it",
            allow_retries=False,
        )


@dg.job(executor_def=_EXECUTOR, description="Carry out the rollback that a campaign waits for.")
def rollback() -> None:
    """One op."""
    restore_weights()


@dg.op
def measure_held_out(
    context: dg.OpExecutionContext, config: MeasureConfig, control: dg.ResourceParam[Control]
) -> None:
    """Play a checkpoint, or the scripted baselines, on held-out tasks. Moves no pointer."""
    controller, split = control.controller, Split(config.split)
    if config.arm == BASELINES:
        scores = controller.baselines_held_out(
            config.campaign, split, config.episodes, progress=control.progress
        )
        measured = dict.fromkeys((arm for arms in scores.values() for arm in arms), "none")
    else:
        lineage = controller.state(config.campaign).lineage.model_dump()
        pointers = [pointer.value for pointer in Pointer]
        checkpoint = lineage[config.checkpoint] if config.checkpoint in pointers else config.checkpoint
        controller.held_out(
            config.campaign, checkpoint_id=checkpoint, split=split, episodes=config.episodes,
            arm=config.arm, progress=control.progress,
        )  # fmt: skip
        measured = {config.arm: checkpoint}
    log_scores(context, config.campaign, controller.summary(config.campaign, 0.0).held_out, measured)


@dg.job(executor_def=_EXECUTOR, description="Measure a policy on held-out tasks.")
def measure() -> None:
    """One op."""
    measure_held_out()
