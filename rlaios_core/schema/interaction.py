"""What the student sees and does: observations, actions, decisions, steps."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

from pydantic import Field, model_validator

from rlaios_core.schema.base import Model, content_hash

RETRY = "retry"
VERIFY = "verify"
STOP = "stop"
HANDOFF = "handoff"
SHARED_VERBS = frozenset({RETRY, VERIFY, STOP, HANDOFF})
"""Verbs that mean the same in every environment, which is where transfer can come from."""


class Action(Model):
    """One admissible action.

    `verb`, `target`, `argument` say what would be done. `notes` is what the environment knows about
    the action, as words, `name:value` numbers (value within [-1, 1]) and `#tags`; tags are short
    categories that the student crosses with the tags of the newest context. `payload` is for the
    environment alone and never reaches the student.
    """

    verb: str = Field(min_length=1)
    target: str = ""
    argument: str = ""
    notes: str = ""
    payload: dict[str, Any] | None = Field(default=None, repr=False)

    @property
    def text(self) -> str:
        """The action as the student reads it."""
        return " ".join(part for part in (self.verb, self.target, self.argument, self.notes) if part)

    @property
    def key(self) -> str:
        """Stable name of what the action does, whatever is noted about it at the moment."""
        return content_hash([self.verb, self.target, self.argument])


class Observation(Model):
    """What the student knows when it decides: never empty of actions."""

    instruction: str
    context: tuple[str, ...] = ()
    actions: tuple[Action, ...] = Field(min_length=1)
    steps_left: int = Field(ge=0)


class StepStatus(StrEnum):
    """How the environment took an action."""

    OK = "ok"
    """Carried out."""
    REJECTED = "rejected"
    """Not admissible in this state; nothing was changed."""
    ERROR = "error"
    """Carried out and failed in the world: evidence, not a fault."""
    TIMEOUT = "timeout"
    """The world did not finish within its bound."""


class StepResult(Model):
    """What came of an action; `text` is the observation of it, in words."""

    status: StepStatus
    text: str = ""


class Decision(NamedTuple):
    """A policy's choice for one observation.

    `probabilities` is the full distribution over the observation's actions at collection time, and
    `log_probability` that of the chosen one (natural log), `value` the policy's estimate of the
    terminal reward in [-1, 1].
    """

    chosen: int
    log_probability: float
    probabilities: tuple[float, ...]
    value: float


class Policy(Protocol):
    """Anything that chooses: the student, a scripted baseline, a replayed reference."""

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """Choose for each observation; equal observation, seed and weights give equal decisions."""
        ...


@runtime_checkable
class SamplingPolicy(Policy, Protocol):
    """A policy that samples, and can also be asked for its best choice every time."""

    def as_greedy(self) -> Policy:
        """The same policy, choosing the likeliest action: how it is measured on held-out tasks."""
        ...


class Step(Model):
    """One decision and its result, with what the trainer needs to learn from it off-policy."""

    observation: Observation
    chosen: int = Field(ge=0)
    log_probability: float = Field(le=0.0)
    probabilities: tuple[float, ...]
    value: float
    result: StepResult
    duration_seconds: float = Field(ge=0.0)

    @model_validator(mode="after")
    def _choice_is_admissible(self) -> Self:
        count = len(self.observation.actions)
        if self.chosen >= count:
            raise ValueError(f"chosen action {self.chosen} is not among the {count} admissible ones")
        if len(self.probabilities) != count:
            raise ValueError(f"{len(self.probabilities)} probabilities for {count} actions")
        return self

    @property
    def action(self) -> Action:
        """The action that was taken."""
        return self.observation.actions[self.chosen]
