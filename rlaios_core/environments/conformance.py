"""The conformance kit: does an environment keep the protocol of `base`? For anyone's plug-in.

Every check has a name and a one-line finding. The kit plays real episodes with a seeded random policy; it
needs no knowledge of the world. `rlaios environment check NAME` runs it.
"""

import math
import os
import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from rlaios_core.environments.base import (
    Environment,
    MatchedPair,
    Play,
    ProvidesBaselines,
    ProvidesReference,
    UnavailableError,
)
from rlaios_core.process_table import descendants
from rlaios_core.schema import (
    STOP,
    Decision,
    Episode,
    Model,
    Observation,
    Policy,
    Split,
    Task,
    canonical_json,
    derive_seed,
)

REQUIRED_SPLITS = (Split.TRAIN, Split.HELD_OUT, Split.FINAL)
"""Splits every environment has; others are checked where it has them."""
_MOST_STEPS = 500


class Finding(Model):
    """What one check found."""

    check: str
    passed: bool
    detail: str


class ViolationError(Exception):
    """A rule of the protocol is broken; says which and where."""


@dataclass
class Bench:
    """What the checks share: the environment, tasks to play, episodes played so far."""

    environment: Environment
    seed: int
    count: int
    tasks: list[Task] = field(default_factory=list)
    episodes: list[Episode] = field(default_factory=list)

    def sample(self, split: Split, index: int) -> Task:
        """The task at a position of the kit's own stream."""
        return self.environment.sample_task(split, index, self.seed)

    def play(self, task: Task, policy: Policy | None = None, **changes: object) -> Episode:
        """The task played once, by the seeded random policy unless told otherwise."""
        play = Play("conformance", 1, "random", derive_seed(self.seed, task.task_id))
        chosen = RandomPolicy() if policy is None else policy
        return self.environment.run_episode(task, chosen, replace_play(play, **changes))


class RandomPolicy:
    """Any admissible action, by seed and by what the actions do: deterministic, and it wanders."""

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """A choice for each observation."""
        return [self._choose(o, seed) for o, seed in zip(observations, seeds, strict=True)]

    def _choose(self, observation: Observation, seed: int) -> Decision:
        count = len(observation.actions)
        ordered = sorted(range(count), key=lambda i: observation.actions[i].key)
        chosen = ordered[random.Random(seed).randrange(count)]
        return Decision(chosen, -math.log(count), (1.0 / count,) * count, 0.0)


class ReplayPolicy:
    """Takes the actions with these keys in order, then stops."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = list(keys)

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:  # noqa: ARG002
        """The next action; raises `ViolationError` when it is not on offer."""
        keys = [action.key for action in observations[0].actions]
        verbs = [action.verb for action in observations[0].actions]
        if self._keys:
            wanted = self._keys.pop(0)
            if wanted not in keys:
                raise ViolationError("the reference takes an action that is not on offer")
            chosen = keys.index(wanted)
        else:
            chosen = verbs.index(STOP) if STOP in verbs else len(verbs) - 1
        return [Decision(chosen, 0.0, tuple(float(i == chosen) for i in range(len(keys))), 0.0)]


class _Raising:
    """A policy that fails."""

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:  # noqa: ARG002
        raise RuntimeError("the policy failed")


def replace_play(play: Play, **changes: object) -> Play:
    """The play with changed fields."""
    return Play(**{**play.__dict__, **changes})


def check_environment(factory: Callable[[], Environment], *, seed: int = 0, tasks: int = 3) -> list[Finding]:
    """Run every check on a new environment and close it. Raises `UnavailableError` when it cannot run here.

    `tasks`: how many training tasks are played; equal seeds draw equal tasks.
    """
    before = set(descendants(os.getpid()))
    bench = Bench(factory(), seed, tasks)
    findings = []
    try:
        findings = [_run(name, check, bench) for name, check in CHECKS]
    finally:
        bench.environment.close()
    left = set(descendants(os.getpid())) - before
    detail = f"{len(left)} processes are left after close" if left else "nothing is left after close"
    return [*findings, Finding(check="close leaves no process", passed=not left, detail=detail)]


def _run(name: str, check: Callable[[Bench], str], bench: Bench) -> Finding:
    try:
        return Finding(check=name, passed=True, detail=check(bench))
    except ViolationError as violation:
        return Finding(check=name, passed=False, detail=str(violation))
    except Exception as error:  # noqa: BLE001 - whatever a plug-in raises is a finding about it
        text = " ".join(str(error).split())
        return Finding(check=name, passed=False, detail=f"{type(error).__name__}: {text}"[:300])


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise ViolationError(otherwise)


def _name(bench: Bench) -> str:
    name = bench.environment.name
    _require(isinstance(name, str) and name.isidentifier(), f"{name!r} is no name: use letters, digits, _")
    return name


def _sampling_is_deterministic(bench: Bench) -> str:
    bench.tasks = [bench.sample(Split.TRAIN, index) for index in range(bench.count)]
    again = [bench.sample(Split.TRAIN, index) for index in range(bench.count)]
    for index, (one, other) in enumerate(zip(bench.tasks, again, strict=True)):
        _require(one == other, f"train task {index} is another one the second time")
    return f"{bench.count} tasks are the same twice"


def _sampling_knows_no_order(bench: Bench) -> str:
    places = list(range(bench.count))[::-1]
    with ThreadPoolExecutor(max_workers=4) as threads:
        found = list(threads.map(lambda index: bench.sample(Split.TRAIN, index), places))
    for index, task in zip(places, found, strict=True):
        _require(task == bench.tasks[index], f"train task {index} depends on order or on threads")
    return "the same backwards and on four threads"


def _sampling_has_no_side_effects(bench: Bench) -> str:
    def state() -> tuple[object, ...]:
        numpy = np.random.get_state()
        return random.getstate(), str(numpy), Path.cwd(), dict(os.environ)

    before = state()
    bench.sample(Split.TRAIN, bench.count)
    names = ("random", "numpy.random", "the working directory", "the process's environment")
    changed = [name for name, a, b in zip(names, before, state(), strict=True) if a != b]
    _require(not changed, f"sampling changes {' and '.join(changed)}")
    return "global state is untouched"


def _tasks_are_what_they_say(bench: Bench) -> str:
    for index, task in enumerate(bench.tasks):
        said = (task.environment, task.split, task.index, task.seed)
        wanted = (bench.environment.name, Split.TRAIN, index, bench.seed)
        _require(said == wanted, f"train task {index} says {said}, not {wanted}")
        _require(bool(task.instruction and task.family), f"train task {index} lacks instruction or family")
        stored = Task.model_validate_json(task.model_dump_json(by_alias=True))
        _require(stored == task, f"train task {index} is another one after storing")
    by_id: dict[str, str] = {}
    for task in bench.tasks:
        content = canonical_json(task.to_json()["payload"])
        _require(by_id.setdefault(task.task_id, content) == content, f"two tasks are called {task.task_id}")
    return "fields, storing and ids agree"


def _splits_are_disjoint(bench: Bench) -> str:
    contents: dict[str, Split] = {}
    found = []
    for split in Split:
        try:
            tasks = [bench.sample(split, index) for index in range(bench.count)]
        except UnavailableError:
            _require(split not in REQUIRED_SPLITS, f"there is no split {split.value}")
            continue
        found.append(split.value)
        for task in tasks:
            for mark in (task.task_id, canonical_json(task.to_json()["payload"])):
                other = contents.setdefault(mark, split)
                _require(other is split, f"{task.task_id} is in {other.value} and in {split.value}")
    return f"{', '.join(found)} share no task"


def _episodes_keep_the_contract(bench: Bench) -> str:
    for task in bench.tasks:
        episode = bench.play(task)
        _check_episode(task, episode)
        bench.episodes.append(episode)
    lengths = [len(episode.trajectory) for episode in bench.episodes]
    return f"{len(lengths)} episodes of {min(lengths)} to {max(lengths)} steps"


def _check_episode(task: Task, episode: Episode) -> None:
    said = (episode.campaign, episode.epoch, episode.checkpoint_id, episode.attempt)
    _require(said == ("conformance", 1, "random", 0), f"the episode belongs to {said}, not to its play")
    same = (episode.task_id, episode.family, episode.split, episode.environment)
    wanted = (task.task_id, task.family, task.split, task.environment)
    _require(same == wanted, f"the episode is of {same}, not of {wanted}")
    _require(bool(episode.trajectory), "an episode without a step")
    _require(len(episode.trajectory) <= _MOST_STEPS, f"more than {_MOST_STEPS} steps")
    _require(math.isfinite(episode.terminal_reward), "the reward is not finite")
    _require(episode.reward == episode.terminal_reward, "the environment fuses rewards itself")
    _require(
        episode.lane is None and episode.teacher_signal is None, "lanes and teachers are not its business"
    )
    left = [step.observation.steps_left for step in episode.trajectory]
    _require(all(a > b for a, b in pairwise(left)), "steps_left does not count down")
    _require(len(left) <= left[0], f"{len(left)} steps where {left[0]} were left at the start")
    for step in episode.trajectory:
        keys = [action.key for action in step.observation.actions]
        _require(len(set(keys)) == len(keys), "two admissible actions have one key")
        _require(bool(step.observation.instruction), "an observation without instruction")
        _require(abs(sum(step.probabilities) - 1) < 1e-6, "stored probabilities are not the policy's")
    stored = Episode.model_validate_json(episode.model_dump_json(by_alias=True))
    _require(_lasting(stored) == _lasting(episode), "the episode is another one after storing")


def _equal_seeds_equal_episodes(bench: Bench) -> str:
    for task, episode in zip(bench.tasks, bench.episodes, strict=True):
        again = bench.play(task)
        _require(_lasting(again) == _lasting(episode), f"{task.task_id}: another episode the second time")
    return "the same decisions lead to the same episodes"


def _threads_do_not_meet(bench: Bench) -> str:
    with ThreadPoolExecutor(max_workers=4) as threads:
        found = list(threads.map(bench.play, [task for task in bench.tasks for _ in range(2)]))
    for place, episode in enumerate(found):
        alone = bench.episodes[place // 2]
        _require(_lasting(episode) == _lasting(alone), f"{episode.task_id}: another episode beside others")
    return f"{len(found)} episodes at once are as they were alone"


def _ids_tell_apart(bench: Bench) -> str:
    task = bench.tasks[0]
    ids = {
        bench.episodes[0].episode_id,
        bench.play(task, attempt=1).episode_id,
        bench.play(task, checkpoint_id="other").episode_id,
    }
    _require(len(ids) == 3, "episodes of other attempts or checkpoints have the same id")
    return "attempts and checkpoints have ids of their own"


def _failures_are_not_outcomes(bench: Bench) -> str:
    task = bench.tasks[0]
    damaged = task.model_copy(update={"task_id": "damaged", "payload": {"nothing": "of use"}})
    for what, one, policy in (("policy", task, _Raising()), ("task", damaged, RandomPolicy())):
        try:
            bench.play(one, policy)
        except Exception:  # noqa: BLE001 - that it is raised at all is what is checked
            continue
        raise ViolationError(f"a broken {what} became an episode instead of being raised")
    return "a broken policy or task is raised, not graded"


def _comparison_is_normalised(bench: Bench) -> str:
    for task, episode in zip(bench.tasks, bench.episodes, strict=True):
        for ours, theirs in ((episode, episode), (episode, None), (None, episode), (None, None)):
            scores = bench.environment.compare(MatchedPair(task, ours, theirs))
            for side, score in zip((ours, theirs), scores, strict=True):
                _require((side is None) <= (score is None), "a missing side has a score")
                _require(score is None or -1.0 <= score <= 1.0, f"a score of {score}")
            if ours is theirs is episode:
                _require(scores[0] is not None and scores[0] == scores[1], "an episode differs from itself")
    return "scores lie in [-1, 1], and a missing side has none"


def _candidates_are_told(bench: Bench) -> str:
    for episode in bench.episodes:
        candidate = bench.environment.replay_candidate(episode)
        _require(candidate.admissible or bool(candidate.reason), "an episode is refused without a reason")
        _require(bool(candidate.diversity_key), "a replay candidate without diversity key")
    return "each episode is admitted or refused with a reason"


def _summary_is_pure(bench: Bench) -> str:
    stored = [episode.model_dump_json() for episode in bench.episodes]
    first = dict(bench.environment.summarize(bench.episodes))
    _require(first == dict(bench.environment.summarize(bench.episodes)), "another summary the second time")
    _require(stored == [e.model_dump_json() for e in bench.episodes], "summarising changes episodes")
    _require(not bench.environment.summarize([]), "no episodes have a summary")
    wrong = [name for name, value in first.items() if not math.isfinite(value)]
    _require(not wrong, f"not finite: {', '.join(wrong)}")
    return f"{len(first)} metrics: {', '.join(sorted(first))}"


def _references_succeed(bench: Bench) -> str:
    if not isinstance(bench.environment, ProvidesReference):
        return "none are offered"
    executed = 0
    for task, failed in zip(bench.tasks, bench.episodes, strict=True):
        for solution in (
            bench.environment.reference_solution(task),
            bench.environment.reference_solution(task, failed),
        ):
            if not solution.keys:
                continue
            _require(solution.own_steps < len(solution.keys), "a reference teaches nothing of its own")
            episode = bench.play(task, ReplayPolicy(solution.keys))
            _require(episode.success, f"{task.task_id}: the reference ends as {episode.outcome.value}")
            executed += 1
    return f"{executed} executed, all succeed" if executed else "none for these tasks; try more tasks"


def _baselines_play(bench: Bench) -> str:
    if not isinstance(bench.environment, ProvidesBaselines):
        return "none are offered"
    found: Mapping[str, Policy] = bench.environment.baselines(bench.tasks)
    _require("heuristic" in found, "there is no baseline called heuristic")
    for name, policy in found.items():
        _require(bool(bench.play(bench.tasks[0], policy).trajectory), f"baseline {name} does nothing")
    return ", ".join(sorted(found))


def _lasting(episode: Episode) -> Episode:
    """The episode without what may differ between equal ones: durations."""
    steps = tuple(step.model_copy(update={"duration_seconds": 0.0}) for step in episode.trajectory)
    return episode.model_copy(update={"trajectory": steps, "duration_seconds": 0.0})


CHECKS: tuple[tuple[str, Callable[[Bench], str]], ...] = (
    ("name", _name),
    ("sampling is deterministic", _sampling_is_deterministic),
    ("sampling knows no order", _sampling_knows_no_order),
    ("sampling has no side effects", _sampling_has_no_side_effects),
    ("tasks are what they say", _tasks_are_what_they_say),
    ("splits are disjoint", _splits_are_disjoint),
    ("episodes keep the contract", _episodes_keep_the_contract),
    ("equal seeds give equal episodes", _equal_seeds_equal_episodes),
    ("threads do not meet", _threads_do_not_meet),
    ("ids tell episodes apart", _ids_tell_apart),
    ("failures are not outcomes", _failures_are_not_outcomes),
    ("comparison is normalised", _comparison_is_normalised),
    ("replay candidates are told", _candidates_are_told),
    ("summary is pure", _summary_is_pure),
    ("references succeed", _references_succeed),
    ("baselines play", _baselines_play),
)
"""Every check by name, in the order they run; each returns its one-line finding or raises."""
