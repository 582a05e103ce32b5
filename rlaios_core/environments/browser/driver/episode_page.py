"""One episode's page: looks, trusted input after own checks, and everything a page may throw at it.

All methods are coroutines of the worker's loop; each inner wait is bounded. A page that misbehaves gives
a typed result; only when it cannot be freed any more is `DriverError` raised.
"""

import asyncio
import contextlib
import json
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, CDPSession, Error, Page, Request, Response
from playwright.async_api import Dialog as NativeDialog

from rlaios_core.environments.browser.driver.errors import DriverError, DriverFailure
from rlaios_core.environments.browser.driver.view import ActStatus, Control, Dialog, Look, StepView, look_of

T = TypeVar("T")
_ERROR_PAGE = "chrome-error:"
_MAX_POPUPS = 3
_REQUEST_WINDOW = 80
"""Requests that begin within so many milliseconds of an input are taken to be caused by it."""
_EMPTY_SECONDS = 3.0
_LEFT_OVER = """async () => {
    const found = [];
    if (document.cookie) found.push('cookie');
    if (localStorage.length) found.push('localStorage');
    if (sessionStorage.length) found.push('sessionStorage');
    if (window.name) found.push('window.name');
    if ((await indexedDB.databases()).length) found.push('indexedDB');
    if (window.caches && (await caches.keys()).length) found.push('caches');
    return found.join(' ');
}"""
_READ = """async (text) => {
    if (!window.__rlaios) return null;
    const [settle, look] = JSON.parse(text);
    await __rlaios.settle(settle);
    return JSON.stringify(__rlaios.look(look));
}"""


@dataclass(frozen=True)
class Limits:
    """Bounds in seconds, and how much of a page is read."""

    act: float = 3.0
    look: float = 6.0
    navigation: float = 3.0
    requests: float = 1.5
    free: float = 4.0
    controls: int = 80
    lines: int = 60
    exclude: str = ""

    @property
    def script(self) -> dict[str, Any]:
        """What the page's script needs to know."""
        return {"controls": self.controls, "lines": self.lines, "exclude": self.exclude}

    @property
    def reading(self) -> str:
        """The bounds of settling and of reading, in milliseconds and numbers, as JSON."""
        settle = {
            "navigation": self.navigation * 1000,
            "requests": self.requests * 1000,
            "window": _REQUEST_WINDOW,
        }
        return json.dumps([settle, self.script])


@dataclass(frozen=True)
class Seat:
    """Where an episode takes place. `origins` are scheme://host:port; nothing else can be reached.

    `headers` go with every request, `clock` (milliseconds since 1970) is what `Date` starts from, `cookies`
    are there from the start (each as pairs of name and value), `scripts` run in every document. With `reuse`
    the context may have served an episode on the same origins before, emptied since: faster, for a site that
    is ours alone. Pages at the address `in_place` start over by themselves, and are kept as they are.
    """

    origins: tuple[str, ...]
    headers: tuple[tuple[str, str], ...] = ()
    viewport: tuple[int, int] = (1280, 720)
    locale: str = "en-GB"
    time_zone: str = "UTC"
    clock: int | None = None
    cookies: tuple[tuple[tuple[str, Any], ...], ...] = ()
    scripts: tuple[str, ...] = ()
    limits: Limits = Limits()
    reuse: bool = False
    in_place: str = ""


class EpisodePage:
    """The page in play: the newest popup that an input opened, or else the first page."""

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession, seat: Seat) -> None:
        self.context = context
        self.seat = seat
        self._pages = [page]
        self._sessions: dict[Page, CDPSession] = {page: session}
        self._native: NativeDialog | None = None
        self._dialog_came = asyncio.Event()
        self._parked: list[asyncio.Task[Any]] = []
        self._alerts: list[str] = []
        self._events: list[str] = []
        self._http_status = 0
        self._retry_after: float | None = None
        self._download = False
        self._blocked = ""
        self._freed: ActStatus | None = None
        self._new_pages: list[Page] = []
        self._crashed = False
        self._depth = 0
        self._last_good = ""
        self._watched: list[tuple[Any, str, Any]] = []
        self._on(context, "page", self._on_page)
        self._on(context, "dialog", self._on_dialog)
        self._on(context, "response", self._on_response)
        self._on(context, "requestfailed", self._on_request_failed)
        self._watch(page)

    @property
    def page(self) -> Page:
        """The page in play."""
        return self._pages[-1]

    async def open(self, url: str) -> StepView:
        """Go to the start. Raises `DriverError` (start) when it cannot be reached."""
        for attempt in (1, 2):
            if self.seat.in_place and self.page.url == url:
                break
            try:
                await self._bounded(self.page.goto(url, wait_until="commit", timeout=8_000), 10.0)
            except (Error, TimeoutError) as error:
                if attempt == 2:
                    raise DriverError(DriverFailure.START, f"{url}: {_line(error)}") from error
                await asyncio.sleep(0.05)
            else:
                break
        view = await self._view(ActStatus.OK, "")
        if (
            self.seat.reuse
            and not self.seat.in_place
            and (left := await self._bounded(self.left_over(), self.seat.limits.look))
        ):
            raise DriverError(DriverFailure.START, f"an emptied context still held {left}")
        self._depth = 0
        return view

    async def look(self) -> StepView:
        """What there is to see now."""
        return await self._view(ActStatus.OK, "")

    async def click(self, control: Control) -> StepView:
        """Press a control with the mouse, after checking that nothing covers it."""
        return await self._acted(self._click(control))

    async def fill(self, control: Control, value: str) -> StepView:
        """Replace a field's content; what the field did not keep is entered once more."""
        return await self._acted(self._fill(control, value))

    async def select(self, control: Control, option: str) -> StepView:
        """Choose an option of a native list by its text."""
        return await self._acted(self._ask("choose", control.token, control.signature, option))

    async def press(self, key: str) -> StepView:
        """Press a key where the focus is."""

        async def work() -> dict[str, Any]:
            await self.page.keyboard.press(key)
            return {"status": "ok"}

        return await self._acted(work())

    async def scroll(self, token: int, direction: int) -> StepView:
        """Scroll by nearly one screen: direction 1 is down, -1 up."""

        async def work() -> dict[str, Any]:
            done = await self.page.evaluate("([t, d]) => __rlaios.scroll(t, d)", [token, direction])
            # What loads on scrolling does so in the next frame.
            await asyncio.sleep(0.04)
            return {"status": "ok" if done else "absent"}

        return await self._acted(work())

    async def wait(self, seconds: float) -> StepView:
        """Let the page go on by itself."""

        async def work() -> dict[str, Any]:
            await asyncio.sleep(seconds)
            return {"status": "ok"}

        return await self._acted(work(), seconds + 1.0)

    async def back(self) -> StepView:
        """One step back in the page's history."""

        async def work() -> dict[str, Any]:
            await self.page.go_back(wait_until="commit", timeout=self.seat.limits.navigation * 1000)
            self._depth = max(0, self._depth - 2)
            return {"status": "ok"}

        return await self._acted(work(), self.seat.limits.navigation + 1.0)

    async def repeat(self) -> StepView:
        """Send the page's last request again, form data included, after the time its server asked for."""

        async def work() -> dict[str, Any]:
            await asyncio.sleep(min(1.0, self._retry_after or 0.0))
            await self.page.reload(wait_until="commit", timeout=self.seat.limits.navigation * 1000)
            return {"status": "ok"}

        return await self._acted(work(), self.seat.limits.navigation + 2.0)

    async def fetch_again(self) -> StepView:
        """Ask the server for the page's address anew, without sending any form."""

        async def work() -> dict[str, Any]:
            url = self._last_good if self.page.url.startswith(_ERROR_PAGE) else self.page.url
            await self.page.goto(url, wait_until="commit", timeout=self.seat.limits.navigation * 1000)
            return {"status": "ok"}

        return await self._acted(work(), self.seat.limits.navigation + 1.0)

    async def answer(self, accept: bool, text: str | None = None) -> StepView:
        """Answer the native dialog that waits."""

        async def work() -> dict[str, Any]:
            native, self._native = self._native, None
            self._dialog_came.clear()
            if native is None:
                return {"status": "absent"}
            if accept:
                await native.accept(text) if text is not None else await native.accept()
            else:
                await native.dismiss()
            parked, self._parked = self._parked, []
            for task in parked:
                with contextlib.suppress(Error, TimeoutError):
                    await self._race(task)
            return {"status": "ok"}

        return await self._acted(work())

    async def evaluate(self, script: str, argument: Any = None) -> Any:
        """Run a script of ours in the page, bounded. Raises `DriverError` when it does not end."""
        try:
            return await self._bounded(self.page.evaluate(script, argument), self.seat.limits.look)
        except TimeoutError as error:
            raise DriverError(DriverFailure.STUCK, "the page does not answer") from error
        except Error as error:
            raise self._fault(error) from error

    async def empty(self) -> "EpisodePage | None":
        """Leave nothing of the episode behind; `None` when that cannot be done, and the context must go.

        Emptied are cookies, local and session storage, IndexedDB, caches, the window's name and the history.
        """
        if self._crashed or self._native is not None or self._parked or len(self._pages) > 1:
            return None
        session = self._sessions[self.page]
        if self.seat.in_place:
            return self._detached(session)
        try:
            async with asyncio.timeout(_EMPTY_SECONDS):
                await self.page.evaluate("() => { sessionStorage.clear(); window.name = ''; }")
                for origin in self.seat.origins:
                    await session.send(
                        "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}
                    )
                await self.context.clear_cookies()
                await self.page.goto("about:blank")
                await session.send("Page.resetNavigationHistory")
        except (Error, TimeoutError):
            return None
        return self._detached(session)

    def _detached(self, session: CDPSession) -> "EpisodePage":
        for source, event, handler in self._watched:
            source.remove_listener(event, handler)
        return EpisodePage(self.context, self.page, session, self.seat)

    async def take_over(self, seat: Seat) -> None:
        """Let an emptied page serve another episode on the same origins."""
        self.seat = seat
        if seat.headers:
            await self.context.set_extra_http_headers(dict(seat.headers))

    async def left_over(self) -> str:
        """What of an earlier episode can still be found on the start page; nothing, when all is well."""
        found: str = await self.page.evaluate(_LEFT_OVER)
        return found

    async def screenshot(self) -> bytes:
        """The page as PNG."""
        try:
            picture: bytes = await self._bounded(self.page.screenshot(timeout=3_000), 4.0)
            return picture
        except (Error, TimeoutError) as error:
            raise DriverError(DriverFailure.STUCK, f"no screenshot: {_line(error)}") from error

    # ---- input ------------------------------------------------------------------------------------------

    async def _click(self, control: Control) -> dict[str, Any]:
        ready: dict[str, Any] = await self._ask("prepare", control.token, control.signature)
        if ready["status"] == "ok":
            await self.page.mouse.click(ready["x"], ready["y"])
        return ready

    async def _fill(self, control: Control, value: str) -> dict[str, Any]:
        for _ in (1, 2):
            ready: dict[str, Any] = await self._ask("focusField", control.token, control.signature, value)
            if ready["status"] == "ok":
                await self._type(value, each_key=bool(ready.get("keyed")))
            elif ready["status"] != "set":
                return ready
            if await self._ask("holds", control.token, control.signature, value):
                return {"status": "ok"}
        return {"status": "value_lost"}

    async def _type(self, value: str, *, each_key: bool) -> None:
        keyboard = self.page.keyboard
        if not value:
            await keyboard.press("Delete")
        elif each_key:
            # Controls that listen to keys (masks, suggestions) need every one of them.
            await keyboard.type(value)
        else:
            await keyboard.insert_text(value)

    async def _ask(self, method: str, *arguments: Any) -> Any:
        script = f"(a) => __rlaios.{method}(...a)"
        return await self.page.evaluate(script, [*arguments, self.seat.limits.script])

    async def _acted(
        self, work: Coroutine[Any, Any, dict[str, Any]], seconds: float | None = None
    ) -> StepView:
        """Carry out an input, let the page come to rest, look. Faults of the page become a status."""
        self._begin()
        status, detail = ActStatus.OK, ""
        try:
            result = await self._bounded(
                self._race(asyncio.ensure_future(work)), seconds or self.seat.limits.act
            )
            if result is not None:
                status, detail = ActStatus(result["status"]), str(result.get("detail", ""))
        except TimeoutError:
            status = await self._free()
        except Error as error:
            if self._crashed or self._gone(error):
                raise self._fault(error) from error
            # The document went away under the input: what it became is seen by the next look.
            status, detail = (ActStatus.OK, "") if _swapped(error) else (ActStatus.STALE, _line(error))
        return await self._view(status, detail)

    async def _race(self, task: "asyncio.Future[T]") -> T | None:
        """The task's result; `None` when a native dialog came first: the task then waits for its answer."""
        if self._native is not None:
            self._parked.append(task)  # type: ignore[arg-type]
            return None
        dialog = asyncio.ensure_future(self._dialog_came.wait())
        try:
            waited: set[asyncio.Future[Any]] = {task, dialog}
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            raise
        finally:
            dialog.cancel()
        if task.done():
            return task.result()
        self._parked.append(task)  # type: ignore[arg-type]
        return None

    def _begin(self) -> None:
        self._alerts.clear()
        self._events.clear()
        self._http_status = 0
        self._download = False
        self._blocked = ""
        self._freed = None

    # ---- looking ----------------------------------------------------------------------------------------

    async def _view(self, status: ActStatus, detail: str) -> StepView:
        look = await self._settled_look()
        await self._adopt()
        if self._new_or_closed():
            look = await self._settled_look()
        if self._freed is not None and status is ActStatus.OK:
            status = self._freed
        if look.url.startswith(_ERROR_PAGE) or (self._blocked and status is ActStatus.OK):
            status, detail = (
                (ActStatus.BLOCKED_ORIGIN, self._blocked)
                if self._blocked
                else (ActStatus.TIMEOUT, "no answer")
            )
        if self._download and status in (ActStatus.OK, ActStatus.TIMEOUT):
            status = ActStatus.DOWNLOAD_REFUSED
        return StepView(look, status, detail, tuple(self._alerts), self._http_status, tuple(self._events))

    async def _settled_look(self) -> Look:
        """One evaluation: wait for rest, then read. A document that goes away is looked at again."""
        for attempt in range(6):
            if self._native is not None:
                kind, message = self._native.type, self._native.message
                return Look(url=self.page.url, title="", dialog=Dialog(kind, message[:300]))
            try:
                raw = await self._bounded(
                    self._race(asyncio.ensure_future(self._read())), self.seat.limits.look
                )
            except TimeoutError:
                if attempt >= 2:
                    raise DriverError(DriverFailure.STUCK, "the page cannot be read") from None
                self._freed = await self._free()
                continue
            except Error as error:
                if self._crashed or (self._gone(error) and not self._page_closed()):
                    raise self._fault(error) from error
                if self._page_closed():
                    self._drop_closed()
                await asyncio.sleep(0.01 * (attempt + 1))
                with contextlib.suppress(Error, TimeoutError):
                    await self._bounded(self.page.wait_for_load_state("domcontentloaded", timeout=3_000), 3.5)
                continue
            if raw is not None and raw.get("closing") and len(self._pages) > 1:
                await self._until_closed()
                continue
            if raw is not None:
                return look_of(
                    raw, can_go_back=self._depth > 1 and len(self._pages) == 1, popup=len(self._pages) > 1
                )
        raise DriverError(DriverFailure.STUCK, "the page does not come to rest")

    async def _read(self) -> dict[str, Any]:
        # As one text: Playwright's own notation of nested values costs more than the reading itself.
        limits = self.seat.limits
        text: str | None = await self.page.evaluate(_READ, limits.reading)
        raw: dict[str, Any] | None = json.loads(text) if text else None
        if raw is None:
            # Error pages of the browser's own do not run our script.
            return {
                "url": self.page.url, "title": "", "status": 0, "controls": [], "lines": [], "scrollers": [],
                "cutControls": 0, "cutLines": 0, "skippedFrames": 0,
            }  # fmt: skip
        return raw

    # ---- pages ------------------------------------------------------------------------------------------

    def _watch(self, page: Page) -> None:
        self._on(page, "crash", self._on_crash)
        self._on(page, "download", self._on_download)
        self._on(page, "filechooser", lambda _: self._events.append("file chooser refused"))
        self._on(page, "framenavigated", lambda frame: self._on_navigated(page, frame.parent_frame is None))

    def _on(self, source: Any, event: str, handler: Any) -> None:
        source.on(event, handler)
        self._watched.append((source, event, handler))

    async def _adopt(self) -> None:
        """Go over to a page that the input opened; others are closed."""
        new, self._new_pages = self._new_pages, []
        for page in new:
            if page.is_closed():
                continue
            if len(self._pages) >= _MAX_POPUPS:
                await self._quietly(page.close())
                continue
            await self._quietly(page.wait_for_load_state("domcontentloaded", timeout=3_000))
            if page.is_closed():
                continue
            if not self.allowed(page.url):
                self._events.append("closed a page of another origin")
                self._blocked = self._blocked or urlsplit(page.url).netloc
                await self._quietly(page.close())
                continue
            self._pages.append(page)
            self._watch(page)
            with contextlib.suppress(Error):
                self._sessions[page] = await self.context.new_cdp_session(page)
            self._events.append("a new page opened")
            self._changed_page = True

    _changed_page = False

    async def _until_closed(self) -> None:
        """A page that said it closes is waited for; one that does not is closed by us."""
        page = self.page
        for _ in range(40):
            if page.is_closed():
                break
            await asyncio.sleep(0.05)
        else:
            await self._quietly(page.close())
        self._drop_closed()

    def _new_or_closed(self) -> bool:
        changed, self._changed_page = self._changed_page, False
        if self._page_closed():
            self._drop_closed()
            changed = True
        return changed

    def _page_closed(self) -> bool:
        return len(self._pages) > 1 and self._pages[-1].is_closed()

    def _drop_closed(self) -> None:
        while self._page_closed():
            closed = self._pages.pop()
            self._sessions.pop(closed, None)
            self._events.append("the page closed, back on the page before")

    def allowed(self, url: str) -> bool:
        """Whether a page at this address may be in play."""
        parts = urlsplit(url)
        return parts.scheme in ("about", "blob") or f"{parts.scheme}://{parts.netloc}" in self.seat.origins

    # ---- recovery ---------------------------------------------------------------------------------------

    async def _free(self) -> ActStatus:
        """Make a page that does not answer answer again.

        While a navigation waits for its server, Chromium holds back everything sent to the page: stop it first.
        If that was not it, stop the script that keeps the page busy.
        """
        session = self._sessions.get(self.page)
        if session is None:
            raise DriverError(DriverFailure.STUCK, "the page does not answer")
        try:
            await self._bounded(session.send("Page.stopLoading"), self.seat.limits.free)
            with contextlib.suppress(TimeoutError):
                await self._bounded(self.page.evaluate("1"), self.seat.limits.free / 4)
                return ActStatus.TIMEOUT
            await self._bounded(session.send("Runtime.terminateExecution"), self.seat.limits.free)
        except (Error, TimeoutError) as error:
            raise DriverError(DriverFailure.STUCK, "the page does not answer") from error
        return ActStatus.BUSY

    async def _bounded(self, work: Any, seconds: float) -> Any:
        return await asyncio.wait_for(work, seconds)

    async def _quietly(self, work: Coroutine[Any, Any, Any]) -> None:
        with contextlib.suppress(Error, TimeoutError):
            await asyncio.wait_for(work, 4.0)

    def _gone(self, error: Error) -> bool:
        text = error.message
        return "Target closed" in text or "has been closed" in text or "Connection closed" in text

    def _fault(self, error: Error) -> DriverError:
        failure = DriverFailure.RENDERER if self._crashed else DriverFailure.BROWSER
        return DriverError(failure, _line(error))

    # ---- events -----------------------------------------------------------------------------------------

    def _on_page(self, page: Page) -> None:
        self._new_pages.append(page)

    def _on_dialog(self, dialog: NativeDialog) -> None:
        if dialog.type in ("alert", "beforeunload"):
            if dialog.type == "alert":
                self._alerts.append(dialog.message[:300])
            task = asyncio.ensure_future(self._quietly(dialog.accept()))
            self._background.add(task)
            task.add_done_callback(self._background.discard)
            return
        self._native = dialog
        self._dialog_came.set()

    @property
    def _background(self) -> set["asyncio.Task[None]"]:
        # Kept so that the loop does not drop tasks that nobody awaits.
        return _BACKGROUND

    def _on_response(self, response: Response) -> None:
        request = response.request
        if request.is_navigation_request() or request.resource_type in ("fetch", "xhr"):
            self._http_status = response.status
            if response.status >= 400:
                asked = response.headers.get("retry-after", "")
                self._retry_after = float(asked) if asked.isdigit() else None

    def _on_request_failed(self, request: Request) -> None:
        if "ERR_PROXY_CONNECTION_FAILED" in (request.failure or "") and request.is_navigation_request():
            self._blocked = urlsplit(request.url).netloc

    def _on_download(self, _: object) -> None:
        self._download = True
        task = asyncio.ensure_future(self._quietly(self.page.evaluate("() => __rlaios.forget()")))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _on_crash(self, _: object) -> None:
        self._crashed = True

    def _on_navigated(self, page: Page, main: bool) -> None:
        if main and page is self._pages[0]:
            self._depth += 1
            if self.allowed(page.url):
                self._last_good = page.url


_BACKGROUND: set["asyncio.Task[None]"] = set()


def _swapped(error: Error) -> bool:
    text = error.message
    return "context was destroyed" in text or "Cannot find context" in text or "navigat" in text


def _line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__


def origin_of(url: str) -> str:
    """scheme://host:port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def proxy_bypass(origins: Sequence[str]) -> str:
    """The only addresses that do not go to a proxy where nothing listens: redirects and sockets included."""
    sockets = [origin.replace("http", "ws", 1) for origin in origins]
    return ",".join(["<-loopback>", *origins, *sockets])
