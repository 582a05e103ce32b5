"""Progress of long work on stderr: a bar on a terminal, plain lines elsewhere, silence when asked."""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from rlaios_core.cli.estimate import Estimate, Phase
from rlaios_core.reporting.table import duration

Report = Callable[[str, int, int], None]
"""Told of each step of a stage: its name, how many are done, out of how many."""

_LINE_EVERY_SECONDS = 15.0


class Display:
    """Shows which phase runs, how far its stage is, and how long all of it will still take.

    `report` may be called from several threads.
    """

    def __init__(self, phases: Sequence[Phase], *, quiet: bool = False, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._quiet = quiet
        self._lock = threading.RLock()
        self._estimate = Estimate(phases, time.monotonic)
        self._phase = ""
        self._last_line = 0.0
        self._bar: Progress | None = None
        if not quiet and self._stream.isatty():
            self._bar = Progress(
                TextColumn("[bold]{task.description}"),
                BarColumn(bar_width=28),
                TextColumn("{task.percentage:>3.0f}%"),
                TextColumn("{task.fields[note]}"),
                console=Console(file=self._stream),
                transient=True,
            )
            self._task = self._bar.add_task("starting", total=1.0, note="")

    def __enter__(self) -> "Display":
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Everything inside belongs to the phase called `name`."""
        with self._lock:
            self._estimate.begin(name)
            self._phase = name
            started = time.monotonic()
            self._show("started")
        yield
        with self._lock:
            self._estimate.end()
            self._say(f"{name}: done in {duration(time.monotonic() - started)}")
            self._show("")

    def report(self, stage: str, done: int, total: int) -> None:
        """One step of a stage is done."""
        with self._lock:
            self._estimate.advance(stage, done, total)
            if self._bar is not None:
                self._show(f"{stage} {done}/{total}")
            elif time.monotonic() - self._last_line >= _LINE_EVERY_SECONDS:
                self._say(f"{self._phase}: {stage} {done}/{total}{self._left()}")

    def message(self, text: str) -> None:
        """A line of its own, above the bar."""
        with self._lock:
            self._say(text)

    def _show(self, note: str) -> None:
        if self._bar is not None:
            self._bar.update(
                self._task,
                description=self._phase,
                completed=self._estimate.done_share(),
                note=note + self._left(),
            )

    def _left(self) -> str:
        left = self._estimate.seconds_left()
        return "" if left is None else f", about {duration(left)} left"

    def _say(self, text: str) -> None:
        self._last_line = time.monotonic()
        if self._quiet:
            return
        if self._bar is not None:
            self._bar.console.print(text, style="dim", highlight=False)
        else:
            self._stream.write(text + "\n")
            self._stream.flush()
