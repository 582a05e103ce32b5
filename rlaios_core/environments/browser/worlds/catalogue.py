"""Task sources by name."""

from pathlib import Path

from rlaios_core.environments.base import UnavailableError
from rlaios_core.environments.browser.worlds.base import TaskSource
from rlaios_core.environments.browser.worlds.bundled import SiteSource
from rlaios_core.environments.browser.worlds.flows import FlowSource
from rlaios_core.environments.browser.worlds.miniwob import MiniWobSource

SOURCES = ("site", "miniwob", "flow")


def make_sources(names: str, reset: str, flows: str | None = None) -> list[TaskSource]:
    """The sources that `names` lists by commas; `flows` is the folder of flow files.

    Raises `UnavailableError` for what cannot be had.
    """
    if reset not in ("fresh", "soft"):
        raise UnavailableError(f"browser reset {reset!r}: it is fresh or soft")
    reuse = reset == "soft"
    sources: list[TaskSource] = []
    for name in (part.strip() for part in names.split(",")):
        if name == SiteSource.name:
            sources.append(SiteSource(reuse=reuse))
        elif name == MiniWobSource.name:
            sources.append(MiniWobSource(reuse=reuse))
        elif name == FlowSource.name:
            if flows is None:
                raise UnavailableError("browser source 'flow': name the folder of flow files (option flows)")
            sources.append(FlowSource.of(Path(flows)))
        else:
            raise UnavailableError(f"browser source {name!r}: known are {', '.join(SOURCES)}")
    return sources
