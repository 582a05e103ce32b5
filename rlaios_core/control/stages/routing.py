"""Stage 4: rewards fused, every live episode sent to its lane."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from rlaios_core.control.episode_store import EpisodeRole
from rlaios_core.control.replay_pool import RoundContext, Routed, route
from rlaios_core.control.reports import CollectionReport, ComparisonReport, LaneReport, Stage
from rlaios_core.control.reward_engine import fuse
from rlaios_core.control.stages.desk import Desk, Epoch, Stopwatch, open_epoch, require_open
from rlaios_core.control.stages.sampling import attempts
from rlaios_core.schema import Episode, Lane, PairOutcome


@dataclass(frozen=True)
class Decision:
    """What the stage lays over one episode."""

    episode: Episode
    routed: Routed
    reward: float
    diversity_key: str
    pair: PairOutcome | None


def route_lanes(desk: Desk, key: str) -> LaneReport:
    """Route the episodes of the active policy; faults are counted as diagnostic_only."""
    epoch = open_epoch(desk, key)
    stored = desk.ledger.report(key, Stage.LANES, LaneReport)
    if stored is not None:
        return stored
    require_open(epoch)
    watch = Stopwatch()
    comparison = desk.ledger.require(key, Stage.COMPARISON, ComparisonReport)
    decisions = {
        environment: _decide(desk, epoch, environment, comparison)
        for environment in epoch.settings.environments
    }
    faults = {
        name: desk.ledger.require(key, Stage.EPISODES, CollectionReport, name).faults for name in decisions
    }
    report = _report(key, decisions, faults, watch)
    with desk.store.writing(epoch.name.campaign) as connection:
        for decision in (decision for part in decisions.values() for decision in part):
            desk.episodes.set_lane(
                connection,
                decision.episode.episode_id,
                lane=decision.routed.lane,
                reward=decision.reward,
                diversity_key=decision.diversity_key,
                pair=decision.pair,
            )
        desk.ledger.put_report(connection, key, Stage.LANES, report)
    return report


def _decide(desk: Desk, epoch: Epoch, environment: str, comparison: ComparisonReport) -> list[Decision]:
    result = comparison.result
    context = RoundContext(
        compared=result is not None, failed=result is not None and result.relative_outcome is None
    )
    outcomes = [pair for pair in comparison.pairs if pair.environment == environment]
    ids = [pair.task_id for pair in outcomes]
    pairs = dict(zip(zip(ids, attempts(ids), strict=True), outcomes, strict=True))
    world = desk.environment(epoch.name.campaign, environment)
    decisions = []
    for episode in desk.episodes.of_epoch(
        epoch.name.campaign, epoch.name.epoch, EpisodeRole.ACTIVE, environment
    ):
        candidate = world.replay_candidate(episode)
        pair = pairs.get((episode.task_id, episode.attempt))
        decisions.append(
            Decision(
                episode=episode,
                routed=route(episode, pair, candidate, context, epoch.settings.replay),
                reward=fuse(episode.terminal_reward, episode.teacher_signal, epoch.settings.reward),
                diversity_key=candidate.diversity_key or episode.family,
                pair=pair,
            )
        )
    return decisions


def _report(
    key: str, decisions: dict[str, list[Decision]], faults: dict[str, int], watch: Stopwatch
) -> LaneReport:
    lanes = {name: Counter(decision.routed.lane for decision in part) for name, part in decisions.items()}
    reasons = Counter(
        decision.routed.reason
        for part in decisions.values()
        for decision in part
        if decision.routed.lane is Lane.DIAGNOSTIC_ONLY
    )
    for name, count in faults.items():
        lanes[name][Lane.DIAGNOSTIC_ONLY] += count
        reasons["fault"] += count
    rewards = [decision.reward for part in decisions.values() for decision in part]
    return LaneReport(
        key=key,
        lanes={lane: sum(counts[lane] for counts in lanes.values()) for lane in Lane},
        by_environment={name: {lane: counts[lane] for lane in Lane} for name, counts in lanes.items()},
        diagnostic_reasons={reason: count for reason, count in sorted(reasons.items()) if count},
        mean_reward=float(np.mean(rewards)) if rewards else 0.0,
        seconds=watch.seconds,
    )
