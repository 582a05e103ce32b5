"""The browser for any number of threads: lends pages, renews what is worn, ends everything whatever happens.

The recovery ladder: stop the page's script (the page does that itself), close the context, kill driver and
browser, start new ones. A worn pair of them serves its episodes to the end while a new pair takes new ones.
"""

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from rlaios_core.environments.browser.driver import owned
from rlaios_core.environments.browser.driver.chromium import Build
from rlaios_core.environments.browser.driver.episode_page import EpisodePage
from rlaios_core.environments.browser.driver.errors import DriverError, DriverFailure
from rlaios_core.environments.browser.driver.generation import CLOSE_SECONDS, Generation, WorkerSettings
from rlaios_core.environments.browser.driver.loop import LoopThread
from rlaios_core.environments.browser.driver.seat import Seat

T = TypeVar("T")
_OPEN_SECONDS = 60.0
_RELEASE_SECONDS = 4 * CLOSE_SECONDS
_STOP_SECONDS = 4 * CLOSE_SECONDS


class BrowserWorker:
    """One browser, started when first needed: making a worker costs nothing. Thread-safe."""

    def __init__(self, settings: WorkerSettings | None = None) -> None:
        self.settings = settings or WorkerSettings()
        self.restarts = 0
        self.kills = 0
        self._lock = threading.Lock()
        self._loop: LoopThread | None = None
        self._starting: asyncio.Lock | None = None
        self._current: Generation | None = None
        self._retired: list[Generation] = []
        self._homes: dict[EpisodePage, Generation] = {}
        self._build: Build | None = None
        self._closed = False

    @property
    def build(self) -> Build:
        """Which browser is used; starts it the first time. Raises `DriverError` or `BrowserMissingError`."""
        if self._build is None:
            self._call(self._ensure_started(), _OPEN_SECONDS)
        assert self._build is not None
        return self._build

    @property
    def processes(self) -> list[owned.Process]:
        """What the worker owns at the moment: drivers, browsers and their processes."""
        generations = [*self._retired, *([self._current] if self._current else [])]
        return [process for generation in generations for process in generation.processes]

    @contextmanager
    def seat(self, seat: Seat) -> Iterator[EpisodePage]:
        """A page for one episode; its context is closed afterwards, by force if need be.

        Raises `DriverError` when no page can be had.
        """
        page = self.open(seat)
        sound = False
        try:
            yield page
            sound = True
        finally:
            self.release(page, sound=sound)

    def open(self, seat: Seat) -> EpisodePage:
        """A page; give it back with `release`. What is wrong with driver or browser is cured by new ones."""
        try:
            return self._call(self._open(seat), _OPEN_SECONDS)
        except DriverError as error:
            if error.failure is DriverFailure.CLOSED:
                raise
            self._kill(self._current)
            return self._call(self._open(seat), _OPEN_SECONDS)

    def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run a page's coroutine from this thread. Raises `DriverError`."""
        return self._call(work, seconds)

    def release(self, page: EpisodePage, *, sound: bool = False) -> None:
        """Close a page's context, or empty it for another episode when it is `sound` and may be reused.

        A browser that will not close a context is killed.
        """
        home = self._homes.get(page)
        try:
            self._call(self._give_back(page, sound), _RELEASE_SECONDS)
        except DriverError:
            self._kill(home)

    def close(self) -> None:
        """End everything: politely first, then by force; no process, profile or record is left."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        generations = [*self._retired, *([self._current] if self._current else [])]
        if self._loop is not None:
            for generation in generations:
                with contextlib.suppress(DriverError):
                    self._loop.call(generation.stop(), _STOP_SECONDS)
            self._loop.close()
        for generation in generations:
            generation.kill()
            generation.forget()

    # ---- on the loop ------------------------------------------------------------------------------------

    def _call(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        with self._lock:
            if self._closed:
                work.close()
                raise DriverError(DriverFailure.CLOSED, "the browser worker is closed")
            if self._loop is None:
                owned.sweep()
                self._loop = LoopThread()
            loop = self._loop
        return loop.call(work, seconds)

    async def _ensure_started(self) -> Generation:
        self._starting = self._starting or asyncio.Lock()
        async with self._starting:
            current = self._current
            if current is not None and current.connected and not current.worn:
                return current
            if current is not None:
                self.restarts += 1
                self._retired.append(current)
                self._current = None
                await self._end_retired()
            fresh = Generation(self.settings)
            await fresh.start()
            self._current, self._build = fresh, fresh.build
            return fresh

    async def _open(self, seat: Seat) -> EpisodePage:
        generation = await self._ensure_started()
        generation.live += 1
        try:
            page = await generation.page(seat)
        except BaseException:
            generation.live -= 1
            raise
        self._homes[page] = generation
        return page

    async def _give_back(self, page: EpisodePage, sound: bool) -> None:
        generation = self._homes.pop(page, None)
        if generation is None:
            return
        try:
            await generation.take_back(page, sound=sound)
        finally:
            generation.live -= 1
            await self._end_retired()

    async def _end_retired(self) -> None:
        """Stop what is worn or broken and serves nobody any more."""
        for generation in [g for g in self._retired if g.live <= 0]:
            self._retired.remove(generation)
            await generation.stop()

    def _kill(self, generation: Generation | None) -> None:
        """End a driver and its browser by force; the next page gets new ones."""
        self.kills += 1
        if generation is not None:
            generation.kill()
        assert self._loop is not None
        try:
            self._loop.call(asyncio.sleep(0), CLOSE_SECONDS)
        except DriverError:
            # The loop itself does not answer: leave it to its end and start over with another.
            with self._lock:
                self._loop.close()
                self._loop = LoopThread()
                self._starting = None
                self._current = None
