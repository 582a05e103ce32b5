"""Tasks: immutable descriptions of one piece of work."""

from enum import StrEnum
from typing import Any

from pydantic import Field

from rlaios_core.schema.base import StoredModel


class Split(StrEnum):
    """Which part of the task space a task comes from; parts share no project, site or scenario."""

    TRAIN = "train"
    """Tasks that updates learn from."""
    HELD_OUT_VARIANT = "held_out_variant"
    """Training projects at sites and surface forms that training never uses."""
    HELD_OUT = "held_out"
    """Other projects, read by the promotion gate."""
    FINAL = "final"
    """Other projects again; no gate and no tuning ever reads them."""
    HELD_OUT_OPERATOR = "held_out_operator"
    """Final projects broken in ways that training never shows."""


class Task(StoredModel):
    """One piece of work. `payload` belongs to the environment: the student never sees it."""

    task_id: str = Field(min_length=1)
    environment: str
    family: str
    split: Split
    seed: int = Field(ge=0)
    index: int = Field(ge=0)
    instruction: str
    likeness: str = Field(
        default="",
        description="Equal for tasks that differ in nothing that matters, such as names: an exam holds one "
        "of them. Empty: the id stands for it.",
    )
    payload: dict[str, Any] = Field(repr=False)
