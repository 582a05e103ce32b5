"""What Dagster adds to an epoch: the same epochs as recorded runs and called directly, turn by turn.

Two campaigns with equal seeds, so equal tasks and weights, each in a store of its own: one is run by the
`dagster` runner (in process, on a persistent SQLite instance, with its gates, tables and plots), the other by
calling the controller. They take turns and take turns in going first, so that whatever else the machine does
hits both alike. The seconds that Dagster adds come from a very small world, where little else is measured;
the ratio sets them against a shell epoch of 24 tasks, about half of the default, run directly. The shell's
own pairs are given too: on a shared machine they differ by more than Dagster adds. Run it with
`make bench-dagster-overhead`; its last line is one JSON object.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from rlaios_core.control import CampaignController, CampaignSettings, Workspace
from rlaios_core.control.campaign_controller import EnvironmentFactory, registered_environment
from tests.cli.toy import ToyShell

NAME = "dagster-overhead"
TARGET = 1.10
_SMALL = {
    "student": {"width": 16, "hidden": 16, "layers": 1, "heads": 2},
    "ppo": {"passes": 1, "threads": 1},
}


class Taken(NamedTuple):
    """What one epoch took: seconds by the clock, and of this process's CPU."""

    wall: float
    cpu: float


def timed(work: Callable[[], object]) -> Taken:
    """How long it takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Taken(time.perf_counter() - wall, time.process_time() - cpu)


def measure(
    root: Path, settings: CampaignSettings, environments: EnvironmentFactory
) -> tuple[list[Taken], list[Taken]]:
    """Every epoch through Dagster and directly; the first of each, which warms up, is left out."""
    os.environ["DAGSTER_HOME"] = str(root / "dagster_home")
    # Imported late: Dagster reads its home when it starts.
    from rlaios_pipeline.runner import create

    recorded: list[Taken] = []
    direct: list[Taken] = []
    with (
        CampaignController(Workspace.open(root / "recorded"), environments=environments) as one,
        CampaignController(Workspace.open(root / "direct"), environments=environments) as other,
    ):
        runner = create(one)
        runner.open_campaign(settings)
        other.open_campaign(settings)
        turns: list[tuple[list[Taken], Callable[[], object]]] = [
            (
                recorded,
                lambda: runner.run_epoch(settings.name, monitoring=False, progress=lambda *_: None),
            ),
            (direct, lambda: other.run_epoch(settings.name)),
        ]
        for epoch in range(settings.epochs):
            for found, work in turns if epoch % 2 else reversed(turns):
                found.append(timed(work))
            print(f"{settings.name} {epoch + 1}: {recorded[-1].wall:.2f} s, directly {direct[-1].wall:.2f} s")
        if one.state(settings.name).lineage != other.state(settings.name).lineage:
            raise RuntimeError("the two campaigns are not the same: nothing can be said of their times")
        runner.close()
    return recorded[1:], direct[1:]


def more(recorded: list[Taken], direct: list[Taken]) -> Taken:
    """The median of what each epoch took more through Dagster."""
    pairs = list(zip(recorded, direct, strict=True))
    return Taken(
        statistics.median(ours.wall - theirs.wall for ours, theirs in pairs),
        statistics.median(ours.cpu - theirs.cpu for ours, theirs in pairs),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=12, help="measured epochs of the small world")
    parser.add_argument("--shell-epochs", type=int, default=3, help="measured epochs of the shell")
    parser.add_argument("--episodes", type=int, default=24, help="tasks per epoch of the shell")
    sizes = parser.parse_args()
    if min(sizes.epochs, sizes.shell_epochs, sizes.episodes) < 1:
        parser.error("every size is at least 1")
    common = {"seed": 3, "comparison": {"confirmation_pairs": 0}}
    toy = CampaignSettings.model_validate(
        {"name": "toy", "epochs": sizes.epochs + 1, "episodes_per_epoch": 6, **common, **_SMALL}
    )
    shell = CampaignSettings.model_validate(
        {
            "name": "shell",
            "epochs": sizes.shell_epochs + 1,
            "episodes_per_epoch": sizes.episodes,
            **common,
        }
    )
    with tempfile.TemporaryDirectory(prefix="rlaios-overhead-") as root:
        small = measure(Path(root) / "toy", toy, lambda _name, _settings: ToyShell())
        real = measure(Path(root) / "shell", shell, registered_environment)
    direct = statistics.median(taken.wall for taken in real[1])
    added = more(*small).wall
    ratio = (direct + added) / direct
    result = {
        "name": NAME,
        "value": round(direct + added, 3),
        "baseline": round(direct, 3),
        "ratio": round(ratio, 3),
        "target": TARGET,
        "ok": ratio <= TARGET,
        "details": {
            "unit": f"seconds per epoch of {sizes.episodes} shell tasks, medians",
            "shellPairs": [round(ours.wall / theirs.wall, 3) for ours, theirs in zip(*real, strict=True)],
            "secondsMore": {
                "toy": {name: round(value, 3) for name, value in more(*small)._asdict().items()},
                "shell": {name: round(value, 3) for name, value in more(*real)._asdict().items()},
            },
            "toySeconds": {
                "recorded": round(statistics.median(taken.wall for taken in small[0]), 3),
                "direct": round(statistics.median(taken.wall for taken in small[1]), 3),
            },
            "epochs": {"toy": sizes.epochs, "shell": sizes.shell_epochs},
            "loadAverage": os.getloadavg()[0],
        },
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
