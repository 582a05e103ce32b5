"""Web flows in a real browser: a bundled site, a person's own flows, and public tasks."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlaios_core.environments.browser.environment import BrowserEnvironment


def create(
    concurrency: int = 8,
    executable: str | None = None,
    reset: str = "fresh",
    source: str = "site",
    screenshots: int = 20,
    artifacts: str | None = None,
) -> "BrowserEnvironment":
    """The browser environment with `concurrency` episodes at once.

    `source` is `site` (the bundled site) or `miniwob` (public tasks), or both by a comma; tasks then take turns.
    `reset` is `fresh` (a context of its own for every episode) or `soft` (training episodes on the bundled
    site share contexts that are emptied in between). At most `screenshots` pictures of failures go to the
    folder `artifacts`. Raises `UnavailableError` where Playwright is not installed.
    """
    from pathlib import Path

    from rlaios_core.environments.base import UnavailableError

    try:
        import playwright  # noqa: F401
    except ImportError as error:
        raise UnavailableError(
            "the browser environment needs Playwright: pip install 'rlaios[browser]', then scripts/browser"
        ) from error
    from rlaios_core.environments.browser.driver import BrowserWorker, WorkerSettings
    from rlaios_core.environments.browser.environment import BrowserEnvironment
    from rlaios_core.environments.browser.screenshots import Screenshots
    from rlaios_core.environments.browser.worlds.catalogue import make_sources

    sources = make_sources(source, reset)
    hosts = tuple(dict.fromkeys(host for source in sources for host in source.hosts()))
    worker = BrowserWorker(WorkerSettings(executable=executable, hosts=hosts))
    folder = Path(artifacts) if artifacts else None
    return BrowserEnvironment(sources, worker, concurrency, Screenshots(folder, screenshots))
