"""The launch form of `open_campaign`: what people change, typed and in sections; the rest as JSON.

Defaults, bounds and descriptions are those of the core's settings, so there is one place to change them.
Types and names are refused while the form is filled in. Bounds are held against the core's settings when
the run is launched, before there is a run.
"""

import json
from collections.abc import Mapping
from enum import Enum
from typing import Any

import dagster as dg
from pydantic import BaseModel, Field, ValidationError

from rlaios_core.control import CampaignSettings, ComparisonSettings
from rlaios_core.environments import registry
from rlaios_core.schema.refusal import refusal_line
from rlaios_core.teachers import TeacherSettings
from rlaios_core.trainer import PpoSettings

EnvironmentName = Enum("EnvironmentName", {name: name for name in registry.names()})  # type: ignore[misc]
"""The installed environments."""

_QUIET = {"console": {"config": {"log_level": "CRITICAL"}}}
"""Opening a campaign is short, and the instance keeps every event."""
_BOUNDS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}


class LaunchRefusedError(dg.DagsterError):
    """A value of the form that no campaign can have; says which in one line."""


def setting(model: type[BaseModel], name: str) -> Any:
    """A field of the form with the default and the words of one of the core's settings."""
    field = model.model_fields[name]
    bounds = [
        f"{words} {getattr(rule, sign):g}"
        for rule in field.metadata
        for sign, words in _BOUNDS.items()
        if hasattr(rule, sign)
    ]
    words = f"{field.description or name} [{', '.join(bounds)}]" if bounds else field.description or name
    return Field(default=field.default, description=words)


class BudgetSection(dg.Config):
    """How much is played."""

    epochs: int = setting(CampaignSettings, "epochs")
    episodes_per_epoch: int = setting(CampaignSettings, "episodes_per_epoch")
    held_out_episodes: int = setting(CampaignSettings, "held_out_episodes")
    workers: int = setting(CampaignSettings, "workers")


class ComparisonSection(dg.Config):
    """When an update counts as worse or better, and when it is rolled back or confirmed."""

    alpha_worse: float = setting(ComparisonSettings, "alpha_worse")
    alpha_better: float = setting(ComparisonSettings, "alpha_better")
    margin: float = setting(ComparisonSettings, "margin")
    guard_loss: float = setting(ComparisonSettings, "guard_loss")
    streak_limit: int = setting(ComparisonSettings, "streak_limit")
    sharp_loss: float = setting(ComparisonSettings, "sharp_loss")
    sharp_alpha: float = setting(ComparisonSettings, "sharp_alpha")
    max_rounds: int = setting(ComparisonSettings, "max_rounds")
    failed_limit: int = setting(ComparisonSettings, "failed_limit")
    stable_rounds: int = setting(ComparisonSettings, "stable_rounds")
    confirmation_pairs: int = setting(ComparisonSettings, "confirmation_pairs")
    drift_alpha: float = setting(ComparisonSettings, "drift_alpha")
    gate_tolerance: float = setting(ComparisonSettings, "gate_tolerance")


class PpoSection(dg.Config):
    """The update."""

    learning_rate: float = setting(PpoSettings, "learning_rate")
    passes: int = setting(PpoSettings, "passes")
    minibatch: int = setting(PpoSettings, "minibatch")
    warmup_updates: int = setting(PpoSettings, "warmup_updates")
    clip: float = setting(PpoSettings, "clip")
    target_kl: float = setting(PpoSettings, "target_kl")
    kl_weight: float = setting(PpoSettings, "kl_weight")
    entropy_weight: float = setting(PpoSettings, "entropy_weight")
    policy_weight: float = setting(PpoSettings, "policy_weight")
    distillation_weight: float = setting(PpoSettings, "distillation_weight")
    distillation_passes: int = setting(PpoSettings, "distillation_passes")
    threads: int = setting(PpoSettings, "threads")


class TeacherSection(dg.Config):
    """Who judges failures."""

    driver: str = setting(TeacherSettings, "driver")
    budget: int = setting(TeacherSettings, "budget")


class CampaignForm(dg.Config):
    """What a campaign is opened with."""

    name: str = Field(default="alpha", description="1 to 41 small letters, digits and dashes.")
    seed: int = Field(default=0, description="Equal seeds give equal campaigns. [at least 0]")
    environments: list[EnvironmentName] = Field(
        default=["shell"], validate_default=True, description="Environments that take part."
    )
    budget: BudgetSection = Field(default_factory=BudgetSection, description="How much is played.")
    comparison: ComparisonSection = Field(
        default_factory=ComparisonSection, description="Thresholds of verdicts, rollback and promotion."
    )
    ppo: PpoSection = Field(default_factory=PpoSection, description="The update.")
    teacher: TeacherSection = Field(default_factory=TeacherSection, description="Who judges failures.")
    settings_json: str = Field(
        default="{}",
        description='Any other setting as JSON, such as {"student": {"width": 64}}; one that has a field '
        "here is set there.",
    )

    @classmethod
    def of(cls, settings: CampaignSettings) -> "CampaignForm":
        """The form that gives exactly these settings."""
        data = settings.model_dump(mode="json")
        typed: dict[str, Any] = {name: data.pop(name) for name in ("name", "seed", "environments")}
        typed["budget"] = {name: data.pop(name) for name in BudgetSection.model_fields}
        for group, section in _GROUPS.items():
            typed[group] = {name: data[group].pop(name) for name in section.model_fields}
        return cls(**typed, settings_json=json.dumps(data))

    def settings(self) -> CampaignSettings:
        """The validated settings. Raises `LaunchRefusedError`."""
        more = self._more()
        data: dict[str, Any] = {
            "name": self.name,
            "seed": self.seed,
            "environments": [environment.value for environment in self.environments],
            **self.budget.model_dump(),
        }
        for group, section in _GROUPS.items():
            typed: dict[str, Any] = {
                name: getattr(getattr(self, group), name) for name in section.model_fields
            }
            data[group] = _joined(typed, more.pop(group, {}), f"{group}.")
        try:
            return CampaignSettings.model_validate(_joined(data, more, ""))
        except ValidationError as error:
            raise LaunchRefusedError(refusal_line(error)) from None

    def _more(self) -> dict[str, Any]:
        try:
            more = json.loads(self.settings_json)
        except json.JSONDecodeError as error:
            raise LaunchRefusedError(f"settings_json: is not JSON ({error})") from None
        if not isinstance(more, dict):
            raise LaunchRefusedError(f"settings_json: must be a JSON object (got {self.settings_json!r})")
        return more


_GROUPS: Mapping[str, type[dg.Config]] = {
    "comparison": ComparisonSection,
    "ppo": PpoSection,
    "teacher": TeacherSection,
}
"""The groups of settings that have a section of their own."""


def _joined(typed: dict[str, Any], more: Any, prefix: str) -> dict[str, Any]:
    """Both together; what has a field of the form may not come by JSON, too."""
    if not isinstance(more, dict):
        raise LaunchRefusedError(f"settings_json: {prefix.rstrip('.')} must be a group of settings")
    twice = sorted(typed.keys() & more.keys())
    if twice:
        raise LaunchRefusedError(f"settings_json: {prefix}{twice[0]} has a field of its own in the form")
    return {**more, **typed}


@dg.config_mapping
def launch_form(config: CampaignForm) -> dg.RunConfig:
    """The run configuration of `open_campaign`, once the form gives a valid campaign."""
    config.settings()
    return dg.RunConfig(ops={"register_campaign": config}, loggers=_QUIET)
