"""What happens to a context's pages without being asked for: dialogs, answers, downloads, popups, crashes."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Error, Page, Request, Response
from playwright.async_api import Dialog as NativeDialog

from rlaios_core.environments.browser.driver.patience import patient

_QUIET_SECONDS = 4.0


async def quietly(work: Coroutine[Any, Any, Any]) -> None:
    """Do something whose failure does not matter, within a bound."""
    with contextlib.suppress(Error, TimeoutError):
        await asyncio.wait_for(work, patient(_QUIET_SECONDS))


class Happenings:
    """Notes what comes; alerts are closed at once, confirm and prompt wait for an answer."""

    def __init__(self, context: BrowserContext, origins: tuple[str, ...]) -> None:
        self._origins = origins
        self._watched: list[tuple[Any, str, Any]] = []
        self._running: set[asyncio.Task[None]] = set()
        self.native: NativeDialog | None = None
        self.dialog_came = asyncio.Event()
        self.alerts: list[str] = []
        self.notes: list[str] = []
        self.http_status = 0
        self.scripted = False
        self.retry_after: float | None = None
        self.download = False
        self.blocked = ""
        self.new_pages: list[Page] = []
        self.crashed = False
        self.depth = 0
        self.last_good = ""
        self._on(context, "page", self._page)
        self._on(context, "dialog", self._dialog)
        self._on(context, "response", self._response)
        self._on(context, "requestfailed", self._request_failed)

    def watch(self, page: Page, *, first: bool = False) -> None:
        """Hear of a page; of the `first` one also how far its history goes."""
        self._on(page, "crash", self._crash)
        self._on(page, "download", lambda _: self._download(page))
        self._on(page, "filechooser", lambda _: self.notes.append("file chooser refused"))
        if first:
            self._on(page, "framenavigated", lambda frame: self._navigated(page, frame.parent_frame is None))

    def begin(self) -> None:
        """Forget what came of the step before."""
        self.alerts.clear()
        self.notes.clear()
        self.http_status = 0
        self.scripted = False
        self.download = False
        self.blocked = ""

    def detach(self) -> None:
        """Hear of nothing any more."""
        for source, event, handler in self._watched:
            source.remove_listener(event, handler)

    def take_dialog(self) -> NativeDialog | None:
        """The native dialog that waits; it is the caller's from now on."""
        native, self.native = self.native, None
        self.dialog_came.clear()
        return native

    def allowed(self, url: str) -> bool:
        """Whether a page at this address may be in play."""
        parts = urlsplit(url)
        return parts.scheme in ("about", "blob") or f"{parts.scheme}://{parts.netloc}" in self._origins

    def _on(self, source: Any, event: str, handler: Any) -> None:
        source.on(event, handler)
        self._watched.append((source, event, handler))

    def _later(self, work: Coroutine[Any, Any, Any]) -> None:
        # Kept so that the loop does not drop a task that nobody awaits.
        task = asyncio.ensure_future(quietly(work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def _page(self, page: Page) -> None:
        self.new_pages.append(page)

    def _dialog(self, dialog: NativeDialog) -> None:
        if dialog.type in ("alert", "beforeunload"):
            if dialog.type == "alert":
                self.alerts.append(dialog.message[:300])
            self._later(dialog.accept())
            return
        self.native = dialog
        self.dialog_came.set()

    def _response(self, response: Response) -> None:
        request = response.request
        if request.is_navigation_request() or request.resource_type in ("fetch", "xhr"):
            self.http_status = response.status
            self.scripted = not request.is_navigation_request()
            if response.status >= 400:
                asked = response.headers.get("retry-after", "")
                self.retry_after = float(asked) if asked.isdigit() else None

    def _request_failed(self, request: Request) -> None:
        refused = "ERR_PROXY_CONNECTION_FAILED" in (request.failure or "")
        if refused and request.is_navigation_request() and request.frame.parent_frame is None:
            self.blocked = urlsplit(request.url).netloc

    def _download(self, page: Page) -> None:
        self.download = True
        # What began as a navigation will not become one.
        self._later(page.evaluate("() => __rlaios.forget()"))

    def _crash(self, _: object) -> None:
        self.crashed = True

    def _navigated(self, page: Page, main: bool) -> None:
        if main:
            self.depth += 1
            if self.allowed(page.url):
                self.last_good = page.url
