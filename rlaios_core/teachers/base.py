"""What a teacher is, and the one error type of this boundary."""

from typing import NamedTuple, Protocol

from pydantic import Field

from rlaios_core.environments import Environment
from rlaios_core.schema import Episode, Model, Task, TeacherSignal, TeacherTrigger


class TeacherError(Exception):
    """A teacher did not answer usably. The episode then has no signal, and nothing else changes."""


class TeacherSettings(Model):
    """Which teacher is asked, and how often."""

    driver: str = Field(default="reference", description="Registered teacher; `none` asks nobody.")
    budget: int = Field(default=1000, ge=0, description="Consultations per epoch at most.")


class Request(NamedTuple):
    """One finished episode for a teacher to judge."""

    environment: Environment
    task: Task
    episode: Episode
    trigger: TeacherTrigger


class Teacher(Protocol):
    """Judges finished episodes."""

    name: str

    def judge(self, request: Request) -> TeacherSignal | None:
        """The teacher's signal, `None` when it has nothing to say. Raises `TeacherError`."""
        ...
