"""The guardian of a verification server: pytest imported, then the sandbox's own guardian takes over."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from rlaios_core.environments.sandbox import box as boxes
from rlaios_core.environments.sandbox import guardian
from rlaios_core.environments.sandbox.confinement import Confinement
from rlaios_core.environments.sandbox.levels import Limits
from rlaios_core.environments.shell.verification import server


def main(arguments: dict[str, Any]) -> None:
    """Run until either end goes away; standard input is the socket to the trusted side."""
    preloaded = server.preload()  # while this project's own files can still be read

    def serve(channel: socket.socket, confinement: Confinement, limits: Limits) -> None:
        workspace = f"{confinement.box}/{boxes.RUN}"
        Path(workspace).mkdir()
        os.chdir(workspace)
        plugin = server.WarmServer(
            channel, confinement, limits, hash_seed=arguments["hash_seed"], preloaded=preloaded
        )
        pytest.main(server.pytest_arguments(workspace), plugins=[plugin])

    guardian.run(arguments, serve)
