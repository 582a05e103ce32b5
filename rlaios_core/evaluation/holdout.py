"""From episodes on held-out tasks to one score with an interval."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from rlaios_core.evaluation.statistics import clustered_interval, wilson_interval
from rlaios_core.schema import Episode, HeldOutScore

VERIFICATIONS = "verifications"
"""Evidence key: how many verifications (test runs, checks) an episode used."""
PROJECT = "project"
"""Evidence key: the project, site or scenario an episode's task comes from."""
BUDGETS = (1, 3, 5, 10)
"""Numbers of verifications that `success_at` is reported for."""


def held_out_score(episodes: Sequence[Episode], faults: int = 0) -> HeldOutScore:
    """The success rate over `episodes` with a 95% interval.

    The interval is the wider, at each end, of Wilson's and of a bootstrap over clusters (the project in
    the evidence, else the family): tasks of one project are alike. Faults are counted, never scored.
    """
    if not episodes:
        raise ValueError("a held-out score needs at least one episode")
    successes = sum(episode.success for episode in episodes)
    clusters: defaultdict[str, list[float]] = defaultdict(list)
    families: defaultdict[str, list[bool]] = defaultdict(list)
    for episode in episodes:
        clusters[str(episode.evidence.get(PROJECT) or episode.family)].append(float(episode.success))
        families[episode.family].append(episode.success)
    wilson = wilson_interval(successes, len(episodes))
    clustered = clustered_interval(clusters) if len(clusters) > 1 else wilson
    return HeldOutScore(
        success=successes / len(episodes),
        low=min(wilson.low, clustered.low),
        high=max(wilson.high, clustered.high),
        episodes=len(episodes),
        faults=faults,
        mean_reward=float(np.mean([episode.terminal_reward for episode in episodes])),
        success_at=_success_at(episodes),
        by_family={name: (sum(family), len(family)) for name, family in sorted(families.items())},
    )


def _success_at(episodes: Sequence[Episode]) -> dict[str, float]:
    """Share of episodes that succeeded with at most k verifications; empty when they are not counted."""
    used = [episode.evidence.get(VERIFICATIONS) for episode in episodes]
    counts = [count for count in used if isinstance(count, int)]
    if len(counts) < len(episodes):
        return {}
    return {
        str(budget): sum(
            episode.success and count <= budget for episode, count in zip(episodes, counts, strict=True)
        )
        / len(episodes)
        for budget in BUDGETS
    }
