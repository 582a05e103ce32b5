"""One episode's page: looks, trusted input after own checks, and everything a page may throw at it.

All methods are coroutines of the worker's loop; each inner wait is bounded. A page that misbehaves gives
a typed result; only when it cannot be freed any more is `DriverError` raised.
"""

import asyncio
import contextlib
import json
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from rlaios_core.environments.browser.driver.errors import DriverError, DriverFailure
from rlaios_core.environments.browser.driver.happenings import Happenings
from rlaios_core.environments.browser.driver.page_stack import PageStack
from rlaios_core.environments.browser.driver.patience import patient
from rlaios_core.environments.browser.driver.seat import Seat
from rlaios_core.environments.browser.driver.view import ActStatus, Control, Dialog, Look, StepView, look_of

T = TypeVar("T")
_ERROR_PAGE = "chrome-error:"
_EMPTY_SECONDS = 3.0
_READ = """async (text) => {
    if (!window.__rlaios) return null;
    const { settle, look, entered, emptied } = JSON.parse(text);
    const kept = !entered.length || __rlaios.holds(...entered) !== false;
    await __rlaios.settle(settle);
    const found = __rlaios.look(look);
    const leftOver = emptied ? await __rlaios.leftOver() : '';
    return JSON.stringify({ ...found, kept, leftOver, pressLost: __rlaios.pressLost() });
}"""


@dataclass(frozen=True)
class Reading:
    """What a look is asked beside what there is to see, to save a round trip.

    `entered`: token, signature, value and bounds of a field's entry: is it still there before the page comes
    to rest? `emptied`: is anything of an earlier episode to be found?
    """

    entered: tuple[Any, ...] = ()
    emptied: bool = False


_PLAIN = Reading()


class EpisodePage:
    """The page in play: the newest popup that an input opened, or else the first page."""

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession, seat: Seat) -> None:
        self.context = context
        self.seat = seat
        self._seen = Happenings(context, seat.origins)
        self._seen.watch(page, first=True)
        self._stack = PageStack(context, page, session, self._seen)
        self._parked: list[asyncio.Future[Any]] = []
        self._freed: ActStatus | None = None
        self._last: Look | None = None

    @property
    def page(self) -> Page:
        """The page in play."""
        return self._stack.page

    @property
    def _navigation_ms(self) -> float:
        return patient(self.seat.limits.navigation) * 1000

    async def open(self, url: str) -> StepView:
        """Go to the start. Raises `DriverError` (start) when it cannot be reached."""
        for attempt in (1, 2):
            if self.seat.in_place and self.page.url == url:
                break
            try:
                await self._bounded(
                    self.page.goto(url, wait_until="commit", timeout=patient(8.0) * 1000), 10.0
                )
            except (Error, TimeoutError) as error:
                if attempt == 2:
                    raise DriverError(DriverFailure.START, f"{url}: {_line(error)}") from error
                await asyncio.sleep(0.05)
            else:
                break
        view = await self._view(ActStatus.OK, "", Reading(emptied=self.seat.reuse and not self.seat.in_place))
        if view.look.left_over:
            raise DriverError(DriverFailure.START, f"an emptied context still held {view.look.left_over}")
        self._seen.depth = 0
        return view

    async def look(self) -> StepView:
        """What there is to see now."""
        return await self._view(ActStatus.OK, "")

    async def click(self, control: Control) -> StepView:
        """Press a control with the mouse, after checking that nothing covers it.

        A press that the page did not hear, as it replaced the control at that moment, is made once more.
        """
        before = self._last
        view = await self._acted(self._click(control))
        unheard = view.status is ActStatus.OK and view.look.press_lost
        if unheard and before is not None and view.look.digest == before.digest:
            view = await self._carried_out(self._click(control), self.seat.limits.act)
        return view

    async def fill(self, control: Control, value: str) -> StepView:
        """Replace a field's content; what the field did not keep is entered once more."""
        reading = Reading((control.token, control.signature, value, self.seat.limits.script))
        self._seen.begin()
        for _ in (1, 2):
            view = await self._carried_out(self._enter(control, value), self.seat.limits.act, reading)
            if view.status is not ActStatus.OK or view.look.kept:
                return view
        return replace(view, status=ActStatus.VALUE_LOST)

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
            await self.page.go_back(wait_until="commit", timeout=self._navigation_ms)
            self._seen.depth = max(0, self._seen.depth - 2)
            return {"status": "ok"}

        return await self._acted(work(), self.seat.limits.navigation + 1.0)

    async def repeat(self) -> StepView:
        """Send the page's last request again, form data included, after the time its server asked for."""

        async def work() -> dict[str, Any]:
            await asyncio.sleep(min(1.0, self._seen.retry_after or 0.0))
            await self.page.reload(wait_until="commit", timeout=self._navigation_ms)
            return {"status": "ok"}

        return await self._acted(work(), self.seat.limits.navigation + 2.0)

    async def fetch_again(self) -> StepView:
        """Ask the server for the page's address anew, without sending any form."""

        async def work() -> dict[str, Any]:
            url = self._seen.last_good if self.page.url.startswith(_ERROR_PAGE) else self.page.url
            await self.page.goto(
                url, wait_until="commit", timeout=patient(self.seat.limits.navigation) * 1000
            )
            return {"status": "ok"}

        return await self._acted(work(), self.seat.limits.navigation + 1.0)

    async def answer(self, accept: bool, text: str | None = None) -> StepView:
        """Answer the native dialog that waits."""

        async def work() -> dict[str, Any]:
            native = self._seen.take_dialog()
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
        session = self._stack.session
        disturbed = self._seen.crashed or self._seen.native is not None or self._parked or self._stack.popup
        if disturbed or session is None:
            return None
        if self.seat.in_place or await self._cleared(session):
            return self._detached(session)
        return None

    async def _cleared(self, session: CDPSession) -> bool:
        try:
            async with asyncio.timeout(patient(_EMPTY_SECONDS)):
                await self.page.evaluate("() => { sessionStorage.clear(); window.name = ''; }")
                # First away from the page: what it stores as it goes is cleared with the rest.
                await self.page.goto("about:blank")
                for origin in self.seat.origins:
                    await session.send(
                        "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}
                    )
                await self.context.clear_cookies()
                await session.send("Page.resetNavigationHistory")
        except (Error, TimeoutError):
            return False
        return True

    def _detached(self, session: CDPSession) -> "EpisodePage":
        self._seen.detach()
        return EpisodePage(self.context, self.page, session, self.seat)

    async def take_over(self, seat: Seat) -> bool:
        """Let a free page serve another episode on the same origins; false when its context must go.

        One that stayed as it was, to start over in place, is emptied for an episode in another place.
        """
        session = self._stack.session
        if self.seat.in_place != seat.in_place and (session is None or not await self._cleared(session)):
            return False
        self.seat = seat
        if seat.headers:
            await self.context.set_extra_http_headers(dict(seat.headers))
        return True

    async def screenshot(self) -> bytes:
        """The page as PNG."""
        try:
            picture: bytes = await self._bounded(self.page.screenshot(timeout=patient(3.0) * 1000), 4.0)
            return picture
        except (Error, TimeoutError) as error:
            raise DriverError(DriverFailure.STUCK, f"no screenshot: {_line(error)}") from error

    # ---- input ------------------------------------------------------------------------------------------

    async def _click(self, control: Control) -> dict[str, Any]:
        ready: dict[str, Any] = await self._ask("prepare", control.token, control.signature)
        if ready["status"] == "ok":
            await self.page.mouse.click(ready["x"], ready["y"])
        return ready

    async def _enter(self, control: Control, value: str) -> dict[str, Any]:
        ready: dict[str, Any] = await self._ask("focusField", control.token, control.signature, value)
        if ready["status"] == "ok":
            await self._type(value, each_key=bool(ready.get("keyed")))
        return {**ready, "status": "ok"} if ready["status"] == "set" else ready

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
        """Carry out a step's only input, and look."""
        self._seen.begin()
        return await self._carried_out(work, seconds or self.seat.limits.act)

    async def _carried_out(
        self, work: Coroutine[Any, Any, dict[str, Any]], seconds: float, reading: Reading = _PLAIN
    ) -> StepView:
        """Carry out an input, let the page come to rest, look. Faults of the page become a status."""
        self._freed = None
        status, detail = ActStatus.OK, ""
        try:
            result = await self._bounded(self._race(asyncio.ensure_future(work)), seconds)
            if result is not None:
                status, detail = ActStatus(result["status"]), str(result.get("detail", ""))
        except TimeoutError:
            status = await self._free()
        except Error as error:
            if self._seen.crashed or _gone(error):
                raise self._fault(error) from error
            # The document went away under the input: what it became is seen by the next look.
            status, detail = (ActStatus.OK, "") if _swapped(error) else (ActStatus.STALE, _line(error))
        return await self._view(status, detail, reading)

    async def _race(self, task: "asyncio.Future[T]") -> T | None:
        """The task's result; `None` when a native dialog came first: the task then waits for its answer."""
        # A parked task ends with its page when the episode does; nobody awaits it then.
        task.add_done_callback(_heard)
        if self._seen.native is not None:
            self._parked.append(task)
            return None
        dialog = asyncio.ensure_future(self._seen.dialog_came.wait())
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
        self._parked.append(task)
        return None

    # ---- looking ----------------------------------------------------------------------------------------

    async def _view(self, status: ActStatus, detail: str, reading: Reading = _PLAIN) -> StepView:
        look = await self._settled_look(reading)
        await self._stack.adopt()
        if self._stack.changed():
            look = await self._settled_look()
        self._last = look
        if self._freed is not None and status is ActStatus.OK:
            status = self._freed
        seen = self._seen
        if seen.blocked and (look.url.startswith(_ERROR_PAGE) or status is ActStatus.OK):
            status, detail = ActStatus.BLOCKED_ORIGIN, seen.blocked
        elif look.url.startswith(_ERROR_PAGE):
            status, detail = ActStatus.TIMEOUT, "no answer"
        if seen.download and status in (ActStatus.OK, ActStatus.TIMEOUT):
            status = ActStatus.DOWNLOAD_REFUSED
        alerts, notes = tuple(seen.alerts), tuple(seen.notes)
        return StepView(look, status, detail, alerts, seen.http_status, notes, seen.scripted)

    async def _settled_look(self, reading: Reading = _PLAIN) -> Look:
        """One evaluation: wait for rest, then read. A document that goes away is looked at again."""
        for attempt in range(6):
            if self._seen.native is not None:
                kind, message = self._seen.native.type, self._seen.native.message
                return Look(url=self.page.url, title="", dialog=Dialog(kind, message[:300]))
            try:
                raw = await self._bounded(
                    self._race(asyncio.ensure_future(self._read(reading))), self.seat.limits.look
                )
            except TimeoutError:
                if attempt >= 2:
                    raise DriverError(DriverFailure.STUCK, "the page cannot be read") from None
                self._freed = await self._free()
                continue
            except Error as error:
                if self._seen.crashed or (_gone(error) and not self._stack.closed):
                    raise self._fault(error) from error
                self._stack.drop_closed()
                await asyncio.sleep(0.01 * (attempt + 1))
                with contextlib.suppress(Error, TimeoutError):
                    await self._bounded(
                        self.page.wait_for_load_state("domcontentloaded", timeout=patient(3.0) * 1000), 3.5
                    )
                continue
            if raw is not None and raw.get("closing") and self._stack.popup:
                await self._stack.until_closed()
                continue
            if raw is not None:
                if raw.get("opened"):
                    await self._stack.until_opened()
                popup = self._stack.popup
                return look_of(raw, can_go_back=self._seen.depth > 1 and not popup, popup=popup)
        raise DriverError(DriverFailure.STUCK, "the page does not come to rest")

    async def _read(self, reading: Reading = _PLAIN) -> dict[str, Any]:
        # As one text: Playwright's own notation of nested values costs more than the reading itself.
        asked = json.dumps({**self.seat.limits.reading, **vars(reading)})
        text: str | None = await self.page.evaluate(_READ, asked)
        raw: dict[str, Any] | None = json.loads(text) if text else None
        if raw is None:
            # Error pages of the browser's own do not run our script.
            return {
                "url": self.page.url, "title": "", "status": 0, "controls": [], "lines": [], "scrollers": [],
                "cutControls": 0, "cutLines": 0, "skippedFrames": 0, "kept": True, "leftOver": "",
                "pressLost": False,
            }  # fmt: skip
        return raw

    # ---- recovery ---------------------------------------------------------------------------------------

    async def _free(self) -> ActStatus:
        """Make a page that does not answer answer again.

        While a navigation waits for its server, Chromium holds back everything sent to the page: stop it
        first. If that was not it, stop the script that keeps the page busy.
        """
        session = self._stack.session
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
        return await asyncio.wait_for(work, patient(seconds))

    def _fault(self, error: Error) -> DriverError:
        failure = DriverFailure.RENDERER if self._seen.crashed else DriverFailure.BROWSER
        return DriverError(failure, _line(error))


def _gone(error: Error) -> bool:
    text = error.message
    return "Target closed" in text or "has been closed" in text or "Connection closed" in text


def _heard(task: "asyncio.Future[Any]") -> None:
    """Take note of a task's error, so that the loop does not complain that nobody did."""
    if not task.cancelled():
        task.exception()


def _swapped(error: Error) -> bool:
    text = error.message
    return "context was destroyed" in text or "Cannot find context" in text or "navigat" in text


def _line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
