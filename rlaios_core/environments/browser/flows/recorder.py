"""Drafting a flow file from what a person does on a site."""

import asyncio
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from playwright.async_api import Error

from rlaios_core.environments.browser.candidates import target_of
from rlaios_core.environments.browser.driver import Control, EpisodePage
from rlaios_core.environments.browser.matching import words
from rlaios_core.environments.browser.rules import FIELD_ROLES
from rlaios_core.files import write_whole

_POLL_SECONDS = 0.3


@dataclass
class Draft:
    """What was recorded so far."""

    start: str
    steps: list[dict[str, str]] = field(default_factory=list)
    payload: dict[str, Any] = field(default_factory=dict)
    last_url: str = ""

    def note(self, kind: str, control: Control, value: str, url: str) -> None:
        """Add an event as a step; entering into the same field again replaces what was entered."""
        self.last_url = url
        target = target_of(control)
        if kind == "change" and control.role in FIELD_ROLES:
            self._fill(control, target, value)
        elif kind == "change" and control.options:
            self.steps.append({"do": "select", "on": target, "use": control.value})
        elif kind == "click" and control.role not in FIELD_ROLES and not control.options:
            self.steps.append({"do": "click", "on": target})

    def _fill(self, control: Control, target: str, value: str) -> None:
        name = " ".join(words(control.name)[:4]) or "text"
        known = next((step for step in self.steps if step["do"] == "fill" and step["on"] == target), None)
        if known is not None:
            name = known["use"]
        else:
            while name in self.payload:
                name += " again"
            self.steps.append({"do": "fill", "on": target, "use": name})
        variable = re.sub(r"\W+", "_", name).upper()
        self.payload[name] = {"secret": variable} if control.secret else value

    def as_flow(self, name: str, state: str = "") -> dict[str, Any]:
        """The flow file's content: off until somebody has read and checked it."""
        parts = urlsplit(self.start)
        end = urlsplit(self.last_url or self.start)
        flow: dict[str, Any] = {
            "name": name,
            "enabled": False,
            "task": "Say here in words what is to be done.",
            "start": self.start,
            "origins": [f"{parts.scheme}://{parts.netloc}"],
            "payload": self.payload,
            "leave": False,
            "success": {"all": [{"url": f"{end.scheme}://{end.netloc}{end.path}**"}]},
            "reference": self.steps,
        }
        if state:
            flow["state"] = state
        return flow


async def listen(page: EpisodePage, draft: Draft) -> None:
    """Let the page report to the draft, in this document and all that follow."""

    def heard(_source: Any, text: str) -> None:
        data = json.loads(text)
        entry = {**data["entry"], "options": tuple(data["entry"].get("options", ()))}
        draft.note(data["kind"], Control(**entry), str(data["value"]), str(data["url"]))

    script = (Path(__file__).parent / "record.js").read_text("utf-8")
    await page.context.expose_binding("__rlaiosRecord", heard)
    await page.context.add_init_script(script)


async def until_closed(page: EpisodePage, seconds: float) -> None:
    """Wait for the person to close the window, `seconds` at most."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not page.page.is_closed() and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(_POLL_SECONDS)


async def stored_state(page: EpisodePage) -> dict[str, Any]:
    """Cookies and storages of the context, session storage of the page in play included."""
    state: dict[str, Any] = dict(await page.context.storage_state())
    try:
        origin, items = await page.page.evaluate(
            "() => [location.origin, Object.entries(sessionStorage).map(([name, value]) => ({name, value}))]"
        )
    except Error:
        return state
    entry = next((e for e in state["origins"] if e["origin"] == origin), None)
    if entry is None:
        entry = {"origin": origin, "localStorage": []}
        state["origins"].append(entry)
    entry["sessionStorage"] = items
    return state


def write_flow(path: Path, flow: dict[str, Any]) -> None:
    """Write a flow file whole."""
    write_whole(path, yaml.safe_dump(flow, sort_keys=False, allow_unicode=True).encode())
