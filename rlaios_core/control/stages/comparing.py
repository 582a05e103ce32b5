"""Stage 3: one verdict on the update made in the epoch before."""

from collections.abc import Sequence

from sqlalchemy import Connection

from rlaios_core.control import tables
from rlaios_core.control.comparison_engine import Comparison, ScoredPair, Sides, compare_pairs
from rlaios_core.control.database import upsert
from rlaios_core.control.episode_store import EpisodeRole
from rlaios_core.control.events import ComparisonRecorded
from rlaios_core.control.reports import CollectionReport, ComparisonReport, Stage
from rlaios_core.control.stages.collection import epoch_tasks
from rlaios_core.control.stages.desk import Desk, Stopwatch, open_epoch, require_open
from rlaios_core.control.stages.sampling import attempts
from rlaios_core.environments import Environment, EnvironmentFault, MatchedPair
from rlaios_core.schema import Episode, Pointer, Task, canonical_json

GRADER_VERSION = "grader_version"
"""Evidence key: the version of what graded an episode; unlike ones cannot be compared."""


def compare(desk: Desk, key: str) -> ComparisonReport:
    """Judge the epoch's matched pairs; without a reference there is nothing to judge."""
    epoch = open_epoch(desk, key)
    stored = desk.ledger.report(key, Stage.COMPARISON, ComparisonReport)
    if stored is not None:
        return stored
    require_open(epoch)
    watch = Stopwatch()
    for environment in epoch.settings.environments:
        desk.ledger.require(key, Stage.EPISODES, CollectionReport, environment)
    campaign, reference = epoch.name.campaign, epoch.record.reference_checkpoint
    if reference is None:
        report = ComparisonReport(key=key, result=None, seconds=watch.seconds)
        with desk.store.writing(campaign) as connection:
            desk.ledger.put_report(connection, key, Stage.COMPARISON, report)
        return report
    scored: list[ScoredPair] = []
    for environment in epoch.settings.environments:
        world = desk.environment(campaign, environment)
        active, counterpart = (
            desk.episodes.of_epoch(campaign, epoch.name.epoch, role, environment)
            for role in (EpisodeRole.ACTIVE, EpisodeRole.COUNTERPART)
        )
        scored += score_pairs(world, matched(epoch_tasks(desk, epoch, environment), active, counterpart))
    sides = Sides(
        campaign,
        epoch.name.epoch,
        epoch.record.active_checkpoint,
        reference,
        epoch.seed("play", epoch.name.epoch),
    )
    comparison = compare_pairs(scored, sides, epoch.settings.comparison)
    report = ComparisonReport(
        key=key, result=comparison.result, pairs=comparison.pairs, seconds=watch.seconds
    )
    event = ComparisonRecorded(
        campaign=campaign,
        epoch=epoch.name.epoch,
        against=Pointer.PRE_UPDATE_REF,
        result=comparison.result,
    )
    with desk.store.writing(campaign) as connection:
        put_comparison(connection, event, comparison)
        desk.store.append(connection, event)
        desk.ledger.put_report(connection, key, Stage.COMPARISON, report)
    return report


def matched(
    tasks: Sequence[Task], active: Sequence[Episode], counterpart: Sequence[Episode]
) -> list[MatchedPair]:
    """The pairs of an epoch in the order of its tasks; a side that ended in a fault is `None`."""
    ours = {(episode.task_id, episode.attempt): episode for episode in active}
    theirs = {(episode.task_id, episode.attempt): episode for episode in counterpart}
    ids = [task.task_id for task in tasks]
    return [
        MatchedPair(task, ours.get(place), theirs.get(place))
        for task, place in zip(tasks, zip(ids, attempts(ids), strict=True), strict=True)
    ]


def score_pairs(world: Environment, pairs: Sequence[MatchedPair]) -> list[ScoredPair]:
    """Both sides' verified scores as the environment normalises them."""
    return [_score(world, pair) for pair in pairs]


def _score(world: Environment, pair: MatchedPair) -> ScoredPair:
    try:
        active, reference = world.compare(pair)
    except EnvironmentFault:
        # The pair cannot be judged: it counts as invalid, and too many of them void the round.
        active, reference = None, None
    return ScoredPair(
        task_id=pair.task.task_id,
        environment=world.name,
        family=pair.task.family,
        active_score=None if pair.active is None else active,
        reference_score=None if pair.reference is None else reference,
        active_version=_version(pair.active),
        reference_version=_version(pair.reference),
    )


def _version(episode: Episode | None) -> str:
    """What must be equal for two episodes of a task to be comparable: grader and play seed."""
    return "" if episode is None else f"{episode.evidence.get(GRADER_VERSION, '')}/{episode.seed}"


def put_comparison(connection: Connection, event: ComparisonRecorded, comparison: Comparison) -> None:
    """Keep a comparison with its pairs, for diagnosis and display."""
    upsert(
        connection,
        tables.comparisons,
        {
            "campaign": event.campaign,
            "epoch": event.epoch,
            "against": event.against.value,
            "repetition": event.repetition,
            "result": comparison.result.model_dump_json(by_alias=True),
            "pairs": canonical_json([pair.to_json() for pair in comparison.pairs]),
        },
    )
