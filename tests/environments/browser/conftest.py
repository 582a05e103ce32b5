from collections.abc import Iterator

import pytest

from rlaios_core.environments.browser import create
from rlaios_core.environments.browser.driver import BrowserWorker
from rlaios_core.environments.browser.environment import BrowserEnvironment
from tests.environments.browser.pages import PageServer


@pytest.fixture(scope="session")
def worker() -> Iterator[BrowserWorker]:
    """One browser for all tests that do not harm it."""
    worker = BrowserWorker()
    yield worker
    worker.close()


@pytest.fixture
def pages() -> Iterator[PageServer]:
    """A server for pages made up by a test."""
    server = PageServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[BrowserEnvironment]:
    """The environment on the bundled site."""
    environment = create(screenshots=0)
    yield environment
    environment.close()
