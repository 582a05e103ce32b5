"""What an epoch costs, and how much of it is neither the environment's nor the trainer's.

Runs a small shell campaign's epochs as recorded Dagster runs in a folder of its own. Overhead is the
wall time of an epoch less its benchmark, episodes and update: lanes, comparison, promotion, database,
files, Dagster. Also the time and memory of a whole reference episode (read, patch, verify, stop,
graded). Run it with `make bench-epoch`; its last line is one JSON object.
"""

import argparse
import json
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path

from rlaios_core.control import CampaignController, CampaignSettings, Workspace
from rlaios_core.environments import Play
from rlaios_core.environments.shell import create as create_shell
from rlaios_core.schema import EpochRecord, Split
from rlaios_core.teachers.gateway import ReplayedSolution

NAME = "epoch"
TARGET = 0.10
_WORK = ("benchmark", "episodes:shell", "candidate", "confirmation")


def measure_epochs(root: Path, epochs: int, episodes: int) -> list[tuple[float, EpochRecord]]:
    """Wall seconds and record of each epoch, run through Dagster."""
    os.environ["DAGSTER_HOME"] = str(root / "dagster_home")
    # Imported late: Dagster reads its home when it starts.
    from rlaios_pipeline.runner import create

    settings = CampaignSettings.model_validate(
        {"name": NAME, "seed": 3, "epochs": epochs, "episodes_per_epoch": episodes}
    )
    measured = []
    with CampaignController(Workspace.open(root / "var")) as controller:
        runner = create(controller)
        runner.open_campaign(settings)
        for _ in range(epochs):
            started = time.monotonic()
            record = runner.run_epoch(NAME, monitoring=False, progress=lambda stage, done, total: None)
            measured.append((time.monotonic() - started, record))
        runner.close()
    return measured


def measure_episode(count: int) -> dict[str, float]:
    """Median seconds of a reference episode, and peak memory of this process and of its children."""
    shell = create_shell(workers=1)
    seconds = []
    for index in range(count):
        task = shell.sample_task(Split.TRAIN, index, seed=41)
        solution = shell.reference_solution(task)
        if not solution.keys:
            continue
        started = time.monotonic()
        shell.run_episode(task, ReplayedSolution(solution.keys), Play(NAME, 1, "reference", seed=index))
        seconds.append(time.monotonic() - started)
    shell.close()
    return {
        "episodes": len(seconds),
        "medianSeconds": round(statistics.median(seconds), 4),
        "maxSeconds": round(max(seconds), 4),
        "processPeakMiB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "childPeakMiB": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--episodes", type=int, default=24, help="tasks per epoch")
    sizes = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rlaios-epoch-") as root:
        episode = measure_episode(10)
        measured = measure_epochs(Path(root), sizes.epochs, sizes.episodes)
    shares = []
    for wall, record in measured:
        work = sum(seconds for stage, seconds in record.seconds.items() if stage in _WORK)
        shares.append((wall - work) / wall)
        print(f"{record.key}: {wall:.1f} s, of which {work:.1f} s environment and training", flush=True)
    share = statistics.median(shares)
    result = {
        "name": "epoch",
        "value": round(share, 4),
        "baseline": 1.0,
        "ratio": round(share, 4),
        "target": TARGET,
        "ok": share < TARGET,
        "details": {
            "overheadShares": [round(value, 4) for value in shares],
            "wallSeconds": [round(wall, 1) for wall, _ in measured],
            "stages": [record.seconds for _, record in measured],
            "episode": episode,
        },
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
