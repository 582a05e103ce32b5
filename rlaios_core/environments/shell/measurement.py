"""Measuring trees: visible tests for the student, hidden ones too for the grade; equal trees once."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Protocol

from rlaios_core.environments.base import EnvironmentFault
from rlaios_core.environments.sandbox import SandboxError
from rlaios_core.environments.shell.bugs import ShellTask
from rlaios_core.environments.shell.grading import Grade, GradeReason, grade, merge
from rlaios_core.environments.shell.session import Session
from rlaios_core.environments.shell.trees import tree_hash
from rlaios_core.environments.shell.verification import VerificationResult
from rlaios_core.schema import FaultBoundary

_REMEMBERED = 5_000


class Verifier(Protocol):
    """What runs tests on files; `VerificationPool` is one."""

    def verify(
        self, files: Mapping[str, str], tests: Mapping[str, str], *, wall_seconds: float | None = None
    ) -> VerificationResult:
        """Outcomes of these tests on these files."""
        ...


class Measurements:
    """Runs tests through a verifier and remembers what equal trees gave.

    A task is admitted only when its outcomes reproduce, so running the same tests on the same tree
    again would only spend time. Thread-safe.
    """

    def __init__(self, verifier: Verifier, wall_seconds: float) -> None:
        self._verifier = verifier
        self._wall_seconds = wall_seconds
        self._known: OrderedDict[tuple[str, str], VerificationResult] = OrderedDict()
        self._lock = threading.Lock()
        self.runs = 0
        self.repeats = 0

    def visible(self, task: ShellTask, files: Mapping[str, str]) -> VerificationResult:
        """The visible tests on these files. Raises `EnvironmentFault` when they could not be run."""
        return self._run(files, task.tests)

    def final(self, task: ShellTask, session: Session) -> Grade:
        """The grade that decides the reward: visible and hidden tests on the tree as it stands."""
        if not session.patches:
            still = tuple(node for node, outcome in task.baseline.items() if outcome != "passed")
            return Grade(GradeReason.UNCHANGED, still_failing=still)
        visible = session.verified_grade
        if visible is None:
            visible = grade(task.baseline, self._run(session.files, task.tests))
        if visible.reward < 0:
            return visible
        return merge(visible, grade(task.hidden_baseline, self._run(session.files, task.hidden)))

    def _run(self, files: Mapping[str, str], tests: Mapping[str, str]) -> VerificationResult:
        key = (tree_hash(files), tree_hash(tests))
        with self._lock:
            if key in self._known:
                self.repeats += 1
                self._known.move_to_end(key)
                return self._known[key]
        try:
            result = self._verifier.verify(files, tests, wall_seconds=self._wall_seconds)
        except SandboxError as error:
            raise EnvironmentFault(FaultBoundary.SANDBOX, str(error)) from error
        with self._lock:
            self.runs += 1
            self._known[key] = result
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return result
