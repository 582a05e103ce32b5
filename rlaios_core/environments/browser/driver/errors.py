"""The one error type of the driver's boundary."""

from enum import StrEnum


class DriverFailure(StrEnum):
    """Which of our own parts failed; pages that misbehave are no failure of the driver."""

    DRIVER = "driver"
    """The driver process died or could not be started."""
    BROWSER = "browser"
    """The browser process died or could not be started."""
    RENDERER = "renderer"
    """The process behind a page crashed."""
    STUCK = "stuck"
    """A call passed its bound and the page could not be freed."""
    START = "start"
    """The start page could not be reached."""
    CLOSED = "closed"
    """The worker is closed."""


class DriverError(Exception):
    """The browser could not do its work: says nothing about the student."""

    def __init__(self, failure: DriverFailure, message: str) -> None:
        super().__init__(f"{failure.value}: {message}")
        self.failure = failure
