"""Adapters to the worlds the student acts in: execution and evidence, no learning."""

from rlaios_core.environments.base import (
    Environment,
    EnvironmentFault,
    MatchedPair,
    Play,
    ProvidesBaselines,
    ProvidesReference,
    ReplayCandidate,
    Solution,
    UnavailableError,
)

__all__ = [
    "Environment",
    "EnvironmentFault",
    "MatchedPair",
    "Play",
    "ProvidesBaselines",
    "ProvidesReference",
    "ReplayCandidate",
    "Solution",
    "UnavailableError",
]
