"""Run configuration of jobs. An epoch takes none: its settings are in the campaign database."""

import dagster as dg
from pydantic import Field

POOL = "policy_update"
"""The pool that lets one update run at a time."""


class RollbackConfig(dg.Config):
    """Which campaign is rolled back."""

    campaign: str = Field(description="A campaign that waits for its rollback.")
    requested: bool = Field(
        default=False, description="Call for a rollback that the campaign did not ask for."
    )
    reason: str = Field(default="", description="Why you call for it; kept in the campaign's log.")


class MeasureConfig(dg.Config):
    """Who is measured on held-out tasks."""

    campaign: str
    arm: str = Field(
        default="trained", description="Name that the scores are stored under; `baselines` measures those."
    )
    checkpoint: str = Field(
        default="active", description="active, last_stable, pre_update_ref or a checkpoint id."
    )
    split: str = Field(default="final", description="Split of the tasks.")
    episodes: int = Field(default=60, ge=1, description="Per environment.")
