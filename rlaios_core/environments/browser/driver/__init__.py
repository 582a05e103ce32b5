"""A real Chromium behind a small synchronous face, with a bound on every call."""

from rlaios_core.environments.browser.driver.chromium import BrowserMissingError
from rlaios_core.environments.browser.driver.episode_page import EpisodePage
from rlaios_core.environments.browser.driver.errors import DriverError, DriverFailure
from rlaios_core.environments.browser.driver.generation import WorkerSettings
from rlaios_core.environments.browser.driver.seat import Limits, Seat
from rlaios_core.environments.browser.driver.view import ActStatus, Control, Dialog, Look, StepView
from rlaios_core.environments.browser.driver.worker import BrowserWorker

__all__ = [
    "ActStatus",
    "BrowserMissingError",
    "BrowserWorker",
    "Control",
    "Dialog",
    "DriverError",
    "DriverFailure",
    "EpisodePage",
    "Limits",
    "Look",
    "Seat",
    "StepView",
    "WorkerSettings",
]
