"""The pages of one episode: the first one, and popups that inputs opened, the newest in play."""

import asyncio
import contextlib
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from rlaios_core.environments.browser.driver.happenings import Happenings, quietly
from rlaios_core.environments.browser.driver.patience import patient

_MAX_PAGES = 3
_CLOSING_SECONDS = 2.0
_OPENING_SECONDS = 2.0
_BLANK = "about:blank"


class PageStack:
    """Adopts popups of allowed origins, closes others, returns when one closes."""

    def __init__(self, context: BrowserContext, first: Page, session: CDPSession, seen: Happenings) -> None:
        self._context = context
        self._seen = seen
        self._pages = [first]
        self._sessions: dict[Page, CDPSession] = {first: session}
        self._changed = False

    @property
    def page(self) -> Page:
        """The page in play."""
        return self._pages[-1]

    @property
    def session(self) -> CDPSession | None:
        """The DevTools session of the page in play."""
        return self._sessions.get(self.page)

    @property
    def popup(self) -> bool:
        """Whether the page in play is a popup."""
        return len(self._pages) > 1

    @property
    def closed(self) -> bool:
        """Whether the popup in play has closed."""
        return self.popup and self.page.is_closed()

    async def adopt(self) -> None:
        """Go over to pages that were opened."""
        new, self._seen.new_pages = self._seen.new_pages, []
        for page in new:
            if page.is_closed():
                continue
            if len(self._pages) >= _MAX_PAGES:
                await quietly(page.close())
                continue
            await quietly(page.wait_for_load_state("domcontentloaded", timeout=patient(3.0) * 1000))
            if page.url == _BLANK:
                # A window begins blank, and stays so until its server answers or for good.
                await quietly(
                    page.wait_for_url(
                        lambda url: url != _BLANK, wait_until="domcontentloaded", timeout=patient(1.5) * 1000
                    )
                )
            if page.is_closed():
                continue
            if not self._seen.allowed(page.url):
                self._seen.notes.append("closed a page of another origin")
                self._seen.blocked = self._seen.blocked or urlsplit(page.url).netloc
                await quietly(page.close())
                continue
            self._pages.append(page)
            self._seen.watch(page)
            with contextlib.suppress(Error):
                self._sessions[page] = await self._context.new_cdp_session(page)
            self._seen.notes.append("a new page opened")
            self._changed = True

    def changed(self) -> bool:
        """Whether another page came into play since this was last asked."""
        changed, self._changed = self._changed, False
        if self.closed:
            self.drop_closed()
            changed = True
        return changed

    def drop_closed(self) -> None:
        """Back to the newest page that is open."""
        while self.closed:
            self._sessions.pop(self._pages.pop(), None)
            self._seen.notes.append("the page closed, back on the page before")

    async def until_opened(self) -> None:
        """Wait for a page whose opener has it already."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patient(_OPENING_SECONDS)):
                while not self._seen.new_pages:
                    await asyncio.sleep(0.005)

    async def until_closed(self) -> None:
        """Wait for a popup that said it closes; one that does not is closed by us."""
        page = self.page
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patient(_CLOSING_SECONDS)):
                while not page.is_closed():
                    await asyncio.sleep(0.02)
        if not page.is_closed():
            await quietly(page.close())
        self.drop_closed()
