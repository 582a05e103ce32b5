"""Environments by name: plug-ins of the entry-point group `rlaios.environments`."""

from importlib.metadata import entry_points

from rlaios_core.environments.base import Environment

GROUP = "rlaios.environments"


class UnknownEnvironmentError(LookupError):
    """No plug-in of that name is installed."""


def names() -> tuple[str, ...]:
    """The installed environments, in alphabetical order."""
    return tuple(sorted({entry.name for entry in entry_points(group=GROUP)}))


def create(name: str, **options: object) -> Environment:
    """Make the environment called `name`; `options` go to its factory."""
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            environment: Environment = entry.load()(**options)
            return environment
    raise UnknownEnvironmentError(
        f"no environment called {name!r}; installed: {', '.join(names()) or 'none'}"
    )
