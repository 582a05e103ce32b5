"""The guardian of a work server: everything programs need is imported, then the sandbox's own takes over."""

from __future__ import annotations

import importlib
import socket
from typing import Any

from rlaios_core.environments.orchestrator.work import server
from rlaios_core.environments.sandbox import guardian
from rlaios_core.environments.sandbox.confinement import Confinement
from rlaios_core.environments.sandbox.levels import Limits

# Imported on first use by ordinary scripts: paid once here instead of in every run.
_PRELOADED = (
    "collections", "contextlib", "csv", "datetime", "email.parser", "encodings.idna", "hashlib", "hmac",
    "http.client", "http.server", "io", "itertools", "json", "math", "pathlib", "random", "re", "shutil",
    "sqlite3", "string", "subprocess", "traceback", "urllib.error", "urllib.parse", "urllib.request",
    "zipfile",
)  # fmt: skip


def main(arguments: dict[str, Any]) -> None:
    """Run until either end goes away; standard input is the socket to the trusted side."""
    for name in _PRELOADED:
        importlib.import_module(name)
    programs = server.load_programs(arguments["programs"])

    def serve(channel: socket.socket, confinement: Confinement, limits: Limits) -> None:
        server.WorkServer(channel, confinement, limits, programs).serve()

    guardian.run(arguments, serve)
