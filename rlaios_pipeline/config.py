"""Run configuration of the jobs. An epoch takes none: its settings are in the campaign database."""

import json

import dagster as dg
from pydantic import Field

from rlaios_core.control import CampaignSettings

POOL = "policy_update"
"""The pool that lets one update run at a time."""


class CampaignConfig(dg.Config):
    """What a campaign is opened with. `settings_json` may give any other setting."""

    name: str = Field(default="alpha", description="1 to 41 small letters, digits and dashes.")
    seed: int = Field(default=0, ge=0, description="Equal seeds give equal campaigns.")
    environments: list[str] = Field(
        default_factory=lambda: ["shell"], description="Environments that take part."
    )
    epochs: int = Field(default=8, ge=1, description="Training epochs.")
    episodes_per_epoch: int = Field(default=40, ge=1, description="Over all environments, in equal shares.")
    held_out_episodes: int = Field(default=60, ge=1, description="Per environment and measured policy.")
    settings_json: str = Field(
        default="{}", description='More settings as JSON, such as {"ppo": {"learning_rate": 0.0005}}.'
    )

    @classmethod
    def of(cls, settings: CampaignSettings) -> "CampaignConfig":
        """The configuration that gives exactly these settings."""
        data = settings.model_dump(mode="json")
        typed = {name: data.pop(name) for name in cls.model_fields if name in data}
        return cls(**typed, settings_json=json.dumps(data))

    def settings(self) -> CampaignSettings:
        """The validated settings: the typed fields above, over what `settings_json` gives."""
        typed = self.model_dump(exclude={"settings_json"})
        return CampaignSettings.model_validate({**json.loads(self.settings_json), **typed})


class RollbackConfig(dg.Config):
    """Which campaign is rolled back."""

    campaign: str = Field(description="A campaign that waits for its rollback.")
    requested: bool = Field(
        default=False, description="Call for a rollback that the campaign did not ask for."
    )


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
