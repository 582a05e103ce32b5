"""What a sub-agent does about failing tests: a whole repair session of the shell environment.

The repairer is any policy that plays shell episodes: the scripted one (most suspicious line first), or a
trained student. It sees the code and what the tests say, patches, and runs the tests in the shell
environment's own isolation.
"""

import threading
from collections import OrderedDict
from collections.abc import Mapping

from rlaios_core.environments.shell.baselines import ScriptedRepairer, ochiai_then_prior
from rlaios_core.environments.shell.bugs import FailingReport, ShellTask
from rlaios_core.environments.shell.candidates import TaskCandidates
from rlaios_core.environments.shell.repair import anchored, coverage, ochiai
from rlaios_core.environments.shell.session import Budgets, Session
from rlaios_core.environments.shell.verification import TestOutcome, VerificationPool, VerificationResult
from rlaios_core.schema import Policy, Split, content_hash, derive_seed

BUDGETS = Budgets(steps=24, verifications=8, candidates=96, patches=1)
"""How much one repair may use."""
_WALL_SECONDS = 3.0
_REMEMBERED = 2_000


class Repairer:
    """Repairs small projects; thread-safe. The test servers start with the first repair."""

    def __init__(self, policy: Policy | None = None, workers: int = 1) -> None:
        self._policy = policy or ScriptedRepairer(ochiai_then_prior)
        self._workers = workers
        self._pool: VerificationPool | None = None
        self._known: OrderedDict[str, dict[str, str] | None] = OrderedDict()
        self._lock = threading.Lock()

    def repair(
        self, sources: Mapping[str, str], tests: Mapping[str, str], others: Mapping[str, str]
    ) -> dict[str, str] | None:
        """The sources with all tests passing, `None` when none of the tried patches gets there.

        `others` are files beside them that may not be changed. Equal projects are repaired once: the tests
        run in a world of their own, so the same patches would be tried with the same results. Raises
        `SandboxError` when the sandbox failed.
        """
        key = content_hash([dict(sources), dict(tests), dict(others)])
        with self._lock:
            if key in self._known:
                return self._known[key]
        found = self._play(sources, tests, others)
        with self._lock:
            self._known[key] = found
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found

    def _play(
        self, sources: Mapping[str, str], tests: Mapping[str, str], others: Mapping[str, str]
    ) -> dict[str, str] | None:
        def verify(files: Mapping[str, str], *, trace: bool = False) -> VerificationResult:
            return self._servers().verify({**others, **files}, tests, trace=trace, wall_seconds=_WALL_SECONDS)

        first = verify(sources, trace=True)
        if first.crashed or first.timed_out or first.collection_errors or not first.reports:
            return None
        task = _task(sources, tests, first)
        if not task.failing or not task.suspicion:
            return None
        session = Session(task, BUDGETS, TaskCandidates(task, BUDGETS.candidates), verify)
        while session.stop_reason is None:
            observation = session.observe()
            seed = derive_seed(task.content_hash, observation.steps_left)
            decision = self._policy.act([observation], [seed])[0]
            session.take(observation.actions[decision.chosen])
        grade = session.verified_grade
        return session.files if grade is not None and grade.reward >= 1.0 else None

    def _servers(self) -> VerificationPool:
        with self._lock:
            if self._pool is None:
                self._pool = VerificationPool(self._workers)
            return self._pool

    def close(self) -> None:
        """End the test servers."""
        with self._lock:
            if self._pool is not None:
                self._pool.close()
                self._pool = None


def _task(sources: Mapping[str, str], tests: Mapping[str, str], first: VerificationResult) -> ShellTask:
    """The failing project as a shell task; nothing is known of its repair."""
    failed = {node: report.outcome is not TestOutcome.PASSED for node, report in first.reports.items()}
    lines = anchored(first.lines or {}, sources)
    suspicion: dict[str, dict[int, float]] = {}
    covered: dict[str, dict[int, tuple[int, int]]] = {}
    counts = coverage(failed, lines)
    for (path, line), score in ochiai(failed, lines).items():
        # Lines of other files are not known to `anchored`, so only the sources are suspected.
        suspicion.setdefault(path, {})[line] = score
        covered.setdefault(path, {})[line] = counts[path, line]
    return ShellTask(
        project="work item",
        split=Split.TRAIN,
        seed=0,
        index=0,
        variant_seed=0,
        family="repair",
        instruction="Some tests fail. Repair the code; the tests are right.",
        files=dict(sources),
        tests=dict(tests),
        hidden={},
        baseline={node: str(report.outcome) for node, report in sorted(first.reports.items())},
        hidden_baseline={},
        failing=tuple(
            FailingReport(
                node_id=node,
                exception=report.exception,
                message=report.message,
                expected=report.expected,
                actual=report.actual,
                frames=report.frames,
            )
            for node, report in sorted(first.reports.items())
            if report.outcome is not TestOutcome.PASSED
        ),
        suspicion=suspicion,
        covered=covered,
        bugs=(),
        reference=(),
        level=str(first.level),
    )
