"""Exact resume: a campaign killed with SIGKILL anywhere and started again ends as if never interrupted.

A small campaign of two environments (real PPO updates, comparisons, a confirmation, a rollback) runs once
without interruption. Its moments are numbered: every write statement and commit, every file put in place,
every episode, every stage's report. Then, for each of the chosen moments, a fresh campaign kills its own
process there, is started again, and must end with the same weights, events, ledger and tasks. Every third
one is killed a second time on its way. Run it with `make bench-resume`; the last line is one JSON object.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sqlalchemy import event, select
from sqlalchemy.engine import Engine

from rlaios_core.control import CampaignController, CampaignSettings, Workspace, tables
from rlaios_core.control.state import Mode
from rlaios_core.environments import Environment, Play
from rlaios_core.schema import Episode, Policy, RollbackReason, Split, Task
from tests.postgres import binaries, running_server
from tests.worlds import ButtonWorld

CAMPAIGN = "resume"
EPOCHS = 5
ROLLBACK_AFTER = 3
_WRITES = ("INSERT", "UPDATE", "DELETE")
_WAIT_SECONDS = 1200.0


@dataclass
class Moments:
    """Counts what happens, and kills the process when its time has come."""

    kill_at: int | None = None
    labels: list[str] = field(default_factory=list)
    stage: str = "opening"

    def pass_by(self, what: str) -> None:
        """One more moment."""
        self.labels.append(f"{self.stage}: {what}")
        if self.kill_at is not None and len(self.labels) > self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def progress(self, stage: str, done: int, total: int) -> None:
        """A stage's report, as the controller gives it."""
        self.stage = stage
        self.pass_by(f"report {done} of {total}")


class WatchedWorld(ButtonWorld):
    """The button world, with its calls as moments."""

    def __init__(self, name: str, moments: Moments) -> None:
        super().__init__()
        self.name = name
        self._moments = moments

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        """As the button world does."""
        self._moments.pass_by("task")
        return super().sample_task(split, index, seed)

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        """As the button world does."""
        self._moments.pass_by("episode")
        return super().run_episode(task, policy, play)


@contextmanager
def watched(moments: Moments) -> Iterator[None]:
    """Database writes, commits and renames as moments."""

    def statement(_connection: Any, _cursor: Any, text: str, *_: Any) -> None:
        if text.lstrip().upper().startswith(_WRITES):
            moments.pass_by(text.split("(")[0].split("SET")[0].strip().lower())

    def commit(_connection: Any) -> None:
        moments.pass_by("commit")

    renamed = os.replace

    def replace(source: Any, target: Any, **options: Any) -> None:
        moments.pass_by("before a rename")
        renamed(source, target, **options)
        moments.pass_by("after a rename")

    event.listen(Engine, "after_cursor_execute", statement)
    event.listen(Engine, "commit", commit)
    os.replace = replace
    try:
        yield
    finally:
        os.replace = renamed
        event.remove(Engine, "after_cursor_execute", statement)
        event.remove(Engine, "commit", commit)


def settings() -> CampaignSettings:
    """Small, and yet with every stage of an epoch."""
    return CampaignSettings.model_validate(
        {
            "name": CAMPAIGN,
            "seed": 5,
            "environments": ["buttons", "levers"],
            "epochs": EPOCHS,
            "episodes_per_epoch": 10,
            "workers": 1,
            "comparison": {"confirmation_pairs": 6, "stable_rounds": 1},
            "rollout": {"concurrency": 1},
            "ppo": {"warmup_updates": 1, "passes": 1, "distillation_passes": 2},
            "student": {"width": 16, "heads": 2, "layers": 1, "hidden": 16},
        }
    )


def run(root: Path, database_url: str, moments: Moments) -> dict[str, Any]:
    """Start or resume the campaign, run it to its end, and return what it ended with."""
    torch.set_num_threads(1)

    def world(name: str, _settings: CampaignSettings) -> Environment:
        return WatchedWorld(name, moments)

    workspace = Workspace.open(root, database_url=database_url)
    with watched(moments), CampaignController(workspace, environments=world) as controller:
        controller.open_campaign(settings())
        while not controller.finished(CAMPAIGN):
            state = controller.state(CAMPAIGN)
            if state.mode is Mode.ROLLBACK_PENDING:
                controller.rollback(CAMPAIGN)
            elif state.epoch == ROLLBACK_AFTER and not state.rollbacks:
                moments.stage = "rollback"
                controller.rollback(CAMPAIGN, reason=RollbackReason.REQUESTED)
            else:
                controller.run_epoch(CAMPAIGN, progress=moments.progress)
        return outcome(controller)


def outcome(controller: CampaignController) -> dict[str, Any]:
    """What must be equal: pointers, hashes of all weights, events, ledger without its clock, tasks."""
    desk = controller._desk
    state = controller.state(CAMPAIGN)
    query = select(tables.events).order_by(tables.events.c.position)
    with desk.store.reading() as connection:
        log = [dict(row._mapping) for row in connection.execute(query)]
    seen = {"recorded_at", "applied_at", "at"}
    epochs, folder = controller.epochs(CAMPAIGN), f"episodes/{CAMPAIGN}"
    return {
        "lineage": state.lineage.to_json(),
        "weights": sorted(
            {
                str(report.weights_hash)
                for report in controller.candidate_reports(CAMPAIGN)
                if report.checkpoint_id
            }
        ),
        "events": [{key: str(value) for key, value in row.items() if key not in seen} for row in log],
        "ledger": [record.model_copy(update={"seconds": {}}).to_json() for record in epochs],
        "tasks": {
            f"{record.key}/{name}": [
                task.task_id
                for task in desk.episodes.read_tasks(f"{folder}/{record.key}/{name}.tasks.gz") or ()
            ]
            for record in epochs
            for name in ("buttons", "levers")
        },
    }


def forked(work: Callable[[], None]) -> int:
    """Run in a child process, without importing everything again; returns its wait status."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(code)
    end = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise TimeoutError(f"a campaign did not end within {_WAIT_SECONDS:.0f} s")


def ended(root: Path, database_url: str, kills: list[int]) -> tuple[dict[str, Any], list[str]]:
    """Run a campaign, killed at those moments in turn; what it ended with, and the labels of the last run."""
    report = root / "outcome.json"

    def play(kill_at: int | None) -> None:
        moments = Moments(kill_at)
        result = run(root / "var", database_url, moments)
        report.write_text(json.dumps([result, moments.labels]))

    for kill_at in kills:
        status = forked(lambda at=kill_at: play(at))
        if not os.WIFSIGNALED(status):
            # The second kill may come later than the end; then there was nothing left to interrupt.
            assert os.WEXITSTATUS(status) == 0, f"the campaign failed on its way to moment {kill_at}"
    status = forked(lambda: play(None))
    assert status == 0, f"the campaign did not go on after being killed at {kills}"
    result, labels = json.loads(report.read_text())
    return result, labels


@contextmanager
def databases(wanted: list[str]) -> Iterator[dict[str, Callable[[Path], str]]]:
    """How to get an empty database of each kind."""
    kinds: dict[str, Callable[[Path], str]] = {}
    if "sqlite" in wanted:
        kinds["sqlite"] = lambda root: f"sqlite:///{root / 'store.db'}"
    if "postgresql" not in wanted:
        yield kinds
        return
    programs = binaries()
    if programs is None:
        raise SystemExit("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    with running_server(programs, durable=True) as server:
        yield {**kinds, "postgresql": lambda _root: server.new_database()}


def tried(database: Callable[[Path], str], points: int, seed: int) -> dict[str, Any]:
    """Kill at so many moments, evenly spread with jitter; how many ended the same, and the phases hit."""
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory(prefix="rlaios-resume-") as name:
        expected, labels = ended(Path(name), database(Path(name)), [])
    edges = np.linspace(0, len(labels), points + 1).astype(int)
    chosen = [int(rng.integers(low, max(low + 1, high))) for low, high in pairwise(edges)]
    same, unlike = 0, []
    for number, kill_at in enumerate(chosen):
        kills = [kill_at, int(rng.integers(1, 200))] if number % 3 == 2 else [kill_at]
        with tempfile.TemporaryDirectory(prefix="rlaios-resume-") as name:
            found, _ = ended(Path(name), database(Path(name)), kills)
        parts = [part for part in expected if found[part] != expected[part]]
        same += not parts
        if parts:
            unlike.append({"killedAt": labels[kill_at], "kills": kills, "unlike": parts})
        print(f"{number + 1}/{points} {labels[kill_at]}: {parts or 'same'}", flush=True)
    phases = Counter(labels[at].split(":")[0] for at in chosen)
    return {"moments": len(labels), "points": points, "same": same, "unlike": unlike, "phases": phases}


def main() -> None:
    """Try the points on each database and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--points", type=int, default=30, help="kill points on each database")
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with databases(options.databases) as kinds:
        found = {kind: tried(database, options.points, options.seed) for kind, database in kinds.items()}
    points = sum(part["points"] for part in found.values())
    same = sum(part["same"] for part in found.values())
    print(
        json.dumps(
            {
                "name": "resume",
                "value": same,
                "baseline": points,
                "ratio": same / points,
                "target": 1.0,
                "ok": same == points,
                "details": found,
            }
        )
    )


if __name__ == "__main__":
    main()
