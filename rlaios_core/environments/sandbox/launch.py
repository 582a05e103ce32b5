"""How a sandbox process is started by the trusted side: command line, environment, descriptors."""

from __future__ import annotations

import json
import site
import subprocess
import sys
from pathlib import Path
from typing import Any

from rlaios_core.environments.sandbox.confinement import interpreter_paths

_BOOTSTRAP = Path(__file__).with_name("bootstrap.py")


def clean_environment(hash_seed: int = 0) -> dict[str, str]:
    """The whole environment of a sandbox process: an allow list, nothing inherited (secrets live there)."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }


def start(
    module: str, arguments: dict[str, Any], *, stdin: int, stdout: int, stderr: int, hash_seed: int = 0
) -> subprocess.Popen[bytes]:
    """Start ``module`` of this package in a process of its own session; ``arguments`` must be JSON."""
    full = arguments | {"packages": site.getsitepackages(), "interpreter": interpreter_paths()}
    # No -I: it would ignore PYTHONHASHSEED. -s -P and the clean environment give the same isolation.
    command = [sys.executable, "-s", "-P", "-S", "-B", str(_BOOTSTRAP), module, json.dumps(full)]
    return subprocess.Popen(
        command, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True, cwd="/",
        env=clean_environment(hash_seed),
    )  # fmt: skip
