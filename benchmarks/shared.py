"""One environment for all arms of a seed: what the learning benchmarks of shell and browser share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlaios_core.environments import Play
from rlaios_core.schema import Episode, Policy, Split, Task


class SharedEnvironment:
    """An environment that outlives its campaigns, makes equal tasks once, and keeps what exams showed.

    `more_baselines` are measured beside the environment's own. `exams` holds what `facts` tells of every
    episode played outside training, by player, split and task index. All else is the environment's own.
    """

    def __init__(self, inner: Any, facts: Callable[[Episode], Any]) -> None:
        self._inner = inner
        self._facts = facts
        self._tasks: dict[tuple[Split, int, int], Task] = {}
        self.exams: dict[str, dict[str, dict[str, Any]]] = {}
        self.more_baselines: dict[str, Policy] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        """A task, made at most once."""
        key = (split, index, seed)
        if key not in self._tasks:
            self._tasks[key] = self._inner.sample_task(split, index, seed)
        return self._tasks[key]

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        """Play; what is played outside training is kept by player."""
        episode: Episode = self._inner.run_episode(task, policy, play)
        if task.split is not Split.TRAIN:
            player = self.exams.setdefault(play.checkpoint_id, {}).setdefault(task.split.value, {})
            player[str(task.index)] = self._facts(episode)
        return episode

    def baselines(self, training_tasks: Sequence[Task]) -> Mapping[str, Policy]:
        """The environment's, and more."""
        return {**self._inner.baselines(training_tasks), **self.more_baselines}

    def close(self) -> None:
        """Nothing: the next arm goes on with it."""
