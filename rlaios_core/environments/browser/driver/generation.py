"""One driver with its browser and contexts: what is started, renewed and killed as a whole."""

import asyncio
import contextlib
import os
import tempfile
import threading
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import Browser, BrowserContext, Error, Playwright, async_playwright

from rlaios_core.environments.browser.driver import owned
from rlaios_core.environments.browser.driver.chromium import Build, launch
from rlaios_core.environments.browser.driver.episode_page import EpisodePage
from rlaios_core.environments.browser.driver.errors import DriverError, DriverFailure
from rlaios_core.environments.browser.driver.patience import patient
from rlaios_core.environments.browser.driver.scripts import clock_script, page_script
from rlaios_core.environments.browser.driver.seat import Seat, proxy_bypass

CLOSE_SECONDS = 2.0
"""How long a context, a browser or a driver may take to close politely."""
_DEAD_PROXY = "http://127.0.0.1:9"
_VARIABLES = threading.Lock()
_MEASURED_EVERY = 50


@dataclass(frozen=True)
class WorkerSettings:
    """Which browser, which hosts it may resolve, and when browser and reused contexts are renewed."""

    executable: str | None = None
    hosts: tuple[str, ...] = ("127.0.0.1",)
    sandbox: bool = False
    headless: bool = True
    contexts_per_browser: int = 2_000
    memory_bytes: int = 1_500_000_000
    uses_per_context: int = 50


class Generation:
    """Coroutines run on the worker's loop; `kill` and `processes` may be called from anywhere."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._record = owned.Record()
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._idle: dict[Seat, list[tuple[EpisodePage, int]]] = {}
        self._uses: dict[EpisodePage, int] = {}
        self._drivers: list[owned.Process] = []
        self._opened = 0
        self._heavy = False
        self.live = 0
        self.build: Build | None = None

    @property
    def connected(self) -> bool:
        """Whether driver and browser are there."""
        there = self._browser is not None and self._browser.is_connected()
        return there and all(owned.alive(driver) for driver in self._drivers)

    @property
    def worn(self) -> bool:
        """Whether it has served its time: the driver keeps something of every context."""
        return self._heavy or self._opened >= self._settings.contexts_per_browser

    @property
    def processes(self) -> list[owned.Process]:
        """What it owns now, half-started drivers included."""
        return owned.belonging_to(self._record.scratch)

    async def start(self) -> None:
        """Start driver and browser. Raises `DriverError` or `BrowserMissingError`; nothing is left then."""
        settings = self._settings
        try:
            self._playwright = await self._start_driver()
            self._browser, self.build = await launch(
                self._playwright,
                settings.executable,
                settings.hosts,
                sandbox=settings.sandbox,
                headless=settings.headless,
            )
        except Error as error:
            await self.stop()
            raise DriverError(DriverFailure.DRIVER, error.message.splitlines()[0]) from error
        except BaseException:
            # Given up half-way, by our own bound or for want of a browser: what did start must not stay.
            self.kill()
            self._record.remove()
            raise
        processes = self.processes
        self._drivers = [process for process in processes if owned.parent(process) == os.getpid()]
        self._record.write(processes)

    async def page(self, seat: Seat) -> EpisodePage:
        """A page in a context of its own, or in one that was emptied. Raises `DriverError`."""
        self._opened += 1
        if self._opened % _MEASURED_EVERY == 0:
            processes = self.processes
            self._record.write(processes)
            self._heavy = owned.memory_bytes(processes) > self._settings.memory_bytes
        try:
            page, uses = await self._reused(seat) or (await self._fresh(seat), 0)
        except Error as error:
            raise DriverError(DriverFailure.BROWSER, error.message.splitlines()[0]) from error
        self._uses[page] = uses + 1
        return page

    async def _reused(self, seat: Seat) -> tuple[EpisodePage, int] | None:
        """A free page for the seat and how often it served, one in the same place if there is any."""
        idle = self._idle.get(_kind(seat), []) if seat.reuse else []
        if not idle:
            return None
        same = (at for at, (page, _) in enumerate(idle) if page.seat.in_place == seat.in_place)
        page, uses = idle.pop(next(same, 0))
        if await page.take_over(seat):
            return page, uses
        await self._close(page.context)
        return None

    async def take_back(self, page: EpisodePage, *, sound: bool) -> None:
        """Empty a page's context for another episode, or close it. Raises `DriverError` when it will not."""
        uses = self._uses.pop(page, 0)
        if sound and page.seat.reuse and not self.worn and uses < self._settings.uses_per_context:
            emptied = await page.empty()
            if emptied is not None:
                self._idle.setdefault(_kind(page.seat), []).append((emptied, uses))
                return
        await self._close(page.context)

    async def stop(self) -> None:
        """Close browser and driver politely, then see to it that nothing is left of them."""
        browser, self._browser = self._browser, None
        playwright, self._playwright = self._playwright, None
        # A dead driver raises bare exceptions; whatever comes of asking politely, force follows.
        with contextlib.suppress(Exception):
            if browser is not None:
                await asyncio.wait_for(browser.close(), patient(CLOSE_SECONDS))
        with contextlib.suppress(Exception):
            if playwright is not None:
                await asyncio.wait_for(playwright.stop(), patient(CLOSE_SECONDS))
        await asyncio.to_thread(self.kill)
        # Lets the loop hear of the ends of its children.
        await asyncio.sleep(0.05)
        self._record.remove()

    def forget(self) -> None:
        """Nothing of it is left: remove its record and its folder."""
        self._record.remove()

    def kill(self) -> None:
        """End driver and browser by force: every page of them fails."""
        owned.kill(self.processes)

    async def _fresh(self, seat: Seat) -> EpisodePage:
        if self._browser is None:
            raise DriverError(DriverFailure.BROWSER, "the browser is gone")
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
        return EpisodePage(context, page, await context.new_cdp_session(page), seat)

    async def _close(self, context: BrowserContext) -> None:
        try:
            await asyncio.wait_for(context.close(), patient(CLOSE_SECONDS))
        except Error as error:
            if self.connected:
                raise DriverError(DriverFailure.STUCK, "a context would not close") from error
        except TimeoutError as error:
            raise DriverError(DriverFailure.STUCK, "a context would not close") from error

    async def _start_driver(self) -> Playwright:
        # The driver makes its profile folders below TMPDIR and takes it from our environment alone.
        tempfile.gettempdir()
        with _VARIABLES:
            saved = os.environ.get("TMPDIR")
            os.environ["TMPDIR"] = str(self._record.scratch)
            try:
                return await async_playwright().start()
            finally:
                if saved is None:
                    del os.environ["TMPDIR"]
                else:
                    os.environ["TMPDIR"] = saved


def _kind(seat: Seat) -> Seat:
    """The seat but for what differs from episode to episode: equal kinds can share a context."""
    return replace(seat, headers=(), in_place="")
