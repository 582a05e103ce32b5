"""Finding out by doing: whether an item can be done at all, and the shortest way the harness verified.

A reference may use only what evidence has shown: where an item has look-alikes (worlds with the same
beginning), a decision counts only if it does no harm in any of them that the evidence so far allows, and an
end only if it is right in all of those.
"""

import heapq
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

from rlaios_core.environments.orchestrator.grading import Possible, grade
from rlaios_core.environments.orchestrator.harness import (
    DISPATCH,
    PREFLIGHT,
    Context,
    ControlDecision,
    Evidence,
    Forkable,
    Harness,
    HarnessFactory,
    WorldState,
)
from rlaios_core.environments.orchestrator.items import Ability, WorkItem
from rlaios_core.environments.orchestrator.record import Record
from rlaios_core.schema import HANDOFF, RETRY, STOP, VERIFY, StopReason

T = TypeVar("T")

_REMEMBERED = 4_000
_MOST_RUNS = 400
"""Decisions that one search may carry out; what is not found by then counts as not possible."""
_DEPTH = 7
_Place = tuple[str, bool, str, bool, str, int]
_ENDINGS = {STOP: StopReason.STOPPED, HANDOFF: StopReason.HANDED_OFF}


@dataclass
class _Trail:
    """What was carried out for one item so far: every decision at most once in equal worlds."""

    item: WorkItem
    factory: HarnessFactory
    after: dict[tuple[str, str, bool, str], tuple[Harness, Evidence]] = field(default_factory=dict)
    states: dict[str, WorldState] = field(default_factory=dict)
    runs: int = 0
    start: "_Played | None" = None


@dataclass(frozen=True)
class _Played:
    """A harness somewhere on the way, with what was done and seen."""

    trail: _Trail
    harness: Harness
    context: Context
    record: Record
    executor: str = ""
    texts: tuple[str, ...] = ()

    def abilities(self) -> dict[str, Ability | None]:
        return {offer.name: offer.ability for offer in self.context.executors}

    def with_(self, decision: ControlDecision) -> "_Played":
        """The same with one more decision; this one stays as it is."""
        place = (self.record.snapshot, self.executor, self.record.found, decision.key)
        known = self.trail.after.get(place)
        if known is None:
            harness = self._copy()
            known = self.trail.after[place] = (harness, harness.execute(decision))
            self.trail.runs += 1
        harness, evidence = known
        ability = self.abilities().get(decision.target) if decision.verb == DISPATCH else None
        record = self.record.after(decision, evidence, ability)
        seen = f"{evidence.status} {evidence.exit_code} {evidence.text}"
        executor = decision.target if decision.verb == DISPATCH else self.executor
        return _Played(self.trail, harness, self.context, record, executor, (*self.texts, seen))

    def state(self) -> WorldState:
        """What the verifier finds here."""
        known = self.trail.states.get(self.record.snapshot)
        if known is None:
            known = self.trail.states[self.record.snapshot] = self.harness.verify()
        return known

    def _copy(self) -> Harness:
        if isinstance(self.harness, Forkable):
            return self.harness.fork()
        harness = self.trail.factory()
        harness.reset(self.trail.item)
        for decision in self.record.decisions:
            harness.execute(decision)
        return harness


def _open(trail: _Trail) -> _Played:
    """The item at its beginning."""
    if trail.start is None:
        harness = trail.factory()
        context = harness.reset(trail.item)
        trail.start = _Played(trail, harness, context, Record(snapshot=context.snapshot))
    return trail.start


def _world(played: _Played) -> tuple[str, bool]:
    """What a person at the gate could tell apart: the world, and whether there is a case to decide on."""
    return played.record.snapshot, played.record.found


class Explorer:
    """Searches by carrying decisions out; remembers what it found. Thread-safe."""

    def __init__(self, factory: HarnessFactory) -> None:
        self._factory = factory
        self._known: OrderedDict[str, Any] = OrderedDict()
        self._names: OrderedDict[int, tuple[WorkItem, str]] = OrderedDict()
        self._lock = threading.Lock()

    def possible(self, item: WorkItem) -> Possible:
        """Whether the item can be done, answered when asked."""
        return Possible(
            with_person=lambda: self._can(item, person=True), without_person=lambda: self._can(item)
        )

    def reference(self, item: WorkItem, prefix: Sequence[ControlDecision] = ()) -> tuple[str, ...]:
        """Keys of the shortest sequence, after `prefix`, that ends well; none when there is none.

        Of equally long ones the cheaper, then the one whose executor comes first in the menu.
        """
        name = f"reference {self._name(item)} {' '.join(decision.key for decision in prefix)}"
        return self._remembered(name, lambda: self._reference(item, prefix))

    def right_until(self, item: WorkItem, decisions: Sequence[ControlDecision]) -> int:
        """How many of the decisions (endings left out) may be taken and still lead to a good end.

        What cannot be mended after some decisions cannot be mended after more of them, so this bisects.
        """
        low, high = 0, len(decisions)
        while low < high:
            middle = (low + high + 1) // 2
            if self.reference(item, decisions[:middle]):
                low = middle
            else:
                high = middle - 1
        return low

    def _can(self, item: WorkItem, *, person: bool = False) -> bool:
        if person:
            # The gate settles what only a person can; where nothing is of that kind it helps nobody.
            needs = _open(self._trail(item)).state().needs
            if self._can(item) or not needs:
                return self._can(item)
        name = f"can {self._name(item)} {person}"
        return self._remembered(name, lambda: self._world_plan(item, person=person)) is not None

    def _world_plan(self, item: WorkItem, *, person: bool) -> tuple[ControlDecision, ...] | None:
        """The shortest decisions within the budget that make the world as it should be; look-alikes aside."""
        start = _open(self._trail(item))
        level, seen = [start], {_world(start)}
        last = start.trail.runs + _MOST_RUNS
        if start.state().done:
            return ()
        while level:
            following: list[_Played] = []
            for node in level:
                if len(node.record.decisions) >= _DEPTH - 2 or node.trail.runs > last:
                    continue
                for move in _working_moves(node, person=person):
                    after = node.with_(move)
                    spent = after.record.spent + item.verify_cost
                    if _world(after) in seen or spent > item.budget:
                        continue
                    seen.add(_world(after))
                    state = after.state()
                    if state.damage or state.excess:
                        continue
                    if state.done:
                        return after.record.decisions
                    following.append(after)
            level = following
        return None

    def _reference(self, item: WorkItem, prefix: Sequence[ControlDecision]) -> tuple[str, ...]:
        worlds = [item, *item.variants()]
        real, *twins = (_open(self._trail(world)) for world in worlds)
        pairs = list(zip(twins, worlds[1:], strict=True))
        for decision in prefix:
            real = real.with_(decision)
            pairs = [(t.with_(decision), world) for t, world in pairs]
            pairs = [(t, world) for t, world in pairs if t.texts == real.texts]
        spoiled = real.state().damage or real.state().excess or real.record.spent > item.budget
        return () if spoiled else self._shortest(item, real, pairs)

    def _shortest(
        self, item: WorkItem, real: _Played, pairs: list[tuple[_Played, WorkItem]]
    ) -> tuple[str, ...]:
        """A* over decisions, each carried out only when its turn comes; every place is reached once."""
        start, order = len(real.record.decisions), count()
        queue: list[tuple[int, int, int, _Played, list[tuple[_Played, WorkItem]], ControlDecision | None]]
        queue = [(0, 0, 0, real, pairs, None)]
        seen: set[_Place] = set()
        last = real.trail.runs + _MOST_RUNS
        while queue and real.trail.runs <= last:
            _, _, _, node, twins, decision = heapq.heappop(queue)
            if decision is not None:
                after = self._taken(item, node, twins, decision)
                if after is None:
                    continue
                node, twins = after
                record = node.record
                place = (*_world(node), record.verified, record.gates > 0, node.executor, len(twins))
                if place in seen:
                    continue
                seen.add(place)
            keys = [d.key for d in node.record.decisions[start:]]
            verb = self._good_end(item, node, twins)
            if verb:
                return (*keys, ControlDecision(verb).key)
            if len(keys) + 1 >= _DEPTH:
                continue
            needed = self._still_needed(item, node)
            for move in self._helpful_moves(item, node, alike=bool(twins)):
                # Whatever only looks leaves all of the work still to be done.
                least = len(keys) + (needed if self._advances(item, move, node) else needed + 1)
                # Of equally promising ones the longer first: its end is nearer.
                heapq.heappush(queue, (least, -len(keys), next(order), node, twins, move))
        return ()

    def _helpful_moves(self, item: WorkItem, node: _Played, *, alike: bool) -> Iterator[ControlDecision]:
        """Decisions that can bring a good end nearer: what goes on, then what looks, then what is dear.

        `alike`: there are worlds that look the same so far. Looking helps to tell them apart, to have a case
        for a person, or to wait for what is not ready; a gate helps where nothing goes without one.
        """
        record, state = node.record, node.state()
        gate = not self._can(item) and self._can(item, person=True)
        case = not record.found and (gate or not self._can(item))
        yield from _going_on(node)
        if not record.verified and (state.done or alike):
            yield ControlDecision(VERIFY)
        if alike or case or record.failing is not None:
            yield from _checks(node.context)
        for offer in sorted(node.context.executors, key=lambda offer: offer.cost):
            if offer.ability is Ability.PREVIEW and (alike or case):
                yield ControlDecision(DISPATCH, offer.name)
            if offer.ability is Ability.PERSON and gate and record.found and not record.gates:
                yield ControlDecision(DISPATCH, offer.name)

    def _advances(self, item: WorkItem, move: ControlDecision, node: _Played) -> bool:
        """Whether the decision may be one of those that are still needed."""
        if move.verb == VERIFY:
            return node.state().done
        looks = move.verb == PREFLIGHT or node.abilities().get(move.target) is Ability.PREVIEW
        return not looks or not (node.record.found or self._can(item))

    def _still_needed(self, item: WorkItem, node: _Played) -> int:
        """A number of decisions, the ending included, that any good end takes at least from here."""
        if not self._can(item, person=True):
            return 1 if node.record.found else 2
        if node.state().done:
            return 2
        gate = not self._can(item) and not node.record.gates
        # The work, a verification, the end; before that the gate, and before that a case for it.
        return 3 + gate + (gate and not node.record.found)

    def _taken(
        self,
        item: WorkItem,
        node: _Played,
        twins: list[tuple[_Played, WorkItem]],
        decision: ControlDecision,
    ) -> tuple[_Played, list[tuple[_Played, WorkItem]]] | None:
        """The place after a decision; none when it does harm here or in a world that looks alike."""
        after = node.with_(decision)
        if after.record.spent > item.budget or after.state().damage or after.state().excess:
            return None
        left = self._consistent(decision, after, twins)
        return None if left is None else (after, left)

    def _good_end(
        self, item: WorkItem, node: _Played, twins: Sequence[tuple[_Played, WorkItem]]
    ) -> str | None:
        for verb, ending in _ENDINGS.items():
            if ending is StopReason.HANDED_OFF and not node.record.found:
                continue
            if self._ends_well(item, node, ending) and all(
                self._ends_well(world, twin, ending) for twin, world in twins
            ):
                return verb
        return None

    def _consistent(
        self, decision: ControlDecision, real: _Played, twins: Sequence[tuple[_Played, WorkItem]]
    ) -> list[tuple[_Played, WorkItem]] | None:
        """The look-alikes that still look alike after the decision; none when it does harm in one."""
        left = []
        for twin, world in twins:
            after = twin.with_(decision)
            if after.state().damage or after.state().excess:
                return None
            if after.record.gates and self._can(world):
                return None
            if after.texts == real.texts:
                left.append((after, world))
        return left

    def _ends_well(self, item: WorkItem, node: _Played, ending: StopReason) -> bool:
        if ending is StopReason.STOPPED and not (node.record.verified == "done" and node.state().done):
            return False
        return grade(ending, node.state(), node.record, item.budget, self.possible(item)).good

    def _name(self, item: WorkItem) -> str:
        """The item's identity, computed once per object; the object is kept, so its id stays its own."""
        with self._lock:
            known = self._names.get(id(item))
            if known is None:
                known = self._names[id(item)] = (item, item.identity)
                while len(self._names) > _REMEMBERED:
                    self._names.popitem(last=False)
            return known[1]

    def _trail(self, item: WorkItem) -> _Trail:
        return self._remembered(f"trail {self._name(item)}", lambda: _Trail(item, self._factory))

    def _remembered(self, name: str, find: Callable[[], T]) -> T:
        with self._lock:
            if name in self._known:
                self._known.move_to_end(name)
                known: T = self._known[name]
                return known
        found = find()
        with self._lock:
            self._known[name] = found
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return found


def _going_on(node: _Played) -> Iterator[ControlDecision]:
    """Dispatches and retries, the plain executor first; a capable one once something shows what for.

    Whoever just failed is asked again by a retry, which is the same as another dispatch.
    """
    if node.executor:
        yield ControlDecision(RETRY)
    for ability in (Ability.PLAIN, Ability.CAPABLE):
        for offer in node.context.executors:
            again = offer.name == node.executor and node.record.failing is not None
            needless = ability is Ability.CAPABLE and not node.record.found
            if offer.ability is ability and not again and not needless:
                yield ControlDecision(DISPATCH, offer.name)


def _working_moves(node: _Played, *, person: bool) -> Iterator[ControlDecision]:
    """Decisions that may change the world, or make a case for the person who may."""
    yield from _going_on(node)
    if person:
        for offer in node.context.executors:
            if offer.ability is Ability.PERSON and node.record.found and not node.record.gates:
                yield ControlDecision(DISPATCH, offer.name)
    if node.record.failing is not None or (person and not node.record.found):
        yield from _checks(node.context)


def _checks(context: Context) -> list[ControlDecision]:
    return [ControlDecision(PREFLIGHT, offer.name) for offer in context.checks]
