"""Stage 2: every task played by both sides of its pair, and failures shown to the teacher."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rlaios_core.control.episode_store import EpisodeRole
from rlaios_core.control.errors import CampaignError, StoreError
from rlaios_core.control.events import EpisodesRecorded
from rlaios_core.control.reports import BenchmarkReport, CollectionReport, Stage
from rlaios_core.control.settings import CampaignSettings, quotas
from rlaios_core.control.stages.desk import (
    Desk,
    Epoch,
    Progress,
    Stopwatch,
    open_epoch,
    require_environment,
    require_open,
    rollout_settings,
    silent,
)
from rlaios_core.control.stages.playing import counting, play_tasks
from rlaios_core.environments import Environment
from rlaios_core.evaluation import wilson_interval
from rlaios_core.evaluation.holdout import VERIFICATIONS
from rlaios_core.schema import Episode, EpisodeFault, Task
from rlaios_core.teachers import Consultation, Teacher, TeacherError, consult, create_teacher, trigger_of


@dataclass(frozen=True)
class Side:
    """What one policy played: episodes and faults, in the order of their tasks."""

    episodes: tuple[Episode, ...]
    faults: tuple[EpisodeFault, ...]


def collect_episodes(desk: Desk, key: str, environment: str, progress: Progress = silent) -> CollectionReport:
    """Play one environment's share of the epoch and store it."""
    epoch = open_epoch(desk, key)
    require_environment(epoch, environment)
    stored = desk.ledger.report(key, Stage.EPISODES, CollectionReport, environment)
    if stored is not None:
        return stored
    require_open(epoch)
    desk.ledger.require(key, Stage.BENCHMARK, BenchmarkReport)
    watch = Stopwatch()
    world = desk.environment(epoch.name.campaign, environment)
    tasks = epoch_tasks(desk, epoch, environment)
    active, counterpart = _play(desk, epoch, world, tasks, progress)
    answers = _consult(epoch, world, tasks, active.episodes)
    active = Side(with_teacher(active.episodes, answers), active.faults)
    references = tuple(a.reference for a in answers if a.reference is not None)
    file = desk.episodes.write_episodes(
        epoch.episodes_path(environment),
        {
            EpisodeRole.ACTIVE: active.episodes,
            EpisodeRole.COUNTERPART: counterpart.episodes,
            EpisodeRole.REFERENCE: references,
        },
    )
    report = _report(epoch, world, (active, counterpart), answers, watch)
    event = EpisodesRecorded(
        campaign=epoch.name.campaign,
        epoch=epoch.name.epoch,
        kind=epoch.record.kind,
        environment=environment,
        active_checkpoint=epoch.record.active_checkpoint,
        reference_checkpoint=epoch.record.reference_checkpoint,
        episodes=len(active.episodes),
        faults=len(active.faults) + len(counterpart.faults),
    )
    with desk.store.writing(epoch.name.campaign) as connection:
        if file is not None:
            desk.episodes.record_episodes(connection, epoch.name.campaign, file)
        desk.episodes.record_faults(connection, EpisodeRole.ACTIVE, active.faults)
        desk.episodes.record_faults(connection, EpisodeRole.COUNTERPART, counterpart.faults)
        desk.store.append(connection, event)
        desk.ledger.put_report(connection, key, Stage.EPISODES, report, environment)
    return report


def epoch_tasks(desk: Desk, epoch: Epoch, environment: str) -> list[Task]:
    """The epoch's stored tasks."""
    path = epoch.tasks_path(environment)
    tasks = desk.episodes.read_tasks(path)
    if tasks is None:
        raise StoreError(f"the tasks of epoch {epoch.key} ({path}) are not recorded: restore the store")
    return tasks


def campaign_teacher(settings: CampaignSettings) -> Teacher | None:
    """The campaign's teacher. Raises `CampaignError` when there is none of that name."""
    try:
        return create_teacher(settings.teacher)
    except TeacherError as error:
        raise CampaignError(str(error)) from error


def with_teacher(episodes: Sequence[Episode], answers: Sequence[Consultation]) -> tuple[Episode, ...]:
    """The episodes with what the teacher said of them."""
    signals = {answer.episode_id: answer.signal for answer in answers}
    return tuple(
        episode.model_copy(
            update={
                "teacher_trigger": trigger_of(episode),
                "teacher_signal": signals.get(episode.episode_id),
            }
        )
        for episode in episodes
    )


def _play(
    desk: Desk, epoch: Epoch, world: Environment, tasks: Sequence[Task], progress: Progress
) -> tuple[Side, Side]:
    """Both sides of every pair, in one go."""
    players = [epoch.record.active_checkpoint]
    if epoch.record.reference_checkpoint is not None:
        players.append(epoch.record.reference_checkpoint)
    results = play_tasks(
        world,
        epoch.settings,
        tasks,
        {player: desk.policy(player) for player in players},
        epoch=epoch.name.epoch,
        seed=lambda task, attempt: epoch.seed("play", epoch.name.epoch, world.name, task.index, attempt),
        on_done=counting(progress, Stage.EPISODES.value, len(tasks) * len(players)),
    )
    sides = [_side(results[player]) for player in players]
    return sides[0], sides[1] if len(sides) > 1 else Side((), ())


def _side(results: Sequence[Episode | EpisodeFault]) -> Side:
    return Side(
        tuple(result for result in results if isinstance(result, Episode)),
        tuple(result for result in results if isinstance(result, EpisodeFault)),
    )


def _consult(
    epoch: Epoch, world: Environment, tasks: Sequence[Task], episodes: Sequence[Episode]
) -> list[Consultation]:
    by_id = {task.task_id: task for task in tasks}
    return consult(
        campaign_teacher(epoch.settings),
        world,
        [(by_id[episode.task_id], episode) for episode in episodes],
        budget=quotas(epoch.settings.teacher.budget, epoch.settings.environments)[world.name],
        rollout=rollout_settings(epoch.settings),
    )


def _report(
    epoch: Epoch,
    world: Environment,
    sides: tuple[Side, Side],
    answers: Sequence[Consultation],
    watch: Stopwatch,
) -> CollectionReport:
    active, counterpart = sides
    played, compared = active.episodes, counterpart.episodes
    successes = sum(episode.success for episode in played)
    interval = wilson_interval(successes, len(played))
    used = [count for e in played if isinstance(count := e.evidence.get(VERIFICATIONS), int)]
    return CollectionReport(
        key=epoch.key,
        environment=world.name,
        episodes=len(played),
        faults=len(active.faults),
        faults_by_boundary=dict(
            sorted(Counter(f.boundary.value for side in sides for f in side.faults).items())
        ),
        successes=successes,
        success_active=successes / len(played) if played else 0.0,
        success_low=interval.low,
        success_high=interval.high,
        reference_episodes=len(compared),
        reference_faults=len(counterpart.faults),
        success_reference=sum(e.success for e in compared) / len(compared) if compared else None,
        mean_reward=float(np.mean([e.terminal_reward for e in played])) if played else 0.0,
        mean_steps=float(np.mean([len(e.trajectory) for e in played])) if played else 0.0,
        mean_verifications=float(np.mean(used)) if used else None,
        consultations=len(answers),
        teacher_errors=sum(bool(answer.error) for answer in answers),
        verified_references=sum(answer.reference is not None for answer in answers),
        metrics=dict(world.summarize(played)) if played else {},
        artifacts={
            path: f"{episode.family}: {episode.outcome.value}"
            for episode in played
            for path in episode.artifacts
        },
        seconds=watch.seconds,
    )
