"""The run launcher of the project's instance: Dagster's own, which can also tell that a worker was killed.

Dagster ends a run whose worker died while the code server lives. When the whole process tree is killed
nobody is left to say so: the run would stay *started* until its maximum runtime. Every run of ours
carries a tag with its worker's machine, pid and start time, and run monitoring asks this launcher about it.
"""

import dagster as dg
from dagster._core.launcher import CheckRunHealthResult, DefaultRunLauncher, WorkerStatus
from dagster._core.storage.tags import GRPC_INFO_TAG

from rlaios_core.processes import died, this_process

WORKER_TAG = "rlaios/worker"
"""Machine, pid and start time of the process that executes a run, and the run: retries copy tags."""


def worker_tag(run_id: str) -> dict[str, str]:
    """The tag of a run that this process executes."""
    return {WORKER_TAG: f"{this_process().token}/{run_id}"}


def launched(run: dg.DagsterRun) -> bool:
    """Whether a launcher started the run, and not a command at a terminal."""
    return GRPC_INFO_TAG in run.tags


class WatchedRunLauncher(DefaultRunLauncher):
    """Launches through the code server, and knows when a run's process is gone from this machine."""

    @property
    def supports_check_run_worker_health(self) -> bool:
        """Run monitoring may ask."""
        return True

    def check_run_worker_health(self, run: dg.DagsterRun) -> CheckRunHealthResult:
        """FAILED when the run's process was on this machine and is gone, else RUNNING.

        A worker of another machine, and one that has not said yet who it is, are taken to be alive:
        the maximum runtime ends those.
        """
        # The record that run monitoring holds may be older than the tag.
        current = self._instance.get_run_by_id(run.run_id) or run
        parts = current.tags.get(WORKER_TAG, "").split("/")
        if len(parts) != 4 or not parts[1].isdigit() or parts[3] != run.run_id:
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        host, pid, started, _ = parts
        if died(host, int(pid), started, this_process().host):
            return CheckRunHealthResult(WorkerStatus.FAILED, f"process {pid} on {host} is gone")
        return CheckRunHealthResult(WorkerStatus.RUNNING)
