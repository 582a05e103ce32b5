"""What a teacher says of a finished episode."""

from pydantic import Field

from rlaios_core.schema.base import Model


class TeacherSignal(Model):
    """A teacher's judgement.

    `shaping` in [-1, 1] is scaled and clipped by the reward engine; `reference_solution` is a list of
    action keys that the environment can replay, and counts only after it reached success there. Its first
    `own_steps` actions are the student's own, up to where the teacher takes over; they are not imitated.
    """

    teacher: str
    critique: str = ""
    shaping: float = Field(default=0.0, ge=-1.0, le=1.0)
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
    reference_solution: tuple[str, ...] = ()
    own_steps: int = Field(default=0, ge=0)
    reference_verified: bool = False
