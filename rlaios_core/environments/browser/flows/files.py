"""Reading flow files: what is wrong with one is said in a line."""

import json
import os
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from rlaios_core.environments.base import UnavailableError
from rlaios_core.environments.browser.flows.model import Flow, SecretEntry
from rlaios_core.environments.browser.matching import Entry


class FlowError(UnavailableError):
    """A flow file cannot be used; the message says what, where and how to mend it."""


def load_flow(path: Path) -> Flow:
    """The flow in a file, its state file's path made absolute. Raises `FlowError`."""
    try:
        data = yaml.safe_load(path.read_text("utf-8"))
    except OSError as error:
        raise FlowError(f"{path}: {error.strerror}; name a flow file") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FlowError(f"{path}: this is not YAML ({' '.join(str(error).split())})") from error
    if not isinstance(data, dict):
        raise FlowError(f"{path}: a flow file holds keys and values, see docs/browser.md")
    try:
        flow = Flow.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the flow"
        raise FlowError(f"{path}: {where}: {first['msg']}; see docs/browser.md") from error
    if flow.state:
        flow = flow.model_copy(update={"state": str((path.parent / flow.state).resolve())})
    return flow


def load_flows(folder: Path) -> list[Flow]:
    """The enabled flows of a folder, or the one of a file. Raises `FlowError` when there is none."""
    files = sorted(folder.glob("*.yaml")) if folder.is_dir() else [folder]
    flows = [load_flow(file) for file in files]
    enabled = [flow for flow in flows if flow.enabled]
    if not enabled:
        raise FlowError(
            f"{folder}: no flow is enabled; check one with `rlaios browser check` and set enabled: true in it"
        )
    names = [flow.name for flow in enabled]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FlowError(f"{folder}: two flows are called {twice}; names are unique")
    return enabled


def payload_of(flow: Flow) -> dict[str, Entry]:
    """The payload with secrets read from the environment. Raises `FlowError` for one that is not set."""
    entries = {}
    for name, value in flow.payload.items():
        if isinstance(value, SecretEntry):
            secret = os.environ.get(value.secret)
            if not secret:
                raise FlowError(f"flow {flow.name}: payload {name}: set the variable {value.secret}")
            entries[name] = Entry(secret, secret=True)
        else:
            entries[name] = Entry(value)
    return entries


def read_state(flow: Flow) -> dict[str, Any] | None:
    """The stored authentication state: `cookies`, and `origins` with their storages. Raises `FlowError`."""
    if not flow.state:
        return None
    try:
        state: dict[str, Any] = json.loads(Path(flow.state).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise FlowError(f"flow {flow.name}: state {flow.state} cannot be read; record it again") from error
    return {"cookies": state.get("cookies", []), "origins": state.get("origins", [])}


def storage_script(state: dict[str, Any]) -> str:
    """A script that restores local and session storage once, where an origin has none yet.

    Playwright's own way opens a page per origin for it, and knows nothing of session storage.
    """
    stored = {
        entry["origin"]: {kind: entry.get(kind, []) for kind in ("localStorage", "sessionStorage")}
        for entry in state["origins"]
    }
    return f"""(() => {{
  const stored = ({json.dumps(stored)})[location.origin];
  if (!stored) return;
  for (const kind of ['localStorage', 'sessionStorage']) {{
    const store = window[kind];
    if (store.length) continue;
    for (const item of stored[kind]) store.setItem(item.name, item.value);
  }}
}})();"""
