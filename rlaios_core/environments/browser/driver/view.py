"""What one look at a page gives, as plain data."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit


class ActStatus(StrEnum):
    """What came of an input, in one word."""

    OK = "ok"
    """Carried out."""
    ABSENT = "absent"
    """The control is not on the page any more."""
    STALE = "stale"
    """The control was replaced and what took its place could not be told for sure."""
    DISABLED = "disabled"
    """The control takes no input."""
    COVERED = "covered"
    """Something else lies over it."""
    OFFSCREEN = "offscreen"
    """It cannot be brought into view."""
    BLOCKED_ORIGIN = "blocked_origin"
    """It led to an origin that is not allowed."""
    BUSY = "busy"
    """A script of the page did not come to an end and was stopped."""
    TIMEOUT = "timeout"
    """The page or its server did not answer in time."""
    VALUE_LOST = "value_lost"
    """The field did not keep what was entered, twice."""
    DOWNLOAD_REFUSED = "download_refused"
    """It led to a download; nothing was saved."""


@dataclass(frozen=True)
class Control:
    """One thing that takes input. `token` names it for the driver; `id` and `href` are never shown."""

    token: int
    signature: str
    role: str
    name: str
    row: str = ""
    section: str = ""
    dialog: bool = False
    tag: str = ""
    type: str = ""
    value: str = ""
    length: int = 0
    checked: bool | None = None
    selected: bool | None = None
    expanded: bool | None = None
    disabled: bool = False
    covered: str = ""
    offscreen: bool = False
    required: bool = False
    invalid: str = ""
    placeholder: str = ""
    autocomplete: str = ""
    options: tuple[str, ...] = ()
    option_count: int = 0
    submit: bool = False
    form: int = -1
    popup: str = ""
    download: bool = False
    href: str = ""
    nth: int = 1
    id: str = ""
    secret: bool = False
    keyed: bool = False

    @property
    def in_navigation(self) -> bool:
        """Whether it stands in a navigation of the page."""
        return self.section.startswith("navigation")


@dataclass(frozen=True)
class Line:
    """One line of visible text: `kind` is heading, alert, status, row or text."""

    kind: str
    text: str


@dataclass(frozen=True)
class Scroller:
    """Something that scrolls; 0 is the page itself. `up` and `down` say whether there is more."""

    token: int
    name: str
    up: bool
    down: bool


@dataclass(frozen=True)
class Dialog:
    """A native dialog that waits: `kind` is confirm or prompt."""

    kind: str
    message: str


@dataclass(frozen=True)
class Look:
    """Everything that can be seen and done at one moment.

    `kept`: a field that was filled just before still had its entry. `left_over`: what of an earlier episode
    was found in a context that should be empty. `press_lost`: the last press hit what was replaced under it.
    """

    url: str
    title: str
    controls: tuple[Control, ...] = ()
    lines: tuple[Line, ...] = ()
    scrollers: tuple[Scroller, ...] = ()
    dialog: Dialog | None = None
    status: int = 0
    cut_controls: int = 0
    cut_lines: int = 0
    skipped_frames: int = 0
    can_go_back: bool = False
    popup: bool = False
    kept: bool = True
    left_over: str = ""
    press_lost: bool = False

    @property
    def modal(self) -> bool:
        """Whether a window on the page holds a control."""
        return any(control.dialog for control in self.controls)

    @property
    def path(self) -> str:
        """The path of the page's address."""
        return urlsplit(self.url).path or "/"

    @property
    def complains(self) -> bool:
        """Whether an alert is shown or an entry marked as wrong."""
        return any(line.kind == "alert" for line in self.lines) or any(c.invalid for c in self.controls)

    @property
    def digest(self) -> int:
        """Equal for pages that show the same (within this process)."""
        shown = [(c.signature, c.value, c.length, c.checked, c.selected, c.disabled) for c in self.controls]
        return hash((self.url, self.dialog, self.lines, tuple(shown)))


@dataclass(frozen=True)
class StepView:
    """A look, and what came of the input before it. `scripted`: a script of the page got the last answer."""

    look: Look
    status: ActStatus = ActStatus.OK
    detail: str = ""
    alerts: tuple[str, ...] = ()
    http_status: int = 0
    events: tuple[str, ...] = field(default=())
    scripted: bool = False


def look_of(raw: dict[str, Any], **more: Any) -> Look:
    """The script's answer as a `Look`."""
    controls = [Control(**{**entry, "options": tuple(entry.get("options", ()))}) for entry in raw["controls"]]
    return Look(
        url=raw["url"],
        title=raw["title"],
        controls=tuple(controls),
        lines=tuple(Line(*entry) for entry in raw["lines"]),
        scrollers=tuple(Scroller(**entry) for entry in raw["scrollers"]),
        status=raw["status"],
        cut_controls=raw["cutControls"],
        cut_lines=raw["cutLines"],
        skipped_frames=raw["skippedFrames"],
        kept=raw["kept"],
        left_over=raw["leftOver"],
        press_lost=raw["pressLost"],
        **more,
    )
