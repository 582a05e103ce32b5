"""Where an episode takes place, and within which bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rlaios_core.environments.browser.driver.patience import patient


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
    def reading(self) -> dict[str, Any]:
        """The bounds of settling and of reading, in milliseconds and numbers."""
        settle = {
            "navigation": patient(self.navigation) * 1000,
            "requests": patient(self.requests) * 1000,
        }
        return {"settle": settle, "look": self.script}


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


def proxy_bypass(origins: Sequence[str]) -> str:
    """The only addresses that do not go to a proxy where nothing listens: redirects and sockets included."""
    sockets = [origin.replace("http", "ws", 1) for origin in origins]
    return ",".join(["<-loopback>", *origins, *sockets])
