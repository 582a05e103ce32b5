"""Whether a predicate holds: by the page's address, what it shows, its cookies, or an answer over HTTP."""

import json
import re
import urllib.request
from collections.abc import Sequence
from typing import Any
from urllib.error import URLError

from rlaios_core.environments.browser.driver import EpisodePage, Look
from rlaios_core.environments.browser.flows.model import Condition, HttpCheck, Predicate, Visible
from rlaios_core.environments.browser.worlds.base import Run

_HTTP_SECONDS = 3.0
_MAX_ANSWER = 1 << 20
_SHOWN = """([selector, text]) => [...document.querySelectorAll(selector)].some((el) =>
    el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    el.innerText.toLowerCase().includes(text.toLowerCase()))"""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could lead off the allowed origins."""

    def redirect_request(self, *_: Any) -> None:
        return None


def glob_matches(pattern: str, url: str) -> bool:
    """Whether an address matches: * is anything but /, ** is anything."""
    parts = re.split(r"(\*\*|\*)", pattern)
    regex = "".join({"**": ".*", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts)
    return re.fullmatch(regex, url) is not None


def met(condition: Condition, page: EpisodePage, look: Look, run: "Run[Any]") -> tuple[int, int]:
    """How many of a condition's parts hold, and how many there are; `any` counts as one part."""
    every = [holds(predicate, page, look, run) for predicate in condition.all]
    if condition.any:
        every.append(any(holds(predicate, page, look, run) for predicate in condition.any))
    return sum(every), len(every)


def holds(predicate: Predicate, page: EpisodePage, look: Look, run: "Run[Any]") -> bool:
    """Whether one predicate holds now. Touches nothing on the page."""
    if predicate.url:
        return glob_matches(predicate.url, look.url)
    if predicate.visible is not None:
        return _visible(predicate.visible, page, look, run)
    if predicate.cookie is not None:
        cookies: Sequence[dict[str, Any]] = run(_cookies(page))
        wanted = predicate.cookie
        return any(
            c["name"] == wanted.name and (wanted.value is None or c["value"] == wanted.value) for c in cookies
        )
    return predicate.http is not None and _answered(predicate.http)


def _visible(wanted: Visible, page: EpisodePage, look: Look, run: "Run[Any]") -> bool:
    if look.dialog is not None or look.url.startswith("chrome-error:"):
        return False
    if wanted.selector:
        return bool(run(page.evaluate(_SHOWN, [wanted.selector, wanted.text])))
    text = wanted.text.casefold()
    shown = [line.text for line in look.lines] + [control.name for control in look.controls]
    return any(text in line.casefold() for line in shown)


async def _cookies(page: EpisodePage) -> list[Any]:
    return list(await page.context.cookies())


def _answered(check: HttpCheck) -> bool:
    opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))
    try:
        with opener.open(check.url, timeout=_HTTP_SECONDS) as answer:
            value: Any = json.loads(answer.read(_MAX_ANSWER))
    except (URLError, OSError, ValueError):
        return False
    for key in filter(None, check.path.split(".")):
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return False
    return bool(value == check.equals)
