"""The owner of a driver, a browser and their contexts: starts them, lends them, ends them whatever happens.

The recovery ladder: stop the page's script (the page does that itself), close the context, kill the
browser, restart the worker. Driver and browser are restarted before their memory grows.
"""

import asyncio
import contextlib
import os
import tempfile
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from playwright.async_api import Browser, BrowserContext, Error, Playwright, async_playwright

from rlaios_core.environments.browser.driver import owned
from rlaios_core.environments.browser.driver.chromium import Build, launch
from rlaios_core.environments.browser.driver.episode_page import EpisodePage
from rlaios_core.environments.browser.driver.errors import DriverError, DriverFailure
from rlaios_core.environments.browser.driver.loop import LoopThread
from rlaios_core.environments.browser.driver.scripts import clock_script, page_script
from rlaios_core.environments.browser.driver.seat import Seat, proxy_bypass

T = TypeVar("T")
_DEAD_PROXY = "http://127.0.0.1:9"
_ENVIRONMENT = threading.Lock()
_OPEN_SECONDS = 60.0
_CLOSE_SECONDS = 2.0


@dataclass(frozen=True)
class WorkerSettings:
    """Which browser, which hosts it may resolve, and when browser and reused contexts are renewed."""

    executable: str | None = None
    hosts: tuple[str, ...] = ("127.0.0.1",)
    sandbox: bool = False
    headless: bool = True
    contexts_per_browser: int = 2_000
    memory_bytes: int = 1_500_000_000
    memory_every: int = 50
    uses_per_context: int = 50


class BrowserWorker:
    """One browser for any number of threads. Start it lazily: making one costs nothing."""

    def __init__(self, settings: WorkerSettings | None = None) -> None:
        self.settings = settings or WorkerSettings()
        self.restarts = 0
        self.kills = 0
        self._loop: LoopThread | None = None
        self._lock = threading.Lock()
        self._record: owned.Record | None = None
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._build: Build | None = None
        self._owned: list[owned.Process] = []
        self._gate: asyncio.Condition | None = None
        self._live = 0
        self._opened = 0
        self._renew = False
        self._closed = False
        self._idle: dict[Seat, list[tuple[EpisodePage, int]]] = {}
        self._uses: dict[EpisodePage, int] = {}

    @property
    def build(self) -> Build:
        """Which browser runs; starts it when none does yet."""
        if self._build is None:
            self._call(self._ensure_started(), _OPEN_SECONDS)
        assert self._build is not None
        return self._build

    @property
    def processes(self) -> list[owned.Process]:
        """What the worker owns at the moment: driver, browser and its processes."""
        return self._mine()

    @contextmanager
    def seat(self, seat: Seat) -> Iterator[EpisodePage]:
        """A page of its own context for one episode; closed afterwards, by force if need be.

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
        """A page of a fresh context; give it back with `release`."""
        try:
            return self._call(self._open(seat), _OPEN_SECONDS)
        except DriverError as error:
            if error.failure is DriverFailure.CLOSED:
                raise
            # Whatever is wrong with driver or browser, a new pair of them is the cure.
            self._kill()
            return self._call(self._open(seat), _OPEN_SECONDS)

    def run(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        """Run a page's coroutine from this thread. Raises `DriverError`."""
        return self._call(work, seconds)

    def release(self, page: EpisodePage, *, sound: bool = False) -> None:
        """Close a page's context, or empty it for another episode when it is `sound` and may be reused.

        A browser that will not close a context is killed.
        """
        try:
            self._call(self._give_back(page, sound), 3 * _CLOSE_SECONDS + 2.0)
        except DriverError:
            self._kill()

    def close(self) -> None:
        """End everything: politely first, then by force; no process, profile or record is left."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        if self._loop is not None:
            with contextlib.suppress(DriverError):
                self._loop.call(self._stop(), 5.0)
            self._loop.close()
        owned.kill(self._mine())
        if self._record is not None:
            self._record.remove()

    # ---- on the loop ------------------------------------------------------------------------------------

    def _call(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        with self._lock:
            if self._closed:
                work.close()
                raise DriverError(DriverFailure.CLOSED, "the browser worker is closed")
            if self._loop is None:
                owned.sweep()
                self._record = owned.Record()
                self._loop = LoopThread()
            loop = self._loop
        return loop.call(work, seconds)

    async def _open(self, seat: Seat) -> EpisodePage:
        gate = self._gate = self._gate or asyncio.Condition()
        async with gate:
            # A browser to be renewed first gives up its pages; new ones wait for that.
            await gate.wait_for(lambda: not (self._renew and self._live))
            if self._renew:
                await self._stop()
                self._renew = False
                self.restarts += 1
            await self._ensure_started()
            self._live += 1
            self._opened += 1
            if self._opened % self.settings.memory_every == 0 or self._opened == 1:
                self._note(self._mine())
            if self._opened >= self.settings.contexts_per_browser or self._too_big():
                self._renew = True
        try:
            idle = self._idle.get(_kind(seat)) if seat.reuse else None
            if idle:
                page, uses = idle.pop()
                await page.take_over(seat)
            else:
                page, uses = await self._new_page(seat), 0
            self._uses[page] = uses + 1
            return page
        except BaseException:
            await self._leave()
            raise

    async def _new_page(self, seat: Seat) -> EpisodePage:
        assert self._browser is not None
        try:
            context = await self._browser.new_context(
                accept_downloads=False,
                service_workers="block",
                viewport={"width": seat.viewport[0], "height": seat.viewport[1]},
                locale=seat.locale,
                timezone_id=seat.time_zone,
                reduced_motion="reduce",
                permissions=[],
                extra_http_headers=dict(seat.headers) or None,
                proxy={"server": _DEAD_PROXY, "bypass": proxy_bypass(seat.origins)},
            )
            scripts = [page_script(), *seat.scripts]
            if seat.clock is not None:
                scripts.insert(0, clock_script(seat.clock))
            await context.add_init_script("\n".join(scripts))
            if seat.cookies:
                cookies: Any = [dict(cookie) for cookie in seat.cookies]
                await context.add_cookies(cookies)
            page = await context.new_page()
            session = await context.new_cdp_session(page)
        except Error as error:
            raise DriverError(DriverFailure.BROWSER, error.message.splitlines()[0]) from error
        return EpisodePage(context, page, session, seat)

    async def _give_back(self, page: EpisodePage, sound: bool) -> None:
        uses = self._uses.pop(page, 0)
        if sound and page.seat.reuse and not self._renew and uses < self.settings.uses_per_context:
            emptied = await page.empty()
            if emptied is not None:
                self._idle.setdefault(_kind(page.seat), []).append((emptied, uses))
                await self._leave()
                return
        await self._close_context(page.context)

    async def _close_context(self, context: BrowserContext) -> None:
        try:
            await asyncio.wait_for(context.close(), _CLOSE_SECONDS)
        except Error as error:
            if self._browser is not None and self._browser.is_connected():
                raise DriverError(DriverFailure.STUCK, "a context would not close") from error
        except TimeoutError as error:
            raise DriverError(DriverFailure.STUCK, "a context would not close") from error
        finally:
            await self._leave()

    async def _leave(self) -> None:
        assert self._gate is not None
        async with self._gate:
            self._live -= 1
            self._gate.notify_all()

    async def _ensure_started(self) -> None:
        if self._browser is not None and self._browser.is_connected():
            return
        if self._playwright is not None and self._browser is not None:
            # The browser is gone; whether the driver is still sound is not worth finding out.
            await self._stop()
        try:
            if self._playwright is None:
                self._playwright = await self._start_driver()
            self._browser, self._build = await launch(
                self._playwright,
                self.settings.executable,
                self.settings.hosts,
                sandbox=self.settings.sandbox,
                headless=self.settings.headless,
            )
        except Error as error:
            await self._stop()
            raise DriverError(DriverFailure.DRIVER, error.message.splitlines()[0]) from error
        except BaseException:
            # Given up half-way (our own bound, a browser that is missing): what did start must not stay.
            owned.kill(self._mine())
            self._playwright = self._browser = None
            raise
        self._opened = 0
        self._note(self._mine())

    async def _start_driver(self) -> Playwright:
        assert self._record is not None
        # The driver makes its profile folders below TMPDIR and takes it from our environment alone.
        tempfile.gettempdir()
        with _ENVIRONMENT:
            saved = os.environ.get("TMPDIR")
            os.environ["TMPDIR"] = str(self._record.scratch)
            try:
                return await async_playwright().start()
            finally:
                if saved is None:
                    del os.environ["TMPDIR"]
                else:
                    os.environ["TMPDIR"] = saved

    async def _stop(self) -> None:
        """Close browser and driver politely, then make sure that their processes are gone."""
        self._idle.clear()
        browser, self._browser = self._browser, None
        playwright, self._playwright = self._playwright, None
        with contextlib.suppress(Error, TimeoutError):
            if browser is not None:
                await asyncio.wait_for(browser.close(), _CLOSE_SECONDS)
        with contextlib.suppress(Error, TimeoutError):
            if playwright is not None:
                await asyncio.wait_for(playwright.stop(), _CLOSE_SECONDS)
        await asyncio.to_thread(lambda: owned.kill(self._mine()))
        self._note([])

    def _mine(self) -> list[owned.Process]:
        """What the worker owns now, half-started drivers included."""
        return owned.belonging_to(self._record.scratch) if self._record is not None else []

    def _note(self, processes: list[owned.Process]) -> None:
        self._owned = processes
        if self._record is not None:
            self._record.write(processes)

    def _too_big(self) -> bool:
        if self._opened % self.settings.memory_every:
            return False
        return owned.memory_bytes(self._owned) > self.settings.memory_bytes

    def _kill(self) -> None:
        """End driver and browser by force; every page of them fails, the next one gets new ones."""
        self.kills += 1
        owned.kill(self._mine())
        assert self._loop is not None
        try:
            self._loop.call(self._stop(), 10.0)
        except DriverError:
            # The loop itself is stuck: leave it to its end and start over with another.
            with self._lock:
                self._loop.close()
                self._loop = LoopThread()
                self._gate = None
                self._playwright = self._browser = None
                self._live = 0


def _kind(seat: Seat) -> Seat:
    """The seat but for what differs from episode to episode: equal kinds can share a context."""
    return replace(seat, headers=())
