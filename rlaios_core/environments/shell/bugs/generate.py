"""From a position to a task: attempts in a fixed sequence, the first one that passes the gates wins."""

from __future__ import annotations

import hashlib
import random
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from weakref import WeakKeyDictionary

from rlaios_core.environments.shell.repair import RepairTemplate
from rlaios_core.environments.shell.verification.results import TestOutcome
from rlaios_core.schema import Split

from .admission import Admitted, RejectedError, Rejection, Verifier, admit, is_green, scrubbed
from .equality import renamed
from .errors import BenchmarkError
from .inject import Injection, draw, function_node, injectable, injections
from .mix import templates_for
from .projects import Project, bundled_projects
from .task import FailingReport, InjectedBug, ReferenceEdit, ShellTask
from .variants import make_variant

ATTEMPTS = 60
"""Attempts at one position before it is given up."""
_FAITHFUL = 45
"""Attempts at the templates of the position; after them those of later positions are tried."""
_VARIANTS = 12
"""Surface variants of a training project; `held_out_variant` has as many others."""

_FOLDERS = {
    Split.TRAIN: "train",
    Split.HELD_OUT_VARIANT: "train",
    Split.HELD_OUT: "held_out",
    Split.FINAL: "final",
    Split.HELD_OUT_OPERATOR: "final",
}


@dataclass
class Rejections:
    """How often each gate turned an attempt away, over a generation. Safe to share between threads."""

    counts: Counter[Rejection] = field(default_factory=Counter)
    admitted: int = 0
    hidden_sees: int = 0
    """Admitted tasks whose bug a hidden test sees too."""
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def count(self, reason: Rejection) -> None:
        """Note a rejected attempt."""
        with self._lock:
            self.counts[reason] += 1

    def admit(self, admitted: Admitted) -> None:
        """Note an attempt that passed."""
        with self._lock:
            self.admitted += 1
            self.hidden_sees += admitted.hidden_sees


def generate_task(
    split: Split | str,
    seed: int,
    index: int,
    verifier: Verifier,
    *,
    rejections: Rejections | None = None,
    first_attempt: int = 0,
) -> ShellTask:
    """The task at a position: equal arguments give an equal task, in any order and at any speed."""
    task, _ = _attempt(Split(split), seed, index, verifier, rejections or Rejections(), first_attempt)
    return task


def duplicate_key(task: ShellTask) -> str:
    """Equal for tasks with the same broken functions (but for names) and the same failing tests."""
    parts = [task.project, *sorted(report.node_id for report in task.failing)]
    for bug in task.bugs:
        node = function_node(bug.path, task.files[bug.path], bug.function)
        parts.append(renamed(node) if node is not None else "")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _attempt(
    split: Split, seed: int, index: int, verifier: Verifier, stats: Rejections, first: int
) -> tuple[ShellTask, int]:
    projects = bundled_projects(_FOLDERS[split])
    for attempt in range(first, ATTEMPTS):
        rng = random.Random(f"task:{split}:{seed}:{index}:{attempt}")
        templates = templates_for(split, seed, index + max(0, attempt - _FAITHFUL))
        project = rng.choice(projects)
        variant_seed = rng.randrange(_VARIANTS) + (_VARIANTS if split is Split.HELD_OUT_VARIANT else 0)
        try:
            bugs = _draw(split, project, variant_seed, templates, rng)
            if not _variant_is_green(project, variant_seed, verifier):
                raise RejectedError(Rejection.VARIANT_BROKEN)
            admitted = admit(project, _variant(project, variant_seed), bugs, verifier)
        except RejectedError as rejected:
            stats.count(rejected.reason)
            continue
        stats.admit(admitted)
        task = _task(split, seed, index, project, variant_seed, bugs, admitted, rng)
        return task, attempt
    raise BenchmarkError(
        f"no task at {split} {seed}/{index} within {ATTEMPTS} attempts "
        f"(rejected: {dict(stats.counts.most_common())}): run the tests of the bundled projects"
    )


def _draw(
    split: Split, project: Project, variant_seed: int, templates: Sequence[RepairTemplate], rng: random.Random
) -> list[Injection]:
    bugs: list[Injection] = []
    for template in templates:
        places = [
            place
            for place in _places(project, variant_seed, template)
            if injectable(split, project.name, place.function)
            and (place.path, place.function) not in {(bug.path, bug.function) for bug in bugs}
        ]
        bug = draw(places, rng)
        if bug is None:
            raise RejectedError(Rejection.NO_SITE)
        bugs.append(bug)
    return bugs


class _Known:
    """What was computed for projects and verifiers, by position and so without any effect on results."""

    def __init__(self) -> None:
        self.green: WeakKeyDictionary[Verifier, dict[tuple[str, int], bool]] = WeakKeyDictionary()
        self.lock = threading.Lock()


_known = _Known()


def _variant_is_green(project: Project, variant_seed: int, verifier: Verifier) -> bool:
    key = (project.name, variant_seed)
    with _known.lock:
        results = _known.green.setdefault(verifier, {})
    if key not in results:
        results[key] = is_green(project, _variant(project, variant_seed), verifier)
    return results[key]


def _variant(project: Project, variant_seed: int) -> dict[str, str]:
    return _cached_variant(project.split, project.name, variant_seed)


def _find(folder: str, name: str) -> Project:
    return next(project for project in bundled_projects(folder) if project.name == name)


@lru_cache(maxsize=512)
def _cached_variant(folder: str, name: str, variant_seed: int) -> dict[str, str]:
    return make_variant(name, _find(folder, name).files, variant_seed)


def _places(project: Project, variant_seed: int, template: RepairTemplate) -> tuple[Injection, ...]:
    return _cached_places(project.split, project.name, variant_seed, template)


@lru_cache(maxsize=4096)
def _cached_places(
    folder: str, name: str, variant_seed: int, template: RepairTemplate
) -> tuple[Injection, ...]:
    return injections(_cached_variant(folder, name, variant_seed), template)


def _task(
    split: Split,
    seed: int,
    index: int,
    project: Project,
    variant_seed: int,
    bugs: Sequence[Injection],
    admitted: Admitted,
    rng: random.Random,
) -> ShellTask:
    reports = admitted.first_run.reports
    failing = tuple(
        FailingReport(
            node_id=node,
            exception=reports[node].exception,
            message=scrubbed(reports[node].message),
            expected=scrubbed(reports[node].expected),
            actual=scrubbed(reports[node].actual),
            frames=reports[node].frames,
        )
        for node in sorted(reports)
        if reports[node].outcome is not TestOutcome.PASSED
    )
    suspicion: dict[str, dict[int, float]] = {}
    covered: dict[str, dict[int, tuple[int, int]]] = {}
    for (path, line), score in admitted.suspicion.items():
        suspicion.setdefault(path, {})[line] = score
        covered.setdefault(path, {})[line] = admitted.covered[path, line]
    return ShellTask(
        project=project.name,
        split=split,
        seed=seed,
        index=index,
        variant_seed=variant_seed,
        family="+".join(sorted(str(bug.template) for bug in bugs)),
        instruction=_instruction(project, len(failing), len(reports), rng),
        files=dict(admitted.files),
        tests=dict(project.tests),
        hidden=dict(project.hidden),
        baseline={node: str(reports[node].outcome) for node in sorted(reports)},
        hidden_baseline=dict(admitted.hidden_baseline),
        failing=failing,
        suspicion=suspicion,
        covered=covered,
        bugs=tuple(
            InjectedBug(
                operator=bug.operator,
                template=bug.template,
                path=edit.path,
                line=edit.line,
                function=bug.function,
            )
            for bug, edit in zip(bugs, admitted.by_bug, strict=True)
        ),
        reference=tuple(ReferenceEdit.of(edit) for edit in admitted.reference),
        level=str(admitted.first_run.level),
    )


_OPENINGS = (
    "Some tests fail since the last change.",
    "Users report wrong results, and tests confirm it.",
    "The test run is red.",
    "A recent change broke something.",
)


def _instruction(project: Project, failing: int, total: int, rng: random.Random) -> str:
    opening = rng.choice(_OPENINGS)
    return (
        f"{project.description}\n\n{opening} {failing} of {total} tests fail. Find what is wrong in the "
        "code and repair it without breaking what works; the tests themselves are right."
    )
