"""The project's code location on the very small world, for tests that start real daemons and servers.

`RLAIOS_TOY_SECONDS` makes every episode take so long, so that there is time to kill something. The sensors
are on unless `RLAIOS_TOY_SENSORS` is `off`: an operator turns them on once, and one test does.
"""

import os
import time

import dagster as dg

from rlaios_core.environments import Play, registry
from rlaios_core.schema import Episode, Policy, Task
from tests.cli.toy import ToyShell


class SlowToy(ToyShell):
    """Plays like the toy, slowly."""

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        time.sleep(float(os.environ.get("RLAIOS_TOY_SECONDS") or 0.0))
        return super().run_episode(task, policy, play)


registry.create = lambda name, **options: SlowToy(name, **options)

from rlaios_pipeline.definitions import defs  # noqa: E402, F401
from rlaios_pipeline.defs import automation  # noqa: E402 - made with the registry as it is now

if os.environ.get("RLAIOS_TOY_SENSORS") != "off":
    for sensor in (automation.advance, automation.degradation):
        sensor._default_status = dg.DefaultSensorStatus.RUNNING
