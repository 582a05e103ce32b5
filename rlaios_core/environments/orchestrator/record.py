"""What an orchestrator has done so far, as far as its end is judged by it. Pure."""

from dataclasses import dataclass, replace

from rlaios_core.environments.orchestrator.harness import (
    DISPATCH,
    ControlDecision,
    Evidence,
)
from rlaios_core.environments.orchestrator.items import Ability
from rlaios_core.schema import RETRY, VERIFY, StepStatus


def telling(verb: str, evidence: Evidence) -> bool:
    """Whether a person would have to know of the evidence: a failure, or protected state at stake."""
    if evidence.status is StepStatus.REJECTED:
        return False
    bad = evidence.status is not StepStatus.OK or evidence.exit_code != 0
    return verb != VERIFY and (bad or evidence.signals.get("protected", 0) > 0)


@dataclass(frozen=True)
class Record:
    """Decisions and what they cost and showed; replaced, never changed.

    `verified` is what the last verification said of the world as it is: empty when it was not asked since
    the world changed. `found` tells whether anything was seen that a person would have to know of.
    """

    decisions: tuple[ControlDecision, ...] = ()
    snapshot: str = ""
    spent: float = 0.0
    verified: str = ""
    found: bool = False
    gates: int = 0
    retries: int = 0
    invalid_retries: int = 0
    repeats: int = 0
    failing: tuple[str, int, tuple[tuple[str, float], ...]] | None = None
    """What the last dispatch or retry failed with."""
    seen: frozenset[tuple[str, str]] = frozenset()
    """Decisions with the world they were taken in."""

    def after(self, decision: ControlDecision, evidence: Evidence, ability: Ability | None) -> "Record":
        """The record with one more decision; `ability` is that of the executor dispatched to."""
        bad = evidence.status is not StepStatus.OK or evidence.exit_code != 0
        works = decision.verb == RETRY or (
            decision.verb == DISPATCH and ability in (Ability.PLAIN, Ability.CAPABLE)
        )
        failing = None
        if works and bad:
            failing = (str(evidence.status), evidence.exit_code, tuple(sorted(evidence.signals.items())))
        place = (decision.key, self.snapshot)
        verified = self.verified if evidence.snapshot == self.snapshot else ""
        if decision.verb == VERIFY:
            verified = "done" if not bad else "not done"
        # A retry is in vain when nothing had failed, or when it fails in the very same way.
        invalid = decision.verb == RETRY and (self.failing is None or failing == self.failing)
        return replace(
            self,
            decisions=(*self.decisions, decision),
            snapshot=evidence.snapshot,
            spent=self.spent + evidence.cost,
            verified=verified,
            found=self.found or telling(decision.verb, evidence),
            gates=self.gates + (ability is Ability.PERSON and decision.verb == DISPATCH),
            retries=self.retries + (decision.verb == RETRY),
            invalid_retries=self.invalid_retries + invalid,
            repeats=self.repeats + (place in self.seen),
            failing=failing if works else self.failing,
            seen=self.seen | {place},
        )
