"""Web flows in a real browser: a bundled site, a person's own flows, and public tasks."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rlaios_core.environments.browser.environment import BrowserEnvironment
    from rlaios_core.environments.browser.worlds import TaskSource


def create(
    concurrency: int = 8,
    executable: str | None = None,
    reset: str = "fresh",
    source: str = "site",
    flows: str | None = None,
    screenshots: int = 20,
    artifacts: str | None = None,
) -> "BrowserEnvironment":
    """The browser environment with `concurrency` episodes at once.

    `source` is `site` (the bundled site), `miniwob` (public tasks) or `flow` (the enabled files in `flows`),
    or several by commas; tasks then take turns. `reset` is `fresh` (a context of its own for every episode)
    or `soft` (training episodes on the bundled site, and public tasks, share contexts that are emptied in
    between). At most `screenshots` pictures of failures go to the folder `artifacts` (default:
    artifacts/browser in RLAIOS_HOME, else in ./var).

    Raises `UnavailableError` where Playwright, a package or a flow that was asked for is missing.
    """
    import os
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

    sources = make_sources(source, reset, flows)
    hosts = tuple(dict.fromkeys(host for source in sources for host in source.hosts()))
    worker = BrowserWorker(WorkerSettings(executable=executable, hosts=hosts, sandbox=_sandboxed(sources)))
    folder = Path(
        artifacts or Path(os.environ.get("RLAIOS_HOME") or "var") / "artifacts" / "browser"
    ).resolve()
    return BrowserEnvironment(sources, worker, concurrency, Screenshots(folder, screenshots))


def _sandboxed(sources: "Sequence[TaskSource]") -> bool:
    """Chromium's own sandbox is on for pages that are not ours; root cannot have it."""
    import os

    return os.geteuid() != 0 and any(source.name == "flow" for source in sources)
