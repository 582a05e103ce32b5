"""The harness kit: does anyone's orchestrator keep the harness protocol? For the author of a harness.

`check_harness(factory, item)` really carries out the item's menu; each check has a name and a one-line
finding.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rlaios_core.environments.conformance import Finding, ViolationError
from rlaios_core.environments.orchestrator.harness import (
    DISPATCH,
    PREFLIGHT,
    ControlDecision,
    Evidence,
    Forkable,
    Harness,
    HarnessFactory,
)
from rlaios_core.environments.orchestrator.items import Ability, WorkItem
from rlaios_core.schema import RETRY, VERIFY

MAX_TEXT = 2_000
"""Characters of evidence that a harness may hand over."""


def check_harness(factory: HarnessFactory, item: WorkItem) -> list[Finding]:
    """Run every check; harnesses are made by `factory` and closed again."""
    return [_run(name, check, factory, item) for name, check in CHECKS]


Check = Callable[[HarnessFactory, WorkItem], str]


def _run(name: str, check: Check, factory: HarnessFactory, item: WorkItem) -> Finding:
    try:
        return Finding(check=name, passed=True, detail=check(factory, item))
    except ViolationError as violation:
        return Finding(check=name, passed=False, detail=str(violation))
    except Exception as error:  # noqa: BLE001 - whatever a harness raises is a finding about it
        text = " ".join(str(error).split())
        return Finding(check=name, passed=False, detail=f"{type(error).__name__}: {text}"[:300])


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise ViolationError(otherwise)


def menu(item: WorkItem) -> list[ControlDecision]:
    """Every decision the item offers that a harness carries out, what only looks first."""
    looks = [ControlDecision(PREFLIGHT, check.name) for check in item.checks]
    works = [ControlDecision(DISPATCH, executor.name) for executor in item.executors]
    return [*looks, ControlDecision(VERIFY), *works, ControlDecision(RETRY), ControlDecision(VERIFY)]


def _context_is_whole(factory: HarnessFactory, item: WorkItem) -> str:
    harness = factory()
    context = harness.reset(item)
    harness.close()
    _require(bool(context.instruction), "reset gives no instruction")
    _require(context.budget > 0 and math.isfinite(context.budget), f"a budget of {context.budget}")
    names = [offer.name for offer in context.executors]
    _require(names == [executor.name for executor in item.executors], f"another menu of executors: {names}")
    names = [offer.name for offer in context.checks]
    _require(names == [check.name for check in item.checks], f"another menu of checks: {names}")
    return f"{len(context.lines)} lines, {len(context.executors)} executors, {len(context.checks)} checks"


def _evidence_is_bounded(factory: HarnessFactory, item: WorkItem) -> str:
    found = _played(factory, item)
    for decision, evidence in found:
        what = f"{decision.verb} {decision.target}".strip()
        _require(len(evidence.text) <= MAX_TEXT, f"{what}: {len(evidence.text)} characters of evidence")
        _require(math.isfinite(evidence.cost) and evidence.cost >= 0, f"{what}: a cost of {evidence.cost}")
        _require(bool(evidence.snapshot), f"{what}: no snapshot")
        wrong = [name for name, value in evidence.signals.items() if not math.isfinite(value)]
        _require(not wrong, f"{what}: {wrong} is not finite")
    return f"{len(found)} decisions carried out"


def _equal_runs_are_equal(factory: HarnessFactory, item: WorkItem) -> str:
    for (decision, one), (_, other) in zip(_played(factory, item), _played(factory, item), strict=True):
        same = replace(one, seconds=0.0) == replace(other, seconds=0.0)
        _require(same, f"{decision.verb} {decision.target}: other evidence the second time")
    return "equal decisions show equal evidence"


def _looking_changes_nothing(factory: HarnessFactory, item: WorkItem) -> str:
    previews = [e.name for e in item.executors if e.ability is Ability.PREVIEW]
    looks = [ControlDecision(VERIFY), *(ControlDecision(DISPATCH, name) for name in previews)]
    harness = factory()
    harness.reset(item)
    before, start = harness.verify(), harness.execute(ControlDecision(VERIFY)).snapshot
    for decision in looks:
        evidence = harness.execute(decision)
        _require(evidence.snapshot == start, f"{decision.verb} {decision.target} changes the world")
    _require(harness.verify() == before == harness.verify(), "verify gives another state the second time")
    harness.close()
    return f"verify and {', '.join(previews) or 'no preview'} leave the world alone"


def _reset_is_fresh(factory: HarnessFactory, item: WorkItem) -> str:
    harness = factory()
    first = harness.reset(item)
    state = harness.verify()
    for decision in menu(item):
        harness.execute(decision)
    again = harness.reset(item)
    _require(again == first and harness.verify() == state, "something of the last item is left after reset")
    harness.close()
    return "work is gone after reset"


def _nonsense_is_refused(factory: HarnessFactory, item: WorkItem) -> str:
    cases: list[tuple[str, Callable[[Harness], object]]] = [
        ("execute before reset", lambda h: h.execute(ControlDecision(VERIFY))),
        ("verify before reset", lambda h: h.verify()),
    ]
    for what, call in cases:
        _refused(factory(), what, call)
    for decision in (
        ControlDecision(DISPATCH, "nobody"),
        ControlDecision(PREFLIGHT, "nothing"),
        ControlDecision("fly"),
    ):
        harness = factory()
        harness.reset(item)
        _refused(harness, f"{decision.verb} {decision.target}", partial(_execute, decision))
    return "what is not on the menu is an error, not evidence"


def _execute(decision: ControlDecision, harness: Harness) -> object:
    return harness.execute(decision)


def _refused(harness: Harness, what: str, call: Callable[[Harness], object]) -> None:
    try:
        call(harness)
    except Exception:  # noqa: BLE001 - which one is the author's choice
        return
    finally:
        harness.close()
    raise ViolationError(f"{what} is accepted")


def _closing_is_final(factory: HarnessFactory, item: WorkItem) -> str:
    harness = factory()
    harness.reset(item)
    harness.close()
    harness.close()
    return "close may be called twice"


def _forks_are_apart(factory: HarnessFactory, item: WorkItem) -> str:
    harness = factory()
    harness.reset(item)
    if not isinstance(harness, Forkable):
        harness.close()
        return "it cannot be forked, which is allowed"
    before = harness.execute(ControlDecision(VERIFY)).snapshot
    other = harness.fork()
    for executor in item.executors:
        other.execute(ControlDecision(DISPATCH, executor.name))
    _require(harness.execute(ControlDecision(VERIFY)).snapshot == before, "a fork changes what it came from")
    harness.close()
    return "a fork leaves its origin alone"


def _played(factory: HarnessFactory, item: WorkItem) -> list[tuple[ControlDecision, Evidence]]:
    harness = factory()
    harness.reset(item)
    found = [(decision, harness.execute(decision)) for decision in menu(item)]
    harness.close()
    return found


CHECKS: tuple[tuple[str, Check], ...] = (
    ("context is whole", _context_is_whole),
    ("evidence is bounded", _evidence_is_bounded),
    ("equal runs are equal", _equal_runs_are_equal),
    ("looking changes nothing", _looking_changes_nothing),
    ("reset is fresh", _reset_is_fresh),
    ("nonsense is refused", _nonsense_is_refused),
    ("closing is final", _closing_is_final),
    ("forks are apart", _forks_are_apart),
)
"""Every check by name, in the order they run."""
