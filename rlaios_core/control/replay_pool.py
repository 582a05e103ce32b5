"""The replay pool: which lane an episode goes to (pure), and what is drawn from a lane (indexed SQL)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, select

from rlaios_core.control import tables
from rlaios_core.control.episode_store import EpisodeRole
from rlaios_core.control.settings import ReplaySettings
from rlaios_core.environments import ReplayCandidate
from rlaios_core.schema import Episode, Lane, PairOutcome, RelativeOutcome, TeacherTrigger, derive_seed

_E = tables.episodes
_LANES = {
    RelativeOutcome.BETTER: Lane.POSITIVE,
    RelativeOutcome.SAME: Lane.NEUTRAL,
    RelativeOutcome.WORSE: Lane.NEGATIVE,
}


class Routed(NamedTuple):
    """An episode's lane and the reason for it."""

    lane: Lane
    reason: str


@dataclass(frozen=True)
class RoundContext:
    """What routing needs to know of an epoch's comparison: was there one, and did it give a verdict."""

    compared: bool
    failed: bool


def route(
    episode: Episode,
    pair: PairOutcome | None,
    candidate: ReplayCandidate,
    context: RoundContext,
    settings: ReplaySettings,
) -> Routed:
    """The lane of a finished episode (design section 6). Without a reference to compare with: neutral."""
    if episode.safety_violation:
        return Routed(Lane.DIAGNOSTIC_ONLY, "safety violation")
    if not candidate.admissible:
        return Routed(Lane.DIAGNOSTIC_ONLY, candidate.reason or "not admissible")
    if context.failed:
        return Routed(Lane.DIAGNOSTIC_ONLY, "comparison failed")
    if _borderline(episode, settings):
        return Routed(Lane.DIAGNOSTIC_ONLY, "borderline by the teacher's judgement")
    if not context.compared:
        return Routed(Lane.NEUTRAL, "nothing to compare with yet")
    if pair is None or pair.relative is None:
        return Routed(Lane.DIAGNOSTIC_ONLY, "its counterpart ended in a fault")
    return Routed(_LANES[pair.relative], f"{pair.relative.value} than its counterpart")


def _borderline(episode: Episode, settings: ReplaySettings) -> bool:
    """A near success on which the teacher itself is not sure."""
    signal = episode.teacher_signal
    return (
        episode.teacher_trigger is TeacherTrigger.BOUNDARY
        and signal is not None
        and signal.confidence < settings.borderline_confidence
    )


def admitted(lane: Lane | None, settings: ReplaySettings) -> bool:
    """Whether an episode of this lane belongs to its epoch's live batch."""
    if lane is Lane.NEGATIVE:
        return settings.learn_from_worse
    return lane in (Lane.POSITIVE, Lane.NEUTRAL)


class Pool(NamedTuple):
    """The part of the pool that is drawn from: epochs from `since` to `until`, both included."""

    campaign: str
    lane: Lane
    since: int
    until: int


def draw(connection: Connection, pool: Pool, count: int, seed: int, settings: ReplaySettings) -> list[str]:
    """Ids of at most `count` distinct episodes of a lane; equal store and seed give equal ids.

    Real and generated tasks are separate pools: `real_share` of the draw is real once there are
    `minimum_real` such episodes, and what one pool lacks the other fills.
    """
    if count == 0:
        return []
    probe = max(count, settings.minimum_real)
    real = _spread(connection, pool, False, probe, seed)
    generated = _spread(connection, pool, True, count, seed)
    wanted = round(settings.real_share * count) if len(real) >= settings.minimum_real else 0
    wanted = max(wanted, count - len(generated))
    chosen = real[: min(wanted, count)]
    return chosen + generated[: count - len(chosen)]


def newest_references(connection: Connection, campaign: str, before: int, count: int) -> list[str]:
    """Ids of verified references of epochs before `before`, newest first."""
    query = (
        select(_E.c.episode_id)
        .where(_E.c.campaign == campaign, _E.c.role == EpisodeRole.REFERENCE.value, _E.c.epoch < before)
        .order_by(_E.c.epoch.desc(), _E.c.environment, _E.c.random_key)
    )
    return list(connection.scalars(query.limit(count)))


def _spread(connection: Connection, pool: Pool, synthetic: bool, count: int, seed: int) -> list[str]:
    """At most `count` ids, one of each kind before a second of any, the rarest kinds first."""
    base = and_(
        _E.c.campaign == pool.campaign,
        _E.c.role == EpisodeRole.ACTIVE.value,
        _E.c.lane == pool.lane.value,
        _E.c.synthetic == synthetic,
    )
    by_kind = [
        _from_pivot(
            connection,
            and_(base, _E.c.diversity_key == kind, _E.c.epoch.between(pool.since, pool.until)),
            count,
            derive_seed("draw", seed, kind),
        )
        for kind in _kinds(connection, base)
    ]
    # Kinds are in alphabetical order here, and sorting is stable: rarest first, no other tie-break.
    by_kind.sort(key=len)
    return [ids[place] for place in range(count) for ids in by_kind if place < len(ids)][:count]


def _kinds(connection: Connection, base: ColumnElement[bool]) -> Sequence[str]:
    """The distinct kinds in a pool, by one index look-up each and not by a scan."""
    kinds: list[str] = []
    query = select(_E.c.diversity_key).where(base).order_by(_E.c.diversity_key).limit(1)
    found = connection.scalar(query)
    while found is not None:
        kinds.append(found)
        found = connection.scalar(query.where(_E.c.diversity_key > found))
    return kinds


def _from_pivot(connection: Connection, where: ColumnElement[bool], count: int, pivot: int) -> list[str]:
    """Up to `count` ids in the order of their stored random keys, beginning at `pivot`, then from 0."""
    query = select(_E.c.episode_id).where(where).order_by(_E.c.random_key).limit(count)
    ids = list(connection.scalars(query.where(_E.c.random_key >= pivot)))
    if len(ids) < count:
        ids += connection.scalars(query.where(_E.c.random_key < pivot).limit(count - len(ids)))
    return ids
