"""Events applied durably per second, at 100, 1,000 and 100,000 events in history, on both databases.

Each event is a transaction of its own through the store: lease checked, event applied, log, snapshot and
pointer moves written, and on the disk before the next. The histories of a database are measured turn by
turn, so that whatever else the machine does hits all alike. The last line is one JSON object. Run it with
`make bench-events` or `python -m benchmarks.events`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import insert

from rlaios_core.control import ComparisonSettings, tables
from rlaios_core.control import events as e
from rlaios_core.control.control_state_store import ControlStateStore, moves_between
from rlaios_core.control.transitions import apply
from rlaios_core.schema import ComparisonResult, ComparisonStatus, EpochKind, Pointer, RelativeOutcome
from tests.postgres import binaries, running_server

_HISTORIES = (100, 1_000, 100_000)
_EPOCH = 5
"""Events of an epoch."""
_AT_ONCE = 1_000
"""Rows per statement while a history is made."""
_TARGET = 0.8


def campaign_events() -> Iterator[e.Event]:
    """A campaign without end: each epoch is compared as better, learned from and closed."""
    yield e.CampaignOpened(
        campaign="alpha",
        epoch=0,
        checkpoint_id="ck-0",
        environments=("shell",),
        rules=ComparisonSettings(),
        settings_hash="benchmark",
    )
    for epoch in itertools.count(1):
        active, reference = f"ck-{epoch - 1}", f"ck-{epoch - 2}" if epoch > 1 else None
        place = {"campaign": "alpha", "epoch": epoch}
        yield e.EpisodesRecorded(
            **place,
            kind=EpochKind.TRAINING,
            environment="shell",
            active_checkpoint=active,
            reference_checkpoint=reference,
            episodes=40,
            faults=0,
        )
        if reference is not None:
            result = better(epoch, active, reference)
            yield e.ComparisonRecorded(**place, against=Pointer.PRE_UPDATE_REF, result=result)
        batch = f"ba-{epoch}"
        yield e.BatchSealed(**place, batch_id=batch, checkpoint_id=active, episodes=40)
        yield e.UpdateCompleted(**place, batch_id=batch, previous=active, new=f"ck-{epoch}")
        yield e.EpochClosed(**place, kind=EpochKind.TRAINING)


def event_row(event: e.Event, position: int, recorded_at: float) -> dict[str, object]:
    """The event as the store's table has it."""
    return {
        "event_id": event.event_id,
        "campaign": event.campaign,
        "position": position,
        "epoch": event.epoch,
        "type": event.type,
        "payload": event.model_dump_json(by_alias=True),
        "recorded_at": recorded_at,
    }


def better(epoch: int, active: str, reference: str) -> ComparisonResult:
    """A verdict in favour of the active policy."""
    return ComparisonResult(
        campaign="alpha",
        epoch=epoch,
        active_checkpoint=active,
        reference_checkpoint=reference,
        seed=epoch,
        status=ComparisonStatus.COMPLETED,
        relative_outcome=RelativeOutcome.BETTER,
        pairs=40,
        valid_pairs=40,
        better_pairs=12,
        worse_pairs=2,
        mean_difference=0.2,
        interval_low=0.1,
        interval_high=0.3,
        p_worse=0.99,
        p_better=0.01,
    )


@dataclass
class History:
    """A store with events in it, and how long each measured one took."""

    length: int
    store: ControlStateStore
    events: Iterator[e.Event] = field(default_factory=campaign_events)
    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)

    def fill(self) -> None:
        """Write the history's rows at once; the last event goes through the store, which folds them all."""
        moments = itertools.count(1.0, 1e-3)
        state = None
        events, moves = [], []
        for event in itertools.islice(self.events, self.length - 1):
            before, state = state, apply(state, event)
            recorded_at = next(moments)
            events.append(event_row(event, state.position, recorded_at))
            for move in moves_between(before.lineage if before else None, state.lineage, event):
                row = move.model_dump(mode="json", exclude={"parent", "recorded_at"})
                moves.append({**row, "campaign": "alpha", "recorded_at": recorded_at})
        with self.store.writing("alpha") as connection:
            for table, rows in ((tables.events, events), (tables.pointer_moves, moves)):
                for start in range(0, len(rows), _AT_ONCE):
                    connection.execute(insert(table), rows[start : start + _AT_ONCE])
        self.measure(1)

    def measure(self, count: int) -> None:
        """Apply `count` events, each durably and by itself."""
        for event in itertools.islice(self.events, count):
            started, cpu = time.perf_counter(), time.process_time()
            with self.store.writing("alpha") as connection:
                self.store.append(connection, event)
            self.seconds.append(time.perf_counter() - started)
            self.cpu_seconds.append(time.process_time() - cpu)

    @property
    def rate(self) -> float:
        """Events per second; the median, for a disk now and then takes a hundred times as long."""
        return 1.0 / statistics.median(self.seconds)


def measured(name: str, urls: list[str], epochs: int) -> list[History]:
    """Every history of one database, filled and then measured turn by turn."""
    histories = []
    for length, url in zip(_HISTORIES, urls, strict=True):
        history = History(length, ControlStateStore(url))
        started = time.perf_counter()
        history.fill()
        print(f"{name}: {length} events made in {time.perf_counter() - started:.0f} s", flush=True)
        histories.append(history)
    for history in histories:
        history.measure(_EPOCH)  # to warm up
        history.seconds.clear()
        history.cpu_seconds.clear()
    for _ in range(epochs):
        for history in histories:
            history.measure(_EPOCH)
    for history in histories:
        assert history.store.state("alpha").position == history.length + (1 + epochs) * _EPOCH
        history.store.close()
        print(f"{name}: {history.rate:7.1f} events/s after {history.length}", flush=True)
    return histories


def disk_rate(folder: Path, count: int = 200) -> float:
    """Bare appends of 4 kB, each fsynced, per second: what the disk allows at most."""
    seconds = []
    with (folder / "probe").open("wb") as file:
        for _ in range(count):
            started = time.perf_counter()
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - started)
    return 1.0 / statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--epochs", type=int, default=100, help="epochs of 5 events measured per history (default 100)"
    )
    options = parser.parse_args()
    if options.epochs < 2:
        parser.error("need at least 2 epochs")
    programs = binaries()
    if programs is None:
        parser.error("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        disk = disk_rate(folder)
        print(f"disk: {disk:.0f} fsyncs/s")
        server = stack.enter_context(running_server(programs, durable=True))
        databases = {
            "sqlite": [f"sqlite:///{folder / f'{length}.db'}" for length in _HISTORIES],
            "postgresql": [server.new_database() for _ in _HISTORIES],
        }
        found = {name: measured(name, urls, options.epochs) for name, urls in databases.items()}
    ratios = {name: histories[-1].rate / histories[0].rate for name, histories in found.items()}
    worst = min(ratios, key=lambda name: ratios[name])
    summary = {
        "name": "events",
        "value": found[worst][-1].rate,
        "baseline": found[worst][0].rate,
        "ratio": ratios[worst],
        "target": _TARGET,
        "ok": ratios[worst] >= _TARGET,
        "details": {
            "unit": "events per second, one durable transaction each, median",
            "eventsPerHistory": options.epochs * _EPOCH,
            "ratios": ratios,
            "rates": {
                name: {str(history.length): round(history.rate, 1) for history in histories}
                for name, histories in found.items()
            },
            "p95Milliseconds": {
                name: {
                    str(history.length): round(1e3 * statistics.quantiles(history.seconds, n=20)[-1], 2)
                    for history in histories
                }
                for name, histories in found.items()
            },
            "clientCpuMilliseconds": {
                name: {
                    str(history.length): round(1e3 * statistics.median(history.cpu_seconds), 2)
                    for history in histories
                }
                for name, histories in found.items()
            },
            "bareFsyncsPerSecond": round(disk, 1),
            "loadAverage": os.getloadavg()[0],
        },
    }
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
