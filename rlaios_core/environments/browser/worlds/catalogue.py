"""Task sources by name."""

from rlaios_core.environments.base import UnavailableError
from rlaios_core.environments.browser.worlds.base import TaskSource
from rlaios_core.environments.browser.worlds.bundled import SiteSource
from rlaios_core.environments.browser.worlds.miniwob import MiniWobSource

SOURCES = ("site", "miniwob")


def make_sources(names: str, reset: str) -> list[TaskSource]:
    """The sources that `names` lists by commas. Raises `UnavailableError` for what cannot be had."""
    if reset not in ("fresh", "soft"):
        raise UnavailableError(f"browser reset {reset!r}: it is fresh or soft")
    reuse = reset == "soft"
    sources: list[TaskSource] = []
    for name in (part.strip() for part in names.split(",")):
        if name == SiteSource.name:
            sources.append(SiteSource(reuse=reuse))
        elif name == MiniWobSource.name:
            sources.append(MiniWobSource(reuse=reuse))
        else:
            raise UnavailableError(f"browser source {name!r}: known are {', '.join(SOURCES)}")
    return sources
