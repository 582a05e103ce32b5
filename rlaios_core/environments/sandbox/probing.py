"""Find the strongest level this machine offers, by really entering each."""

from __future__ import annotations

import functools
import logging
import subprocess
import tempfile
from pathlib import Path

from rlaios_core.environments.sandbox import launch
from rlaios_core.environments.sandbox.levels import IsolationLevel, SandboxError

_LOG = logging.getLogger(__name__)
_TIMEOUT_SECONDS = 30.0
_MODULE = "rlaios_core.environments.sandbox.selftest"


@functools.cache
def obstacle(level: IsolationLevel) -> str:
    """Why this machine cannot give ``level``; empty when it can. Tried once per process."""
    with tempfile.NamedTemporaryFile(prefix="rlaios-canary-") as canary:
        Path(canary.name).chmod(0o644)  # only the sandbox may keep it from being read
        arguments = {"level": level.value, "canary": canary.name}
        process = launch.start(
            _MODULE,
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            _, complaint = process.communicate(timeout=_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return f"trying it took more than {_TIMEOUT_SECONDS:.0f} s"
    if process.returncode == 0:
        return ""
    lines = complaint.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"trying it ended with status {process.returncode}"


@functools.cache
def probe() -> IsolationLevel:
    """The strongest level available here; found once per process and logged once."""
    reasons: dict[str, list[str]] = {}
    for level in sorted(IsolationLevel, key=lambda one: -one.strength):
        reason = obstacle(level)
        if not reason:
            _LOG.info("shell sandbox level: %s%s", level, f" (not {_listed(reasons)})" if reasons else "")
            return level
        reasons.setdefault(reason, []).append(level)
    raise SandboxError(f"no sandbox level works here: {_listed(reasons)}")


def _listed(reasons: dict[str, list[str]]) -> str:
    return "; ".join(f"{' and '.join(levels)}: {reason}" for reason, levels in reasons.items())
