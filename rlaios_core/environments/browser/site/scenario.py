"""A task of the bundled site as a running application: its pages, its state, and what is true of it.

Everything is judged here, on the server's side, from what was really submitted: the browser has no way
to reach it but by requests. One scenario serves one episode.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rlaios_core.environments.browser.site.blocks import (
    Bar,
    Block,
    Button,
    Intent,
    Modal,
    Note,
    Op,
    Page,
)
from rlaios_core.environments.browser.site.people import Person, draw_person
from rlaios_core.environments.browser.site.render import Renderer
from rlaios_core.environments.browser.site.spec import Mechanic, SiteSpec
from rlaios_core.environments.browser.site.words import POOLS, Wording, rng_of


@dataclass(frozen=True)
class Reply:
    """An answer of the server. `delay` seconds pass before it is sent."""

    status: int
    body: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0


@dataclass(frozen=True)
class Entry:
    """One entry of the task's payload; a secret's value is never shown."""

    value: str
    secret: bool = False


@dataclass(frozen=True)
class Trouble:
    """What a submission meets instead of an answer. `received` says that it arrived all the same."""

    status: int
    concept: str
    retry_after: int | None = None
    received: bool = False


class Scenario(ABC):
    """One running task. Public methods are thread-safe."""

    family: ClassVar[str]
    handoff_share: ClassVar[float] = 0.0
    budget: ClassVar[int] = 20

    def __init__(self, spec: SiteSpec) -> None:
        self.spec = spec
        self.words = Wording(POOLS[spec.split], spec.seed)
        self.rng = rng_of(spec.seed, "scenario")
        self.person: Person = draw_person(rng_of(spec.seed, "person"))
        self.render = Renderer(spec)
        self.payload: dict[str, Entry] = {}
        self.leave = True
        self.act = ""
        self.task = ""
        self.violations: list[str] = []
        self.troubles: list[Trouble] = []
        self.met: Trouble | None = None
        self.requests = 0
        self.submissions = 0
        self.partner = ""
        self.home = ""
        self._dismissed: set[str] = set()
        self._lock = threading.RLock()
        self._delays = rng_of(spec.seed, "delays")
        self.set_up()
        if self.has(Mechanic.TRANSIENT) and not self.troubles:
            self.troubles.append(Trouble(503, "t_trouble", self.rng.choice((None, 1))))

    # ---- what a family says -----------------------------------------------------------------------------

    @abstractmethod
    def set_up(self) -> None:
        """Draw the task: payload, leave, troubles; set `task` to its instruction."""

    @abstractmethod
    def page(self, path: str) -> Page | None:
        """The page at a path as things stand; `None` where there is none. Changes nothing."""

    @abstractmethod
    def submit(self, path: str, form: Mapping[str, str], pressed: str) -> Page | str:
        """Take a submission: a path to go to, or a page that says what is wrong."""

    @abstractmethod
    def progress(self) -> tuple[int, int]:
        """How many of how many milestones are verified; all of them is the goal."""

    def handoff_due(self) -> bool:
        """Whether a person is rightly called at this point."""
        return False

    def stop_is_right(self) -> bool:
        """Whether ending without the goal is as right as a hand-off."""
        return False

    def viewed(self, path: str) -> None:  # noqa: B027 - most families need not know
        """A page was served."""

    def gate(self, method: str, path: str) -> str | None:  # noqa: ARG002
        """A path to go to instead of the one asked for."""
        return None

    def confirm_dialog(self) -> bool:
        """What the reference answers a native question."""
        return True

    # ---- helpers for families ---------------------------------------------------------------------------

    def say(self, concept: str, **values: str) -> str:
        """The task's wording of a concept."""
        return self.words.say(concept, **values)

    def has(self, mechanic: Mechanic) -> bool:
        """Whether the task has this mechanic."""
        return mechanic in self.spec.mechanics

    def label(self, entry: str) -> str:
        """The wording of the field that an entry called like its concept belongs to."""
        return self.say("l_" + entry.replace(" ", "_"))

    def give(self, **entries: str) -> None:
        """Add payload entries; underscores in names become blanks."""
        for name, value in entries.items():
            self.payload[name.replace("_", " ")] = Entry(value)

    def secret(self, name: str, value: str) -> None:
        """Add a secret payload entry."""
        self.payload[name] = Entry(value, secret=True)

    def value(self, form: Mapping[str, str], key: str) -> str:
        """What was submitted in the field `key`."""
        return form.get(self.render.ident(key), "").strip()

    def violate(self, what: str) -> None:
        """Note a forbidden act."""
        if what not in self.violations:
            self.violations.append(what)

    def achieved(self) -> bool:
        """Whether the goal is reached and nothing forbidden was done."""
        done, total = self.progress()
        return done >= total and not self.violations

    @property
    def act_without_leave(self) -> str:
        """What the task leaves to a person, in its own words; empty when it leaves nothing."""
        return "" if self.leave else self.say(self.act)

    @property
    def about_leave(self) -> str:
        """What the task says about leave for its act; nothing when there is no such act."""
        if not self.act:
            return ""
        return self.say("leave_yes") if self.leave else self.say("leave_no", act=self.act_without_leave)

    @property
    def instruction(self) -> str:
        """The task in words: what to do, what may be done, and the payload without secrets."""
        parts = [self.task]
        if self.about_leave:
            parts.append(self.about_leave)
        parts += [
            f"{name} = {'(secret)' if entry.secret else entry.value};" for name, entry in self.payload.items()
        ]
        return " ".join(parts)

    # ---- serving ----------------------------------------------------------------------------------------

    def respond(self, method: str, path: str, query: Mapping[str, str], form: Mapping[str, str]) -> Reply:
        """Answer one request."""
        with self._lock:
            self.requests += 1
            if path == "/_seen":
                self._dismissed.add(query.get("what", ""))
                return Reply(204)
            delay = self._delay(method)
            elsewhere = self.gate(method, path)
            if elsewhere is not None and elsewhere != path:
                return self._redirect(elsewhere, delay)
            if method == "POST":
                return replace(self._post(path, form), delay=delay)
            page = self.page(path)
            if page is None:
                return self._document(
                    Page(self.say("t_nothing"), (Note(self.say("t_nothing")),), status=404), delay
                )
            self.viewed(path)
            self.met = None
            return self._document(page, delay)

    def _post(self, path: str, form: Mapping[str, str]) -> Reply:
        self.submissions += 1
        if self.troubles and self.counts_as_submission(path):
            self.met = self.troubles.pop(0)
            if self.met.received:
                self.submit(path, form, self._pressed(form))
            page = Page(
                self.say(self.met.concept),
                (Note(self.say(self.met.concept), "alert"),),
                status=self.met.status,
                retry_after=self.met.retry_after,
            )
            return self._document(page, 0.0)
        answer = self.submit(path, form, self._pressed(form))
        self.met = None
        if isinstance(answer, str):
            return self._redirect(answer, 0.0)
        return self._document(answer, 0.0)

    def counts_as_submission(self, path: str) -> bool:  # noqa: ARG002
        """Whether trouble may meet a submission to this path."""
        return True

    def _pressed(self, form: Mapping[str, str]) -> str:
        """The id of the button that submitted the form."""
        for name in form:
            if name.startswith("do."):
                return name[3:]
        return form.get("do", "")

    def pressed(self, pressed: str, key: str) -> bool:
        """Whether the button called `key` was the one."""
        return pressed == self.render.ident(key)

    def _redirect(self, path: str, delay: float) -> Reply:
        return Reply(303, headers=(("Location", path),), delay=delay)

    def _document(self, page: Page, delay: float) -> Reply:
        headers = (("Retry-After", str(page.retry_after)),) if page.retry_after is not None else ()
        navigation = () if page.bare else self.navigation()
        overlays = () if page.bare else self.overlays()
        body = self.render.document(page, navigation, overlays)
        return Reply(page.status, body, headers, delay)

    def _delay(self, method: str) -> float:
        if not self.has(Mechanic.SLOW):
            return 0.0
        return self._delays.uniform(0.1, 0.4) if method == "POST" else self._delays.uniform(0.0, 0.1)

    # ---- what surrounds every page ----------------------------------------------------------------------

    def navigation(self) -> Sequence[Button]:
        """Links that lead nowhere useful."""
        return (
            Button("nav.home", self.say("home"), "link", "/"),
            Button("nav.about", self.say("about"), "link", "/about"),
            Button("nav.help", self.say("help"), "link", "/help"),
        )

    def overlays(self) -> Sequence[Block]:
        """Notices that lie over the page until they are dismissed."""
        found: list[Block] = []
        if self.has(Mechanic.COOKIE) and "cookies" not in self._dismissed:
            buttons = Bar(
                (
                    Button("cookies.accept", self.say("accept_cookies"), "closes", "cookies"),
                    Button("cookies.reject", self.say("reject_cookies"), "closes", "cookies"),
                )
            )
            strip = self.spec.seed % 3 == 0
            found.append(Modal("cookies", self.say("t_cookies"), (buttons,), shown=True, strip=strip))
        if self.has(Mechanic.PROMO) and "promo" not in self._dismissed:
            buttons = Bar(
                (
                    Button("promo.more", self.say("subscribe_promo"), "link", "/about"),
                    Button("promo.close", self.say("close"), "closes", "promo"),
                )
            )
            found.append(Modal("promo", self.say("t_promo"), (buttons,), shown=True))
        return found

    def side_page(self, path: str) -> Page | None:
        """The pages behind the navigation's links."""
        if path in ("/about", "/help"):
            return Page(self.say(path[1:]), (Note(self.say("t_nothing")),), (Intent(Op.CLICK, "nav.home"),))
        return None

    def intents(self, path: str) -> list[Intent]:
        """What the reference would do on the page at `path`, most wanted first."""
        with self._lock:
            first = [Intent(Op.CLICK, "promo.close"), Intent(Op.CLICK, "cookies.reject")]
            page = self.page(path)
            return [*first, *(page.plan if page is not None else (Intent(Op.CLICK, "nav.home"),))]


def sleep_for(reply: Reply) -> None:
    """Let the answer's delay pass."""
    if reply.delay:
        time.sleep(reply.delay)
