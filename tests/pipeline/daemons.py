"""Real Dagster daemons on an instance of a test's own, each with everything it started in one session."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import dagster as dg

from rlaios_core.control import CampaignController, CampaignSettings, Workspace
from rlaios_core.process_table import pids, stat_fields
from tests.cli.toy import ToyShell

REPOSITORY = Path(__file__).parents[2]
PATIENCE = 600.0
"""Seconds after which a test gives up: far more than anything takes on a busy machine."""
_WORKSPACE = """load_from:
  - python_module:
      module_name: tests.pipeline.toy_location
      location_name: rlaios
      working_directory: {repository}
"""


class Site:
    """A Dagster instance with the project's settings, a store, and the toy's code location."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "dagster_home"
        self.store = folder / "var"
        self.home.mkdir(parents=True)
        settings = (REPOSITORY / "dagster_home" / "dagster.yaml").read_text()
        assert "poll_interval_seconds: 15 " in settings
        (self.home / "dagster.yaml").write_text(settings.replace("_seconds: 15 ", "_seconds: 5 "))
        self.workspace = folder / "workspace.yaml"
        self.workspace.write_text(_WORKSPACE.format(repository=REPOSITORY))
        self.environment = {
            **os.environ,
            "DAGSTER_HOME": str(self.home),
            "RLAIOS_HOME": str(self.store),
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONWARNINGS": "ignore",
            "RLAIOS_SENSOR_SECONDS": "3",
        }
        # Alone, before anything runs in parallel.
        self.command("instance", "concurrency", "set", "policy_update", "1")

    def command(self, *arguments: str) -> str:
        """Run a `dagster` command to its end."""
        ran = subprocess.run(
            [sys.executable, "-m", "dagster", *arguments],
            env=self.environment, cwd=self.folder, capture_output=True, text=True, check=False,
            timeout=PATIENCE,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def turn_on(self) -> None:
        """Start both sensors, which would be off otherwise, as an operator does once."""
        self.environment["RLAIOS_TOY_SENSORS"] = "off"
        for sensor in ("advance", "degradation"):
            self.command("sensor", "start", sensor, "-w", str(self.workspace))

    def open(self, *campaigns: CampaignSettings) -> None:
        """Open campaigns without Dagster."""
        with self.controller() as controller:
            for settings in campaigns:
                controller.open_campaign(settings)

    def controller(self) -> CampaignController:
        """A controller on the store."""
        return CampaignController(Workspace.open(self.store), environments=lambda _n, _s: ToyShell())

    @contextmanager
    def instance(self) -> Iterator[dg.DagsterInstance]:
        """The instance, for looking."""
        with dg.DagsterInstance.from_config(str(self.home)) as instance:
            yield instance

    @contextmanager
    def daemon(self, name: str = "daemon", seconds_per_episode: float = 0.0) -> Iterator["Started"]:
        """A running daemon with its code server and runs; all of it is gone afterwards."""
        slow = {"RLAIOS_TOY_SECONDS": str(seconds_per_episode)}
        arguments = ["-m", "dagster._daemon", "run", "-w", str(self.workspace)]
        with self.process(name, arguments, slow) as started:
            yield started

    @contextmanager
    def process(
        self, name: str, arguments: Sequence[str], more: dict[str, str] | None = None
    ) -> Iterator["Started"]:
        """A Python process in a session of its own; the session ends with the block."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, *arguments], env={**self.environment, **(more or {})}, cwd=self.folder,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        started = Started(process)
        try:
            yield started
        finally:
            started.end()

    def finished(self, *campaigns: str) -> bool:
        """Whether these campaigns have all their epochs."""
        with self.controller() as controller:
            return all(controller.finished(campaign) for campaign in campaigns)

    def log(self) -> str:
        """What the daemons said last, for a test that gives up."""
        return "\n".join(path.read_text()[-3000:] for path in sorted(self.folder.glob("*.log")))

    def until(self, done: Callable[[], bool], what: str) -> float:
        """Wait for something, and say how many seconds it took."""
        started = time.monotonic()
        while not done():
            assert time.monotonic() - started < PATIENCE, f"gave up waiting until {what}\n{self.log()}"
            time.sleep(0.5)
        return time.monotonic() - started


class Started:
    """A process, and all that it started."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def members(self) -> list[int]:
        """Living processes of the session: children that made a group of their own, too."""
        told = [(pid, fields) for pid in pids() if (fields := stat_fields(pid)) is not None]
        return [pid for pid, fields in told if int(fields[3]) == self.process.pid and fields[0] != "Z"]

    def kill(self) -> None:
        """SIGKILL to everything at once: what a power cut leaves."""
        started = time.monotonic()
        while members := self.members():
            assert time.monotonic() - started < PATIENCE, f"processes {members} do not die"
            for pid in members:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
        self.process.wait(timeout=60)

    def end(self) -> None:
        """End everything: politely first."""
        if self.process.poll() is None:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=30)
        self.kill()
