"""The default harness: work items carried out as real processes in the sandbox.

The world is data between decisions (files and the service's state), so a decision can be carried out by any
server, again after a server died, or on a copy; equal worlds and decisions give equal results.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from rlaios_core.environments.orchestrator.harness import (
    DISPATCH,
    PREFLIGHT,
    Context,
    ControlDecision,
    Evidence,
    HarnessError,
    Offer,
    WorldState,
)
from rlaios_core.environments.orchestrator.items import Ability, Executor, Job, WorkItem
from rlaios_core.environments.orchestrator.record import telling
from rlaios_core.environments.orchestrator.repairing import Repairer
from rlaios_core.environments.orchestrator.reporting import changes, evidence_text, finding, signals
from rlaios_core.environments.orchestrator.work.client import Program, Ran, Work, WorkPool, World
from rlaios_core.environments.orchestrator.worlds import world_files
from rlaios_core.environments.sandbox import SandboxError
from rlaios_core.schema import RETRY, VERIFY, StepStatus

_NOT_PERMITTED, _CANNOT_CREATE = 77, 73
_REMEDIES: Mapping[int, str] = {_NOT_PERMITTED: "renew", _CANNOT_CREATE: "tidy"}
"""What a capable executor tries, by the exit code of the job that failed."""
_TESTS = "unittest"
_SECRET_LENGTH = 16
_VERIFIER_SECONDS = 60.0
"""Bound of the verifier, whose lateness would say nothing about the world."""


@dataclass(frozen=True)
class _State:
    """Where an item stands; replaced, never changed."""

    item: WorkItem
    world: World
    completed: frozenset[str] = frozenset()
    executor: str = ""
    """Who was dispatched to last."""
    case: bool = False
    """Whether anything was seen that a person could decide on."""


class ProcessHarness:
    """One work item at a time, on a shared pool of work servers."""

    def __init__(self, pool: WorkPool, repairer: Repairer) -> None:
        self._pool = pool
        self._repairer = repairer
        self._state: _State | None = None
        self._judged: tuple[str, WorldState] | None = None

    def reset(self, task: WorkItem) -> Context:
        """A fresh world for the item."""
        service = None if task.service is None else json.loads(json.dumps(task.service))
        self._state = _State(task, World(world_files(task), service))
        self._judged = None
        return Context(
            instruction=task.instruction,
            lines=task.intake,
            executors=tuple(Offer(e.name, e.cost, e.ability) for e in task.executors),
            checks=tuple(Offer(check.name, check.cost) for check in task.checks),
            budget=task.budget,
            verify_cost=task.verify_cost,
            snapshot=self.snapshot(),
        )

    def execute(self, decision: ControlDecision) -> Evidence:
        """Carry the decision out. Raises `HarnessError` when the sandbox failed."""
        started = time.monotonic()
        handlers: Mapping[str, Callable[[str], Evidence]] = {
            DISPATCH: self._dispatch,
            PREFLIGHT: self._preflight,
            RETRY: lambda _: self._retry(),
            VERIFY: lambda _: self._verified(),
        }
        if decision.verb not in handlers:
            raise HarnessError(f"{decision.verb!r} is not carried out by a harness")
        evidence = handlers[decision.verb](decision.target)
        state = self._opened()
        self._state = replace(state, case=state.case or telling(decision.verb, evidence))
        return replace(evidence, seconds=time.monotonic() - started, snapshot=self.snapshot())

    def verify(self) -> WorldState:
        """What the verifier's own process finds. Raises `HarnessError` when it could not look."""
        return self._judge()

    def close(self) -> None:
        """Forget the world; the servers are the pool's."""
        self._state = None

    def fork(self) -> Self:
        """A harness with the same world; what either does then is its own."""
        other = type(self)(self._pool, self._repairer)
        other._state, other._judged = self._state, self._judged
        return other

    def snapshot(self) -> str:
        """Hash of everything that decisions can change."""
        state = self._opened()
        digest = hashlib.sha256()
        for path, content in state.world.files.items():
            digest.update(f"{path}\0{len(content)}\0".encode())
            digest.update(content)
        rest = [state.world.service, sorted(state.completed)]
        digest.update(json.dumps(rest, sort_keys=True).encode())
        return digest.hexdigest()[:16]

    def _opened(self) -> _State:
        if self._state is None:
            raise HarnessError("no work item is open: call reset first")
        return self._state

    def _dispatch(self, target: str) -> Evidence:
        item = self._opened().item
        executor = next((e for e in item.executors if e.name == target), None)
        if executor is None:
            raise HarnessError(f"there is no executor called {target!r}")
        if executor.ability is Ability.PREVIEW:
            return self._preview(executor)
        if executor.ability is Ability.PERSON:
            return self._person(executor)
        self._state = replace(self._opened(), executor=target)
        return self._work(executor, self._pending())

    def _retry(self) -> Evidence:
        """What failed once more, by the same executor; without a failure the last job again."""
        state = self._opened()
        executor = next((e for e in state.item.executors if e.name == state.executor), None)
        if executor is None:
            return Evidence(StepStatus.REJECTED, "nothing was dispatched yet")
        ordered = state.item.ordered_jobs()
        left = [job for job in ordered if job.name not in state.completed]
        return self._work(executor, left or ordered[-1:])

    def _pending(self) -> Sequence[Job]:
        state = self._opened()
        ordered = state.item.ordered_jobs()
        return [job for job in ordered if job.name not in state.completed] or ordered

    def _work(self, executor: Executor, jobs: Sequence[Job]) -> Evidence:
        ran = list(self._run_jobs(executor, jobs))
        if executor.ability is Ability.CAPABLE:
            ran += self._mend(executor, ran)
        return self._evidence(executor.cost, ran)

    def _run_jobs(self, executor: Executor, jobs: Sequence[Job]) -> tuple[Ran, ...]:
        work = self._run([_program(job, executor.environment) for job in jobs])
        state = self._opened()
        good = {ran.name for ran in work.ran if ran.ended_well}
        self._state = replace(state, completed=state.completed | (good if not work.overflow else set()))
        return work.ran

    def _mend(self, executor: Executor, ran: Sequence[Ran]) -> list[Ran]:
        """Remove what stands in the way, each kind of obstacle once, and go on with the jobs."""
        everything: list[Ran] = []
        tried: set[str] = set()
        while ran and not ran[-1].ended_well:
            remedy = self._remedy(ran[-1])
            if not remedy or remedy in tried:
                break
            tried.add(remedy)
            mended = (
                self._repair_tests() if remedy == _TESTS else self._run([Program(remedy, (remedy,))]).ran[0]
            )
            everything.append(mended)
            if not mended.ended_well:
                break
            ran = self._run_jobs(executor, self._pending())
            everything += ran
        return everything

    def _remedy(self, failed: Ran) -> str:
        job = next((job for job in self._opened().item.jobs if job.name == failed.name), None)
        if job is not None and job.run[0] == _TESTS:
            return _TESTS
        return _REMEDIES.get(failed.status, "")

    def _repair_tests(self) -> Ran:
        """Let the repairer at the sources; its work is kept only when all tests pass."""
        state, started = self._opened(), time.monotonic()
        files = state.world.files
        sources = {path: files[path].decode(errors="replace") for path in state.item.source if path in files}
        tests = {
            path: content.decode(errors="replace")
            for path, content in files.items()
            if path.startswith("tests/") and path.endswith(".py")
        }
        others = {
            path: content.decode(errors="replace")
            for path, content in files.items()
            if path.endswith(".py") and path not in sources and path not in tests
        }
        try:
            repaired = self._repairer.repair(sources, tests, others) if sources and tests else None
        except (SandboxError, ValueError) as error:
            raise HarnessError(f"the sub-agent's test servers failed: {error}") from error
        changed = {path: text for path, text in (repaired or {}).items() if sources.get(path) != text}
        if not changed or not changed.keys() <= sources.keys():
            return Ran("repair", 1, "", time.monotonic() - started, "no patch makes all tests pass", 0)
        merged = {**files, **{path: text.encode() for path, text in changed.items()}}
        self._state = replace(state, world=World(merged, state.world.service))
        text = f"patched {', '.join(changed)}: all tests pass"
        return Ran("repair", 0, "", time.monotonic() - started, text, 0)

    def _preview(self, executor: Executor) -> Evidence:
        """Run what is pending on a copy, and tell what was different afterwards."""
        state = self._opened()
        census = Program("census", ("census",), go_on=True)
        jobs = [_program(job, executor.environment) for job in self._pending()]
        jobs[-1] = replace(jobs[-1], go_on=True)
        work = self._ask([census, *jobs, census], keep=False)
        inner = [ran for ran in work.ran if ran.name != "census"]
        evidence = self._evidence(executor.cost, inner)
        if len(work.ran) == len(jobs) + 2 and not any(ran.dropped for ran in (work.ran[0], work.ran[-1])):
            found = changes(work.ran[0].output, work.ran[-1].output, state.item.guards)
            sent = sum(method == "POST" for method, _, _ in work.served)
            text = f"{found.text} requests:{sent} | {evidence.text}"
            return replace(evidence, text=text, signals={**evidence.signals, **found.signals})
        return evidence

    def _person(self, executor: Executor) -> Evidence:
        """Ask the person at the gate, who decides nothing without a case to decide on."""
        state = self._opened()
        if not state.case:
            text = "sent back: nothing shows what is to be decided"
            return Evidence(StepStatus.REJECTED, text, cost=executor.cost)
        open_needs = self._judge().needs
        case = {
            "secret": _secret(state.item),
            "admin": (state.world.service or {}).get("admin", ""),
            "needs": [need.model_dump() for need in state.item.needs if need.id in open_needs],
        }
        work = self._run([Program(executor.name, ("gate",), stdin=json.dumps(case))])
        return self._evidence(executor.cost, work.ran)

    def _preflight(self, target: str) -> Evidence:
        check = next((check for check in self._opened().item.checks if check.name == target), None)
        if check is None:
            raise HarnessError(f"there is no check called {target!r}")
        work = self._run([Program(check.name, check.run)])
        return self._evidence(check.cost, work.ran)

    def _verified(self) -> Evidence:
        found = self._judge()
        return Evidence(
            status=StepStatus.OK,
            text=finding(found),
            exit_code=0 if found.done and not found.damage else 1,
            signals={
                "missing": len(found.missing),
                "excess": len(found.excess),
                "damage": len(found.damage),
            },
            cost=self._opened().item.verify_cost,
        )

    def _judge(self) -> WorldState:
        """What the verifier finds; the same world is looked at once."""
        snapshot = self.snapshot()
        if self._judged is None or self._judged[0] != snapshot:
            self._judged = (snapshot, self._look())
        return self._judged[1]

    def _look(self) -> WorldState:
        state = self._opened()
        case = {
            "expect": [criterion.model_dump() for criterion in state.item.expect],
            "guards": [guard.model_dump() for guard in state.item.guards],
            "needs": [need.model_dump() for need in state.item.needs],
            "secret": _secret(state.item),
            "service": state.world.service,
        }
        tests = [replace(_program(job, {}), go_on=True) for job in state.item.tests]
        programs = [*tests, Program("judge", ("judge",), stdin=json.dumps(case))]
        wall = max(state.item.wall_seconds, _VERIFIER_SECONDS)
        work = self._ask(programs, keep=False, wall_seconds=wall)
        if len(work.ran) != len(programs) or work.ran[-1].stopped:
            raise HarnessError(f"the verifier did not end within {wall:.0f} s")
        try:
            verdict = json.loads(work.ran[-1].output)
        except ValueError as error:
            raise HarnessError(f"the verifier failed: {work.ran[-1].output[-200:]!r}") from error
        failed = tuple(ran.name for ran in work.ran[:-1] if not ran.ended_well)
        return WorldState(
            missing=(*verdict["missing"], *failed),
            excess=tuple(verdict["excess"]),
            damage=tuple(verdict["damage"]),
            needs=tuple(verdict["needs"]),
        )

    def _run(self, programs: Sequence[Program]) -> Work:
        """Run and keep what was changed."""
        work = self._ask(programs, keep=True)
        self._state = replace(self._opened(), world=work.world)
        return work

    def _ask(self, programs: Sequence[Program], *, keep: bool, wall_seconds: float | None = None) -> Work:
        state = self._opened()
        wall = state.item.wall_seconds if wall_seconds is None else wall_seconds
        try:
            return self._pool.run(state.world, programs, keep=keep, wall_seconds=wall)
        except SandboxError as error:
            raise HarnessError(str(error)) from error

    def _evidence(self, cost: float, ran: Sequence[Ran]) -> Evidence:
        last = ran[-1] if ran else None
        if last is None:
            status = StepStatus.OK
        elif last.stopped == "time":
            status = StepStatus.TIMEOUT
        else:
            status = StepStatus.OK if last.ended_well else StepStatus.ERROR
        return Evidence(
            status=status,
            text=evidence_text(ran),
            exit_code=last.status if last else 0,
            signals=signals(ran),
            cost=cost,
        )


def _program(job: Job, environment: Mapping[str, str]) -> Program:
    return Program(job.name, job.run, {**job.environment, **environment})


def _secret(item: WorkItem) -> str:
    """What the gate signs with; no program of the world gets to see it."""
    material: Any = ["gate", item.name, item.order, item.budget]
    return hashlib.sha256(json.dumps(material).encode()).hexdigest()[:_SECRET_LENGTH]
