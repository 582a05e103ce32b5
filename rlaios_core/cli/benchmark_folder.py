"""A folder of generated tasks: one JSON file a task and an `index.json`, written whole or not at all."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from rlaios_core.cli.errors import CliError
from rlaios_core.environments import (
    Environment,
    MatchedPair,
    Play,
    ProvidesBaselines,
    ProvidesReference,
    ReplayCandidate,
    Solution,
)
from rlaios_core.rollout import LimitsConcurrency
from rlaios_core.schema import Episode, Policy, Split, StoredModel, Task, content_hash
from rlaios_core.schema.refusal import refusal_line

INDEX = "index.json"


class BenchmarkIndex(StoredModel):
    """What a benchmark folder holds. `files` are task files with their content hashes, in task order."""

    environment: str
    split: Split
    seed: int
    count: int = Field(ge=1)
    files: dict[str, str]
    families: dict[str, int]
    rejections: dict[str, int] = Field(default_factory=dict)
    seconds: float = 0.0


def write_folder(
    folder: Path, tasks: Sequence[Task], *, seed: int, rejections: Mapping[str, int], seconds: float
) -> BenchmarkIndex:
    """Write the tasks beside their place and rename: a folder that exists is complete."""
    if folder.exists():
        _require_replaceable(folder)
    texts = {f"task-{task.index:05d}.json": json.dumps(task.to_json(), indent=1) for task in tasks}
    index = BenchmarkIndex(
        environment=tasks[0].environment,
        split=tasks[0].split,
        seed=seed,
        count=len(tasks),
        files={name: content_hash(text) for name, text in texts.items()},
        families=dict(sorted(Counter(task.family for task in tasks).items())),
        rejections=dict(sorted(rejections.items())),
        seconds=round(seconds, 3),
    )
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir()
        for name, text in {**texts, INDEX: json.dumps(index.to_json(), indent=1)}.items():
            with (temporary / name).open("w", encoding="utf-8") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
        if folder.exists():
            shutil.rmtree(folder)
        temporary.replace(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return index


def read_folder(folder: Path, environment: str) -> tuple[BenchmarkIndex, tuple[Task, ...]]:
    """The folder's index and tasks, every file checked against its hash."""
    again = f"make it anew with `rlaios {environment} benchmark-generate --out {folder}`"
    if not folder.is_dir():
        raise CliError(f"{folder}: no benchmark folder there; {again}")
    index = _parse(BenchmarkIndex, folder / INDEX, again)
    if index.environment != environment:
        raise CliError(f"{folder}: holds tasks of {index.environment!r}, not of {environment!r}")
    if len(index.files) != index.count:
        raise CliError(f"{folder / INDEX}: counts {index.count} tasks and names {len(index.files)}; {again}")
    tasks = []
    for name, digest in index.files.items():
        path = folder / name
        if Path(name).name != name:
            raise CliError(f"{folder / INDEX}: names {name!r}, which is outside the folder; {again}")
        if path.is_file() and content_hash(path.read_text(encoding="utf-8", errors="replace")[:-1]) != digest:
            raise CliError(f"{path}: was changed after it was generated; {again}")
        tasks.append(_parse(Task, path, again))
    return index, tuple(tasks)


class FolderEnvironment:
    """An environment that draws the tasks of one split from a folder, over and over, and the rest as ever."""

    def __init__(self, inner: Environment, split: Split, tasks: Sequence[Task]) -> None:
        self._inner = inner
        self._split = split
        self._tasks = tuple(tasks)
        if isinstance(inner, LimitsConcurrency):
            self.concurrency = inner.concurrency

    @property
    def name(self) -> str:
        """The wrapped environment's name."""
        return self._inner.name

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        """The folder's task at `index`, counted round and round, when the split is the folder's."""
        if split is not self._split:
            return self._inner.sample_task(split, index, seed)
        return self._tasks[index % len(self._tasks)].model_copy(update={"index": index})

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        """As the wrapped environment does."""
        return self._inner.run_episode(task, policy, play)

    def compare(self, pair: MatchedPair) -> tuple[float | None, float | None]:
        """As the wrapped environment does."""
        return self._inner.compare(pair)

    def replay_candidate(self, episode: Episode) -> ReplayCandidate:
        """As the wrapped environment does."""
        return self._inner.replay_candidate(episode)

    def summarize(self, episodes: Sequence[Episode]) -> Mapping[str, float]:
        """As the wrapped environment does."""
        return self._inner.summarize(episodes)

    def reference_solution(self, task: Task, failed: Episode | None = None) -> Solution:
        """The wrapped environment's solution, none when it gives none."""
        if isinstance(self._inner, ProvidesReference):
            return self._inner.reference_solution(task, failed)
        return Solution()

    def baselines(self, training_tasks: Sequence[Task]) -> Mapping[str, Policy]:
        """The wrapped environment's baselines, none when it has none."""
        return self._inner.baselines(training_tasks) if isinstance(self._inner, ProvidesBaselines) else {}

    def close(self) -> None:
        """Close the wrapped environment."""
        self._inner.close()


def _require_replaceable(folder: Path) -> None:
    """Only a former benchmark folder, or an empty one, may be replaced."""
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / INDEX).is_file()):
        raise CliError(f"{folder}: exists and is not a benchmark folder; choose another --out")


def _parse(model: type[Any], path: Path, again: str) -> Any:
    if not path.is_file():
        raise CliError(f"{path}: missing; {again}")
    try:
        return model.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise CliError(f"{path}: broken ({refusal_line(error)}); {again}") from error
