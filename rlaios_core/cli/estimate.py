"""How long is left: phases with weights, corrected by what finished phases really took."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Phase:
    """One part of the work. `weight` is its expected cost against other kinds, in any unit.

    Stages that report inside it cover the `spans` given for them (parts of 0 to 1); a phase without
    spans is made of `passes` equal passes.
    """

    name: str
    kind: str
    weight: float
    passes: int = 1
    spans: Mapping[str, tuple[float, float]] = field(default_factory=dict)


class Estimate:
    """Learns from each finished phase: a kind that was seen costs what it cost, others go by weight."""

    def __init__(self, phases: Sequence[Phase], clock: Callable[[], float]) -> None:
        self._waiting = list(phases)
        self._clock = clock
        self._spent: dict[str, list[float]] = {}
        self._finished_weight = 0.0
        self._finished_seconds = 0.0
        self._current: Phase | None = None
        self._started = clock()
        self._fraction = 0.0
        self._passes = 0
        self._pass_share = 0.0

    def begin(self, name: str) -> None:
        """The phase called `name` starts now; a phase that was not planned for is added."""
        self._current = next((phase for phase in self._waiting if phase.name == name), None)
        if self._current is None:
            self._current = Phase(name, name, 0.0)
        else:
            self._waiting.remove(self._current)
        self._started = self._clock()
        self._fraction, self._passes, self._pass_share = 0.0, 0, 0.0

    def advance(self, stage: str, done: int, total: int) -> None:
        """One stage of the current phase says how far it is. What is done never grows less."""
        if self._current is None or total <= 0:
            return
        share = min(1.0, done / total)
        if share < self._pass_share:
            self._passes += 1
        self._pass_share = share
        if stage in self._current.spans:
            start, end = self._current.spans[stage]
            fraction = start + (end - start) * share
        else:
            fraction = (self._passes + share) / self._current.passes
        self._fraction = max(self._fraction, min(1.0, fraction))

    def end(self) -> None:
        """The current phase is done."""
        if self._current is not None:
            seconds = self._clock() - self._started
            self._spent.setdefault(self._current.kind, []).append(seconds)
            self._finished_weight += self._current.weight
            self._finished_seconds += seconds
        self._current = None

    def done_share(self) -> float:
        """The finished share of all weight, 0 to 1."""
        left = sum(phase.weight for phase in self._waiting)
        current = self._current.weight if self._current else 0.0
        total = left + current + self._finished_weight
        return (self._finished_weight + current * self._fraction) / total if total else 0.0

    def seconds_left(self) -> float | None:
        """Seconds to the end, or None while there is nothing to judge by."""
        pace = self._pace()
        if pace is None:
            return None
        left = sum(self._cost(phase, pace) for phase in self._waiting)
        if self._current is not None:
            elapsed = self._clock() - self._started
            expected = self._cost(self._current, pace)
            if self._fraction > 0.2 and self._current.kind not in self._spent:
                expected = elapsed / self._fraction
            left += max(0.0, expected - elapsed)
        return left

    def _pace(self) -> float | None:
        """Seconds per unit of weight so far, the running phase included once it says how far it is."""
        weight, seconds = self._finished_weight, self._finished_seconds
        if self._current is not None and self._fraction > 0.1:
            weight += self._current.weight * self._fraction
            seconds += self._clock() - self._started
        return seconds / weight if weight > 0 else None

    def _cost(self, phase: Phase, pace: float) -> float:
        seen = self._spent.get(phase.kind)
        return sum(seen) / len(seen) if seen else phase.weight * pace
