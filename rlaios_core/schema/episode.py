"""Episodes, and the faults recorded instead of one when infrastructure failed."""

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from rlaios_core.schema.base import StoredModel, content_hash
from rlaios_core.schema.comparison import PairOutcome
from rlaios_core.schema.interaction import Step
from rlaios_core.schema.task import Split
from rlaios_core.schema.teacher import TeacherSignal


class Outcome(StrEnum):
    """What was verified of the world at the end of an episode."""

    SUCCESS = "success"
    """The whole task is verified done."""
    PARTIAL = "partial"
    """Something is verified better, nothing worse."""
    FAILURE = "failure"
    """Nothing achieved, or something broken."""
    BLOCKED = "blocked"
    """Rightly left to a person."""


class StopReason(StrEnum):
    """Why an episode ended."""

    STOPPED = "stopped"
    """The student chose to stop."""
    HANDED_OFF = "handed_off"
    """The student gave the task to a person."""
    OUT_OF_STEPS = "out_of_steps"
    """The step budget was used up."""
    WORLD_ENDED = "world_ended"
    """The world left nothing more to do."""


class Lane(StrEnum):
    """Where an episode goes in the replay pool."""

    POSITIVE = "positive"
    """Better than the reference on the same task: learned from and imitated."""
    NEUTRAL = "neutral"
    """Same as the reference: kept for diversity."""
    NEGATIVE = "negative"
    """Worse, or of a batch that was rolled back: its states hold the policy to the reference."""
    DIAGNOSTIC_ONLY = "diagnostic_only"
    """Never trained on."""


class TeacherTrigger(StrEnum):
    """Why a teacher may look at an episode."""

    FAILURE = "failure"
    """The episode failed."""
    BOUNDARY = "boundary"
    """It nearly succeeded."""
    NONE = "none"
    """It needs no teacher."""


class Episode(StoredModel):
    """One task attempted once by one checkpoint.

    `terminal_reward` is the verified outcome's, `reward` that fused with the teacher's bounded term;
    both lie in [-1, 1]. `evidence` is the environment's own summary of what it verified.
    """

    episode_id: str
    campaign: str
    epoch: int = Field(ge=0)
    environment: str
    task_id: str
    family: str
    split: Split
    seed: int = Field(ge=0)
    attempt: int = Field(ge=0, default=0)
    checkpoint_id: str
    trajectory: tuple[Step, ...]
    outcome: Outcome
    stop_reason: StopReason
    terminal_reward: float = Field(ge=-1.0, le=1.0)
    reward: float = Field(ge=-1.0, le=1.0)
    teacher_signal: TeacherSignal | None = None
    teacher_trigger: TeacherTrigger = TeacherTrigger.NONE
    comparison: PairOutcome | None = None
    lane: Lane | None = None
    safety_violation: bool = False
    synthetic: bool = True
    evidence: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    artifacts: tuple[str, ...] = ()
    duration_seconds: float = Field(ge=0.0, default=0.0)

    @model_validator(mode="after")
    def _outcome_and_reward_agree(self) -> Self:
        if self.outcome is Outcome.SUCCESS and self.terminal_reward <= 0:
            raise ValueError("a success has a positive terminal reward")
        if self.outcome is Outcome.FAILURE and self.terminal_reward > 0:
            raise ValueError("a failure has no positive terminal reward")
        return self

    @property
    def success(self) -> bool:
        """Whether the task was verified done or rightly handed off."""
        return self.outcome in (Outcome.SUCCESS, Outcome.BLOCKED)


def episode_id(campaign: str, epoch: int, environment: str, index: int, attempt: int, checkpoint: str) -> str:
    """Identity from position: playing the same episode again after a restart gives the same id."""
    return "ep-" + content_hash([campaign, epoch, environment, index, attempt, checkpoint])


class FaultBoundary(StrEnum):
    """Which of our own parts failed; nothing here says anything about the student."""

    SANDBOX = "sandbox"
    """The place where the student's work runs."""
    GRADER = "grader"
    """The verification of an outcome."""
    BROWSER = "browser"
    """The browser or its driver."""
    HARNESS = "harness"
    """An orchestrator harness."""
    POLICY = "policy"
    """The student's own evaluation (non-finite numbers, out of memory)."""
    TEACHER = "teacher"
    """A teacher's backend."""
    DEADLINE = "deadline"
    """The batch's own deadline passed first."""
    CANCELLED = "cancelled"
    """A person or a signal ended the run."""
    ENVIRONMENT = "environment"
    """Anything else that escaped an environment."""


class EpisodeFault(StoredModel):
    """Recorded instead of an episode: never a reward, never trained on, always counted and shown."""

    fault_id: str
    campaign: str
    epoch: int = Field(ge=0)
    environment: str
    task_id: str
    seed: int = Field(ge=0)
    attempt: int = Field(ge=0, default=0)
    checkpoint_id: str
    boundary: FaultBoundary
    message: str
    steps_played: int = Field(ge=0, default=0)
