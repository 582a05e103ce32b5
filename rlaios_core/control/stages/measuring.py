"""Work beside epochs: policies measured on held-out tasks that nothing trains on."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from rlaios_core.control import tables
from rlaios_core.control.database import moment, upsert
from rlaios_core.control.errors import CampaignError
from rlaios_core.control.settings import CampaignSettings, quotas
from rlaios_core.control.stages.desk import Desk, Progress, silent
from rlaios_core.control.stages.playing import counting, play_tasks
from rlaios_core.control.stages.sampling import sample_distinct, sample_tasks
from rlaios_core.environments import ProvidesBaselines
from rlaios_core.evaluation import held_out_score
from rlaios_core.schema import (
    Episode,
    EpisodeFault,
    HeldOutScore,
    Policy,
    SamplingPolicy,
    Split,
    Task,
    derive_seed,
)

_H = tables.held_out
STAGE = "held_out"
"""Name under which measuring reports its progress."""


@dataclass(frozen=True)
class Exam:
    """What is measured on: `episodes` tasks of a split in every active environment."""

    settings: CampaignSettings
    split: Split
    episodes: int

    def seed(self, *position: str | int) -> int:
        """A seed by position. The campaign's name is left out: arms of one seed sit the same exam."""
        return derive_seed(self.settings.seed, "held out", self.split.value, *position)

    def path(self, environment: str) -> str:
        """Path of the exam's tasks, relative to the workspace's root."""
        campaign = self.settings.name
        return f"episodes/{campaign}/held_out/{environment}.{self.split.value}.{self.episodes}.tasks.gz"


def measure_checkpoint(
    desk: Desk,
    exam: Exam,
    checkpoint_id: str,
    arm: str,
    progress: Progress = silent,
    environments: Sequence[str] | None = None,
) -> HeldOutScore:
    """One checkpoint's score over these environments (default: all active); each's is stored by `arm`."""
    policy = desk.policy(checkpoint_id)
    if isinstance(policy, SamplingPolicy):
        policy = policy.as_greedy()
    scores = [
        measure(desk, exam, environment, checkpoint_id, policy, arm, progress)
        for environment in environments or exam.settings.environments
    ]
    return scores[0] if len(scores) == 1 else pooled(scores)


def measure_baselines(
    desk: Desk, exam: Exam, progress: Progress = silent
) -> dict[str, dict[str, HeldOutScore]]:
    """The scripted policies of each environment on the same tasks, fitted on training tasks only."""
    found: dict[str, dict[str, HeldOutScore]] = {}
    for environment in exam.settings.environments:
        world = desk.environment(exam.settings.name, environment)
        if not isinstance(world, ProvidesBaselines):
            continue
        tasks = training_tasks(desk, exam.settings, environment)
        baselines = world.baselines(tasks)
        found[environment] = {
            arm: measure(desk, exam, environment, f"fitted:{arm}:{len(tasks)}", policy, arm, progress)
            for arm, policy in sorted(baselines.items())
        }
    return found


def measure(
    desk: Desk,
    exam: Exam,
    environment: str,
    player: str,
    policy: Policy,
    arm: str,
    progress: Progress = silent,
) -> HeldOutScore:
    """One policy on one environment's held-out tasks; played once, then read from the store."""
    key = {
        "campaign": exam.settings.name,
        "environment": environment,
        "arm": arm,
        "split": exam.split.value,
        "checkpoint_id": player,
        "tasks": exam.episodes,
    }
    with desk.store.reading() as connection:
        text = connection.scalar(select(_H.c.score).where(*(_H.c[k] == v for k, v in key.items())))
    if text is not None:
        return HeldOutScore.model_validate_json(text)
    world = desk.environment(exam.settings.name, environment)
    tasks = exam_tasks(desk, exam, environment, progress)
    results = play_tasks(
        world,
        exam.settings,
        tasks,
        {player: policy},
        epoch=0,
        seed=lambda task, attempt: exam.seed("play", environment, task.index, attempt),
        on_done=counting(progress, STAGE, len(tasks)),
    )[player]
    episodes = [result for result in results if isinstance(result, Episode)]
    if not episodes:
        fault = next(result for result in results if isinstance(result, EpisodeFault))
        raise CampaignError(
            f"no held-out episode of {environment!r} could be played "
            f"({fault.boundary.value}: {fault.message})"
        )
    score = held_out_score(episodes, faults=len(results) - len(episodes))
    score = score.model_copy(update={"metrics": dict(world.summarize(episodes))})
    with desk.store.writing(exam.settings.name) as connection:
        newest = connection.scalar(
            select(func.max(_H.c.recorded_at)).where(_H.c.campaign == exam.settings.name)
        )
        text = score.model_dump_json(by_alias=True)
        upsert(connection, _H, {**key, "recorded_at": moment(newest), "score": text})
    return score


def exam_tasks(desk: Desk, exam: Exam, environment: str, progress: Progress = silent) -> list[Task]:
    """The exam's tasks, drawn once and stored: every arm gets the same."""
    tasks = desk.episodes.read_tasks(exam.path(environment))
    if tasks is None:
        tasks = sample_distinct(
            desk.environment(exam.settings.name, environment),
            exam.split,
            exam.episodes,
            exam.seed("tasks", environment),
            exam.settings.workers,
            lambda done: progress(STAGE, done, exam.episodes),
        )
        file = desk.episodes.write_tasks(exam.path(environment), tasks)
        with desk.store.writing(exam.settings.name) as connection:
            desk.episodes.record_file(connection, exam.settings.name, file)
    return tasks


def training_tasks(desk: Desk, settings: CampaignSettings, environment: str) -> list[Task]:
    """Every training task the campaign has stored for an environment; before it has any, its first ones."""
    tasks: list[Task] = []
    for record in desk.ledger.records(settings.name):
        path = f"episodes/{settings.name}/{record.key}/{environment}.tasks.gz"
        tasks += desk.episodes.read_tasks(path) or []
    quota = quotas(settings.episodes_per_epoch, settings.environments)[environment]
    return tasks or sample_tasks(
        desk.environment(settings.name, environment),
        Split.TRAIN,
        range(quota),
        derive_seed(settings.seed, settings.name, "tasks", environment),
        settings.workers,
    )


def pooled(scores: Sequence[HeldOutScore]) -> HeldOutScore:
    """Several environments' scores as one: weighted by episodes, with the widest of their intervals."""
    episodes = sum(score.episodes for score in scores)
    success = sum(score.success * score.episodes for score in scores) / episodes
    below = max(score.success - score.low for score in scores)
    above = max(score.high - score.success for score in scores)
    return HeldOutScore(
        success=success,
        low=max(0.0, success - below),
        high=min(1.0, success + above),
        episodes=episodes,
        faults=sum(score.faults for score in scores),
        mean_reward=sum(score.mean_reward * score.episodes for score in scores) / episodes,
    )


def held_out_scores(desk: Desk, campaign: str) -> dict[str, dict[str, HeldOutScore]]:
    """The newest score of every arm by environment; arms of other splits than `final` are `arm@split`."""
    query = select(_H).where(_H.c.campaign == campaign).order_by(_H.c.recorded_at)
    with desk.store.reading() as connection:
        rows = connection.execute(query).all()
    found: dict[str, dict[str, HeldOutScore]] = {}
    for row in rows:
        arm = row.arm if row.split == Split.FINAL.value else f"{row.arm}@{row.split}"
        found.setdefault(row.environment, {})[arm] = HeldOutScore.model_validate_json(row.score)
    return found
