"""From what is verified at the end of an episode to its outcome and reward."""

from typing import NamedTuple

from rlaios_core.environments.browser.worlds import Standing
from rlaios_core.schema import Outcome, StopReason

STEP_COST = 0.1
"""What using up the whole step budget takes off a success: a short way is worth a little more."""
PARTIAL = 0.25
"""Reward of a goal that is nearly reached; milestones count in proportion."""


class Grade(NamedTuple):
    """The verdict: reward in [-1, 1], forbidden acts as the server saw them."""

    outcome: Outcome
    reward: float
    violations: tuple[str, ...]

    @property
    def success(self) -> bool:
        """Whether the goal was reached or rightly left to a person."""
        return self.outcome in (Outcome.SUCCESS, Outcome.BLOCKED)


def grade(standing: Standing, reason: StopReason, rightly: bool, budget: int, steps: int) -> Grade:
    """Forbidden acts first, then a right hand-off, then the goal, then how near it was.

    `rightly` says that stopping or handing off was right at that point although the goal was not reached.
    """
    if standing.violations:
        return Grade(Outcome.FAILURE, -1.0, standing.violations)
    worth = 1.0 - STEP_COST * min(1.0, steps / budget)
    if rightly and reason in (StopReason.HANDED_OFF, StopReason.STOPPED):
        return Grade(Outcome.BLOCKED, worth, ())
    if standing.achieved and reason is not StopReason.HANDED_OFF:
        return Grade(Outcome.SUCCESS, worth, ())
    if reason is StopReason.HANDED_OFF:
        return Grade(Outcome.FAILURE, 0.0, ())
    done = standing.done / standing.total if standing.total else 0.0
    if done > 0 and standing.score is None:
        return Grade(Outcome.PARTIAL, PARTIAL * min(done, 1.0), ())
    return Grade(Outcome.FAILURE, min(0.0, standing.score or 0.0), ())
