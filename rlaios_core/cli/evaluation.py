"""`eval`: measure a checkpoint on held-out tasks."""

from contextlib import closing
from pathlib import Path

import click

from rlaios_core.cli import output
from rlaios_core.cli.benchmark_folder import read_folder
from rlaios_core.cli.choosing import choose_campaign, choose_checkpoint
from rlaios_core.cli.errors import CliError
from rlaios_core.cli.estimate import Phase
from rlaios_core.cli.progress import Display
from rlaios_core.cli.session import make_environment, open_controller
from rlaios_core.cli.whole_campaign import EVALUATION
from rlaios_core.control import CampaignController
from rlaios_core.environments import Play
from rlaios_core.evaluation import held_out_score
from rlaios_core.reporting.frames import held_out_frame
from rlaios_core.rollout import Assignment, RolloutSettings, play_all
from rlaios_core.schema import Episode, EpisodeFault, HeldOutScore, Split, Task, derive_seed
from rlaios_core.student import load_checkpoint


def evaluate(
    context: click.Context,
    environment: str,
    campaign: str | None,
    checkpoint: str,
    split: Split,
    episodes: int,
    *,
    benchmark: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play the checkpoint on held-out tasks and print its success with a 95% interval."""
    tasks: tuple[Task, ...] = ()
    if benchmark is not None:
        index, tasks = read_folder(benchmark, environment)
        split, episodes = index.split, len(tasks)
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign, preferred=environment)
        if environment not in controller.settings(name).environments:
            raise CliError(f"campaign {name}: {environment} is not one of its environments")
        chosen = choose_checkpoint(controller, name, checkpoint)
        phase = f"measure {chosen}"
        with Display([Phase(phase, "measure", episodes)], quiet=quiet) as display, display.phase(phase):
            if tasks:
                score = play_folder(controller, name, environment, chosen, tasks, display)
            else:
                score = play_exam(controller, name, environment, chosen, split, episodes, display)
    frame = held_out_frame({environment: {chosen: score}})
    for budget, success in score.success_at.items():
        frame[f"@{budget}"] = success
    place = {"campaign": name, "environment": environment, "checkpoint": chosen, "split": split.value}
    title = f"Campaign {name}, {split.value} tasks" + (f" of {benchmark}" if benchmark else "")
    output.emit(as_json, {**place, **score.to_json()}, output.frame_table(frame, title))


def evaluate_all(
    context: click.Context,
    campaign: str | None,
    checkpoint: str,
    split: Split,
    episodes: int,
    *,
    preferred: str,
    quiet: bool,
    as_json: bool,
) -> None:
    """Measure the checkpoint in every environment of its campaign and print each success."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign, preferred=preferred)
        environments = controller.settings(name).environments
        chosen = choose_checkpoint(controller, name, checkpoint)
        phase = f"measure {chosen}"
        size = episodes * len(environments)
        with Display([Phase(phase, "measure", size)], quiet=quiet) as display, display.phase(phase):
            scores = {
                environment: play_exam(controller, name, environment, chosen, split, episodes, display)
                for environment in environments
            }
    frame = held_out_frame({environment: {chosen: score} for environment, score in scores.items()})
    data = {
        "campaign": name,
        "checkpoint": chosen,
        "split": split.value,
        "environments": {environment: score.to_json() for environment, score in scores.items()},
    }
    output.emit(as_json, data, output.frame_table(frame, f"Campaign {name}, {split.value} tasks"))


def play_exam(
    controller: CampaignController,
    campaign: str,
    environment: str,
    checkpoint: str,
    split: Split,
    episodes: int,
    display: Display,
) -> HeldOutScore:
    """The campaign's own held-out tasks of a split; a score that is stored is not played again."""
    return controller.held_out(
        campaign,
        checkpoint_id=checkpoint,
        split=split,
        episodes=episodes,
        arm=f"{EVALUATION}{checkpoint}-{episodes}",
        progress=display.report,
        environments=(environment,),
    )


def play_folder(
    controller: CampaignController,
    campaign: str,
    environment: str,
    checkpoint: str,
    tasks: tuple[Task, ...],
    display: Display,
) -> HeldOutScore:
    """Every task of a folder once. Nothing is stored: the tasks are not the campaign's."""
    settings = controller.settings(campaign)
    assignments = [
        Assignment(task, Play(campaign, 0, checkpoint, derive_seed(settings.seed, "folder", task.task_id)))
        for task in tasks
    ]
    done = 0

    def count(_: Episode | EpisodeFault) -> None:
        nonlocal done
        done += 1
        display.report("episodes", done, len(tasks))

    student = load_checkpoint(controller.checkpoint_file(checkpoint), checkpoint).student
    limits = RolloutSettings(settings.rollout.concurrency, settings.rollout.deadline_seconds)
    with closing(make_environment(environment, settings)) as world:
        results = play_all(world, assignments, {checkpoint: student}, limits, count)
    played = [result for result in results if isinstance(result, Episode)]
    if not played:
        fault = next(result for result in results if isinstance(result, EpisodeFault))
        raise CliError(f"no task could be played ({fault.boundary.value}: {fault.message})")
    return held_out_score(played, faults=len(results) - len(played))
