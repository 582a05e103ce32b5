"""From flags to campaign settings: defaults, flags, then `--set name=value`, validated as one."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from rlaios_core.cli.errors import CliError
from rlaios_core.control import CampaignSettings
from rlaios_core.schema.refusal import refusal_line

FLAGS: Mapping[str, tuple[str, ...]] = {
    "seed": ("seed",),
    "epochs": ("epochs",),
    "episodes_per_epoch": ("episodes_per_epoch",),
    "held_out_episodes": ("held_out_episodes",),
    "workers": ("workers",),
    "learning_rate": ("ppo", "learning_rate"),
}
"""Which setting each flag of `train` and `campaign` gives."""


def build_settings(
    name: str,
    environments: Sequence[str],
    flags: Mapping[str, Any],
    assignments: Sequence[str],
    environment_options: Mapping[str, dict[str, object]] | None = None,
) -> CampaignSettings:
    """The settings of a new campaign. Flags that were not given (None) keep the defaults."""
    data: dict[str, Any] = {"name": name, "environments": list(environments)}
    if environment_options:
        data["environment_options"] = dict(environment_options)
    for flag, path in FLAGS.items():
        if flags.get(flag) is not None:
            put(data, path, flags[flag])
    for assignment in assignments:
        path, value = parse_assignment(assignment)
        put(data, path, value)
    try:
        return CampaignSettings.model_validate(data)
    except ValidationError as error:
        raise CliError(refusal_line(error)) from error


def parse_assignment(text: str) -> tuple[tuple[str, ...], Any]:
    """`ppo.learning_rate=0.001` as a path and a value; the value is JSON, or else the text itself."""
    name, equals, value = text.partition("=")
    path = tuple(name.strip().split("."))
    if not equals or not all(path):
        raise CliError(f"--set {text}: write it as name=value, such as --set ppo.learning_rate=0.001")
    try:
        return path, json.loads(value)
    except json.JSONDecodeError:
        return path, value


def put(data: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Set a value at a path of nested dictionaries."""
    for part in path[:-1]:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            raise CliError(f"--set {'.'.join(path)}: {part} is not a group of settings")
        data = inner
    data[path[-1]] = value
