"""What a flow file may say. Field names are the file's keys."""

from datetime import datetime
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from rlaios_core.schema import Model


class SecretEntry(Model):
    """A payload entry that is read from an environment variable and shown nowhere."""

    secret: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="Name of the environment variable.")


class Visible(Model):
    """Something a person can see: all that is given must hold for one and the same place."""

    text: str = Field(default="", description="Text that stands somewhere on the page, letter case aside.")
    selector: str = Field(default="", description="CSS selector of a visible element, which has the text.")

    @model_validator(mode="after")
    def _something_is_given(self) -> Self:
        if not (self.text or self.selector):
            raise ValueError("visible needs text or selector")
        return self


class HttpCheck(Model):
    """A JSON answer of an allowed origin, asked for by us and not by the page."""

    url: str
    path: str = Field(default="", description="Keys and positions by dots, such as orders.0.state.")
    equals: str | int | float | bool | None = None


class CookieCheck(Model):
    """A cookie of the context."""

    name: str
    value: str | None = Field(default=None, description="Exact value; left out, any will do.")


class Predicate(Model):
    """One thing that can be true of the world; exactly one kind is given."""

    url: str = Field(
        default="", description="Address of the page; * stands for anything but /, ** for anything."
    )
    visible: Visible | None = None
    http: HttpCheck | None = None
    cookie: CookieCheck | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        given = [bool(self.url), self.visible is not None, self.http is not None, self.cookie is not None]
        if sum(given) != 1:
            raise ValueError("give exactly one of url, visible, http, cookie")
        return self


class Condition(Model):
    """All of `all` and, where `any` is given, at least one of it."""

    all: tuple[Predicate, ...] = ()
    any: tuple[Predicate, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it asks for nothing."""
        return not (self.all or self.any)


class FlowStep(Model):
    """One step of the recorded way: a verb, the beginning of the target as actions show it, and its value."""

    do: Literal["click", "fill", "select", "press", "scroll", "wait", "back", "accept", "dismiss"]
    on: str = ""
    use: str = Field(default="", description="Payload entry to fill in, or option to select.")


Origin = Annotated[str, Field(pattern=r"^https?://[^/\s]+$")]


class Flow(Model):
    """A flow on somebody's own site."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,40}$")
    enabled: bool = Field(default=False, description="Off until you have checked it.")
    start: str = Field(description="Address where it begins.")
    origins: tuple[Origin, ...] = Field(min_length=1, description="Nothing else is ever reached.")
    task: str = Field(min_length=3, description="What to do, in words.")
    payload: dict[str, str | SecretEntry] = Field(default_factory=dict)
    leave: bool = Field(default=False, description="Whether sensitive buttons may be pressed.")
    sensitive: tuple[str, ...] = Field(default=(), description="Sensitive words beside ours.")
    state: str = Field(default="", description="Authentication state file, relative to the flow file.")
    authenticated: Condition = Field(
        default=Condition(), description="What shows at the start that it is valid."
    )
    success: Condition
    forbidden: Condition = Condition()
    handoff: Condition = Field(default=Condition(), description="When a person is rightly called.")
    steps: int = Field(default=20, ge=1, le=200, description="Step budget.")
    clock: datetime | None = Field(default=None, description="What `Date` starts from in the pages.")
    viewport: tuple[int, int] = (1280, 720)
    locale: str = "en-GB"
    time_zone: str = "UTC"
    reference: tuple[FlowStep, ...] = Field(default=(), description="A way that works, as recorded.")

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        if _origin(self.start) not in self.origins:
            raise ValueError(f"start: its origin {_origin(self.start)} is not among origins")
        for check in (*self.success.all, *self.success.any, *self.forbidden.all, *self.forbidden.any):
            if check.http is not None and _origin(check.http.url) not in self.origins:
                raise ValueError(f"http: the origin of {check.http.url} is not among origins")
        if self.success.empty:
            raise ValueError("success needs at least one predicate")
        for step in self.reference:
            if step.do == "fill" and step.use not in self.payload:
                raise ValueError(f"reference: there is no payload entry {step.use!r}")
        return self


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
