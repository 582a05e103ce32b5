"""The project's code location on the very small world, for tests that start real daemons and servers.

`RLAIOS_TOY_SECONDS` makes every episode take so long, so that there is time to kill something.
"""

import os
import time

from rlaios_core.environments import Play, registry
from rlaios_core.schema import Episode, Policy, Task
from tests.cli.toy import ToyShell


class SlowToy(ToyShell):
    """Plays like the toy, slowly."""

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        time.sleep(float(os.environ.get("RLAIOS_TOY_SECONDS") or 0.0))
        return super().run_episode(task, policy, play)


registry.create = lambda name, **options: SlowToy(**options)

from rlaios_pipeline.definitions import defs  # noqa: E402, F401 - made with the registry as it is now
