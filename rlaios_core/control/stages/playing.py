"""Playing tasks by several policies at once, and counting what is done."""

import threading
from collections.abc import Callable, Mapping, Sequence

from rlaios_core.control.settings import CampaignSettings
from rlaios_core.control.stages.desk import Progress, rollout_settings
from rlaios_core.control.stages.sampling import attempts
from rlaios_core.environments import Environment, Play
from rlaios_core.rollout import Assignment, play_all
from rlaios_core.schema import Episode, EpisodeFault, Policy, Task


def play_tasks(
    world: Environment,
    settings: CampaignSettings,
    tasks: Sequence[Task],
    policies: Mapping[str, Policy],
    *,
    epoch: int,
    seed: Callable[[Task, int], int],
    on_done: Callable[[object], None],
) -> dict[str, list[Episode | EpisodeFault]]:
    """Every task played by every policy, side by side, so that they meet the machine in the same state.

    Results are by policy, in the order of the tasks. `seed` is asked once per task and attempt: equal for
    all policies, which is what makes pairs matched.
    """
    players = list(policies)
    assignments = [
        Assignment(task, Play(settings.name, epoch, player, seed(task, attempt), attempt))
        for task, attempt in zip(tasks, attempts(task.task_id for task in tasks), strict=True)
        for player in players
    ]
    results = play_all(world, assignments, policies, rollout_settings(settings), on_done)
    return {player: results[place :: len(players)] for place, player in enumerate(players)}


def counting(progress: Progress, stage: str, total: int) -> Callable[[object], None]:
    """A callback that counts finished episodes; they come from several threads."""
    lock = threading.Lock()
    done = 0

    def count(_result: object) -> None:
        nonlocal done
        with lock:
            done += 1
            progress(stage, done, total)

    return count
