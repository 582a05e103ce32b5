"""Finding a browser: the one rule, used everywhere."""

import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Error, Playwright

from rlaios_core.environments.browser.driver.errors import DriverError, DriverFailure
from rlaios_core.environments.browser.driver.patience import patient

VARIABLE = "RLAIOS_CHROMIUM"
# The wrapper /usr/bin/chromium-headless-shell does not exec, so killing it leaves the browser behind.
_SYSTEM = (
    "/usr/lib/chromium/chromium-headless-shell",
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
"""Added to Playwright's own; the last keeps WebRTC from going round the list of allowed origins."""
_SLOW = "RenderDocument"
"""Chromium's rebuilding of everything around a document at each navigation: two fifths of its cost."""
_DISABLED = re.compile(r"--disable-features=(\S+)")


class BrowserMissingError(Exception):
    """There is no browser here; the message says how to install one."""


@dataclass(frozen=True)
class Build:
    """Which browser is running: `source` is `setting`, `playwright` or `system`."""

    source: str
    path: str
    version: str


def explicit_path(setting: str | None) -> str | None:
    """The browser that a person asked for, if any."""
    return setting or os.environ.get(VARIABLE) or None


def system_browsers(*, headless: bool = True) -> list[str]:
    """Browsers of the system; the headless shell, which Playwright prefers too, first where it will do."""
    names = [name for name in _SYSTEM if headless or "headless" not in name]
    found = [name if Path(name).is_file() else shutil.which(name) for name in names]
    return list(dict.fromkeys(path for path in found if path))


async def launch(
    playwright: Playwright, setting: str | None, hosts: Sequence[str], *, sandbox: bool, headless: bool = True
) -> tuple[Browser, Build]:
    """Start a browser that resolves `hosts` only.

    An explicit setting is used or fails; else Playwright's own browser, else the system's. Raises
    `BrowserMissingError` when there is none, `DriverError` when the one that is there does not start.
    """
    excluded = ", ".join(f"EXCLUDE {host}" for host in hosts)
    flags = [*FLAGS, f"--host-resolver-rules=MAP * ~NOTFOUND, {excluded}", *await _less_work(playwright)]

    async def start(path: str | None) -> Browser:
        return await playwright.chromium.launch(
            executable_path=path,
            headless=headless,
            args=flags,
            chromium_sandbox=sandbox,
            timeout=patient(20.0) * 1000,
        )

    wanted = explicit_path(setting)
    if wanted:
        try:
            browser = await start(wanted)
        except Error as error:
            raise BrowserMissingError(
                f"the browser {wanted} does not start ({_first_line(error)}); correct or unset {VARIABLE}"
            ) from error
        return browser, Build("setting", wanted, browser.version)
    try:
        browser = await start(None)
    except Error as error:
        if "Executable doesn't exist" not in error.message:
            raise DriverError(DriverFailure.BROWSER, _first_line(error)) from error
    else:
        return browser, Build("playwright", "", browser.version)
    for path in system_browsers(headless=headless):
        try:
            browser = await start(path)
        except Error as error:
            raise DriverError(DriverFailure.BROWSER, f"{path}: {_first_line(error)}") from error
        return browser, Build("system", path, browser.version)
    raise BrowserMissingError(
        "no browser was found: run `scripts/browser` (Debian or Ubuntu: apt-get install "
        f"chromium-headless-shell; elsewhere: playwright install chromium), or set {VARIABLE} to one"
    )


async def _less_work(playwright: Playwright) -> list[str]:
    """The flag that switches off what is slow, and nothing else that was on.

    Chromium heeds the last of several lists only, so ours repeats Playwright's, which Playwright tells when
    a program that is no browser is started in a browser's place. Nothing when it does not.
    """
    nobody = shutil.which("false")
    if nobody is None:
        return []
    try:
        await playwright.chromium.launch(executable_path=nobody, timeout=patient(5.0) * 1000)
    except Error as error:
        theirs = _DISABLED.search(error.message)
        return [f"--disable-features={theirs[1]},{_SLOW}"] if theirs else []
    return []


def _first_line(error: Error) -> str:
    return error.message.splitlines()[0]
