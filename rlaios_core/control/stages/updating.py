"""Stage 5: the batch sealed, then learned from; or the reason why not."""

from functools import partial

from sqlalchemy import Connection

from rlaios_core.control import rules
from rlaios_core.control.batches import SealedBatch, put_batch, sealed_batch
from rlaios_core.control.episode_store import EpisodeRole
from rlaios_core.control.events import BatchSealed
from rlaios_core.control.learner import Update, UpdateFailure
from rlaios_core.control.replay_pool import Pool, admitted, draw, newest_references
from rlaios_core.control.reports import CandidateReport, CandidateStatus, LaneReport, Stage
from rlaios_core.control.stages.desk import Desk, Epoch, Progress, Stopwatch, open_epoch, require_open, silent
from rlaios_core.schema import Episode, Lane, LiveBatch, content_hash
from rlaios_core.student import CheckpointError
from rlaios_core.trainer import Experience


def train_candidate(desk: Desk, key: str, progress: Progress = silent) -> CandidateReport:
    """Make the epoch's candidate, when the rules allow one."""
    epoch = open_epoch(desk, key)
    stored = desk.ledger.report(key, Stage.CANDIDATE, CandidateReport)
    if stored is not None:
        return stored
    require_open(epoch)
    watch = Stopwatch()
    desk.ledger.require(key, Stage.LANES, LaneReport)
    sealed = sealed_batch(desk.store, epoch.name.campaign, epoch.name.epoch)
    if sealed is None:
        refusal = rules.update_refusal(desk.store.state(epoch.name.campaign))
        sealed = None if refusal else _seal(desk, epoch)
        if sealed is None:
            return _finish(desk, epoch, _skipped(epoch, refusal or "no episode was admitted", watch))
    return _train(desk, epoch, sealed, progress, watch)


def _seal(desk: Desk, epoch: Epoch) -> SealedBatch | None:
    """Fix what the update learns from; null when there is nothing."""
    campaign, number, settings = epoch.name.campaign, epoch.name.epoch, epoch.settings.replay
    episodes = desk.episodes.of_epoch(campaign, number, EpisodeRole.ACTIVE)
    live = [episode for episode in episodes if admitted(episode.lane, settings)]
    if not live:
        return None
    ours = [e.episode_id for e in desk.episodes.of_epoch(campaign, number, EpisodeRole.REFERENCE)]
    recent, before = max(1, number - settings.max_age), number - 1
    with desk.store.reading() as connection:
        pick = partial(_draw, connection, epoch)
        replay = [
            *pick(Pool(campaign, Lane.POSITIVE, recent, before), settings.positive_episodes),
            *pick(Pool(campaign, Lane.NEUTRAL, recent, before), settings.neutral_episodes),
        ]
        negative = pick(Pool(campaign, Lane.NEGATIVE, 1, number), settings.negative_episodes)
        earlier = newest_references(connection, campaign, number, settings.reference_episodes)
    ids = tuple(episode.episode_id for episode in live)
    sealed = SealedBatch(
        batch=LiveBatch(
            batch_id="ba-" + content_hash([campaign, number, epoch.record.active_checkpoint, ids]),
            campaign=campaign,
            epoch=number,
            checkpoint_id=epoch.record.active_checkpoint,
            episode_ids=ids,
            replay_ids=tuple(replay),
            reference_ids=tuple(ours),
        ),
        negative_ids=tuple(negative),
        earlier_reference_ids=tuple(earlier),
        imitated_ids=tuple(
            e.episode_id for e in live if settings.imitate_successes and e.lane is Lane.POSITIVE and e.success
        ),
    )
    event = BatchSealed(
        campaign=campaign,
        epoch=number,
        batch_id=sealed.batch.batch_id,
        checkpoint_id=sealed.batch.checkpoint_id,
        episodes=len(ids),
    )
    with desk.store.writing(campaign) as connection:
        put_batch(connection, sealed)
        desk.store.append(connection, event)
    return sealed


def _draw(connection: Connection, epoch: Epoch, pool: Pool, count: int) -> list[str]:
    seed = epoch.seed("replay", epoch.name.epoch, pool.lane.value)
    return draw(connection, pool, count, seed, epoch.settings.replay)


def _train(
    desk: Desk, epoch: Epoch, sealed: SealedBatch, progress: Progress, watch: Stopwatch
) -> CandidateReport:
    batch = sealed.batch
    live = desk.episodes.by_id(batch.episode_ids)
    experience = Experience(
        live=live,
        replay=desk.episodes.by_id(batch.replay_ids),
        negative=desk.episodes.by_id(sealed.negative_ids),
        references=[*desk.episodes.by_id(batch.reference_ids), *_imitated(live, sealed)],
        earlier_references=desk.episodes.by_id(sealed.earlier_reference_ids),
    )
    counts = {
        "live_episodes": len(live),
        "replay_episodes": len(experience.replay),
        "negative_episodes": len(experience.negative),
        "reference_episodes": len(experience.references) + len(experience.earlier_references),
    }
    shared = {"key": epoch.key, "parent": batch.checkpoint_id, "batch_id": batch.batch_id, **counts}
    try:
        update = _update(desk, epoch, batch, experience, progress)
    except UpdateFailure as failure:
        report = CandidateReport(
            status=CandidateStatus.FAILED, reason=str(failure), seconds=watch.seconds, **shared
        )
        return _finish(desk, epoch, report)
    record = update.record
    desk.registry.publish(record)
    report = CandidateReport(
        status=CandidateStatus.TRAINED,
        checkpoint_id=record.checkpoint_id,
        weights_hash=record.weights_hash,
        update=update.numbers,
        seconds=watch.seconds,
        **shared,
    )
    with desk.store.writing(epoch.name.campaign) as connection:
        desk.registry.register(connection, record)
        desk.ledger.put_report(connection, epoch.key, Stage.CANDIDATE, report)
    return report


def _update(desk: Desk, epoch: Epoch, batch: LiveBatch, experience: Experience, progress: Progress) -> Update:
    """The update. Without a sound parent it fails, and the epoch ends all the same: a rollback may come."""
    try:
        desk.registry.verify(batch.checkpoint_id)
    except CheckpointError as error:
        raise UpdateFailure(str(error)) from error
    return desk.learner.update(
        desk.registry.path(batch.checkpoint_id),
        batch.checkpoint_id,
        experience,
        epoch.settings,
        epoch.name.epoch,
        partial(progress, Stage.CANDIDATE.value),
    )


def _imitated(live: list[Episode], sealed: SealedBatch) -> list[Episode]:
    wanted = set(sealed.imitated_ids)
    return [episode for episode in live if episode.episode_id in wanted]


def _skipped(epoch: Epoch, reason: str, watch: Stopwatch) -> CandidateReport:
    return CandidateReport(
        key=epoch.key, status=CandidateStatus.SKIPPED, reason=reason, seconds=watch.seconds
    )


def _finish(desk: Desk, epoch: Epoch, report: CandidateReport) -> CandidateReport:
    with desk.store.writing(epoch.name.campaign) as connection:
        desk.ledger.put_report(connection, epoch.key, Stage.CANDIDATE, report)
    return report
