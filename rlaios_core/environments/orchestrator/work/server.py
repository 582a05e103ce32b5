"""The warm server: makes a world's folder, forks once per program, sends back what is left.

It keeps nothing between requests: the world comes with the request and goes with the answer.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rlaios_core.environments.orchestrator.work import process, service, tree
from rlaios_core.environments.sandbox import box as boxes
from rlaios_core.environments.sandbox import wire
from rlaios_core.environments.sandbox.confinement import Confinement
from rlaios_core.environments.sandbox.ledger import SharedLedger
from rlaios_core.environments.sandbox.levels import Limits
from rlaios_core.environments.sandbox.supervision import Observation, Supervisor

_SEND_SECONDS = 30.0


def load_programs(modules: Mapping[str, str]) -> dict[str, process.Program]:
    """The built-in programs by name: each module has a `main(arguments) -> exit code`."""
    return {name: importlib.import_module(module).main for name, module in modules.items()}


@dataclass(frozen=True)
class _Ran:
    """One program that was run."""

    seen: Observation
    service: dict[str, Any] | None
    served: list[Any]


class WorkServer:
    """Answers one request at a time until the other side hangs up."""

    def __init__(
        self,
        channel: socket.socket,
        confinement: Confinement,
        limits: Limits,
        programs: Mapping[str, process.Program],
    ) -> None:
        self._channel = channel
        self._confinement = confinement
        self._limits = limits
        self._programs = programs
        self._world = f"{confinement.box}/{boxes.RUN}"
        self._temporary = f"{confinement.box}/{boxes.TEMPORARY}"
        assert confinement.listener is not None
        self._listener = confinement.listener
        self._address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._supervisor = Supervisor(
            limits,
            confinement.box,
            private_processes=confinement.private_processes,
            shared_disk=confinement.owned_box,
        )

    def serve(self) -> None:
        """Serve until the other side hangs up."""
        os.chdir("/")
        gc.collect()
        gc.freeze()  # the children's collections then leave our pages shared
        wire.send(self._channel, {"ready": os.getpid()}, deadline=time.monotonic() + _SEND_SECONDS)
        while True:
            try:
                request, (packed,) = wire.receive(self._channel, 1, deadline=None)
            except wire.WireError:
                os._exit(0)
            boxes.empty(self._confinement.box)
            self._answer(request, tree.unpack(packed))

    def _answer(self, request: dict[str, Any], files: Mapping[str, bytes]) -> None:
        Path(self._temporary).mkdir()
        Path(self._world).mkdir()
        tree.write(self._world, files)
        state, served, runs, outputs = request["service"], [], [], []
        for planned in request["programs"]:
            ran = self._run(planned, state, request["wall_seconds"])
            state = ran.service
            served += ran.served
            outputs.append(ran.seen.output)
            runs.append(
                {
                    "name": planned["name"],
                    "status": ran.seen.status,
                    "stopped": ran.seen.stopped,
                    "wall": ran.seen.wall,
                    "cpu": ran.seen.cpu,
                    "dropped": ran.seen.dropped,
                    "output": len(ran.seen.output),
                }
            )
            if (ran.seen.status != 0 or ran.seen.stopped) and not planned["go_on"]:
                break
        message: dict[str, Any] = {"runs": runs, "service": state, "served": served, "overflow": ""}
        left: Mapping[str, bytes] = {}
        if request["keep"]:
            try:
                left = tree.read(self._world)
            except (OSError, tree.TreeError) as error:
                message["overflow"] = str(error)
        try:
            wire.send(
                self._channel,
                message,
                tree.pack(left),
                b"".join(outputs),
                deadline=time.monotonic() + _SEND_SECONDS,
            )
        except wire.WireError:
            os._exit(0)

    def _run(self, planned: dict[str, Any], state: dict[str, Any] | None, wall_seconds: float) -> _Ran:
        run = process.Run(
            world=self._world,
            temporary=self._temporary,
            arguments=tuple(planned["run"]),
            environment={**planned["environment"], **({} if state is None else {"SERVICE": self._address})},
            stdin=planned["stdin"].encode(),
            wall_seconds=wall_seconds,
        )
        ledger = None if state is None else SharedLedger()
        if state is not None and ledger is not None:
            self._hang_up_strangers()
            self._start_service(state, ledger)
        output, output_end = os.pipe()
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            process.become(run, output_end, self._confinement, self._limits, self._programs)
        os.close(output_end)
        # Whatever else is alive when the program ends, the service included, is killed by this.
        seen = self._supervisor.watch(pid, output, wall_seconds, started, self._hung_up)
        if ledger is None:
            return _Ran(seen, state, [])
        entries = [json.loads(line) for line in ledger.read().splitlines()]
        ledger.close()
        last = entries[-1]["state"] if entries else state
        return _Ran(seen, last, [entry["request"] for entry in entries])

    def _start_service(self, state: dict[str, Any], ledger: SharedLedger) -> None:
        if os.fork() == 0:
            try:
                service.serve(self._listener, state, ledger.append)
            finally:
                os._exit(1)

    def _hang_up_strangers(self) -> None:
        """Close connections that an earlier program left waiting."""
        self._listener.setblocking(False)
        try:
            while True:
                self._listener.accept()[0].close()
        except BlockingIOError:
            self._listener.setblocking(True)

    def _hung_up(self) -> bool:
        """The other side is gone (it sends nothing while it waits, so anything readable is the end)."""
        ready, _, _ = select.select([self._channel], [], [], 0)
        return bool(ready)
