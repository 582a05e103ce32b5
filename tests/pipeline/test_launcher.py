"""The launcher's answer to run monitoring, on a real process that dies."""

import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.launcher import WorkerStatus

from rlaios_core.processes import process_start, this_process
from rlaios_pipeline.launcher import WORKER_TAG, WatchedRunLauncher, worker_tag

REPOSITORY = Path(__file__).parents[2]


def health(instance: dg.DagsterInstance, run: dg.DagsterRun) -> WorkerStatus:
    launcher = WatchedRunLauncher()
    launcher.register_instance(instance)
    assert launcher.supports_check_run_worker_health
    return launcher.check_run_worker_health(run).status


def started(instance: dg.DagsterInstance, tag: str | None) -> dg.DagsterRun:
    @dg.job
    def nothing() -> None:
        pass

    run = instance.create_run_for_job(nothing, status=dg.DagsterRunStatus.STARTED)
    if tag is not None:
        instance.add_run_tags(run.run_id, {WORKER_TAG: tag.format(run=run.run_id)})
    return run


def test_a_living_worker_is_running_and_a_dead_one_failed() -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        mine = started(instance, None)
        instance.add_run_tags(mine.run_id, worker_tag(mine.run_id))
        assert health(instance, mine) is WorkerStatus.RUNNING
        host = this_process().host
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as worker:
            run = started(instance, f"{host}/{worker.pid}/{process_start(worker.pid)}/{{run}}")
            assert health(instance, run) is WorkerStatus.RUNNING
            worker.kill()
            worker.wait()
            assert health(instance, run) is WorkerStatus.FAILED


@pytest.mark.parametrize(
    "tag",
    [
        pytest.param(None, id="it has not said yet who it is"),
        pytest.param("elsewhere/1/0/{run}", id="another machine"),
        pytest.param("{host}/1/0/of-the-run-before", id="a retry that carries its parent's tag"),
        pytest.param("nonsense", id="not ours"),
    ],
)
def test_what_cannot_be_told_is_left_to_the_maximum_runtime(tag: str | None) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        tag = None if tag is None else tag.replace("{host}", this_process().host)
        assert health(instance, started(instance, tag)) is WorkerStatus.RUNNING


def test_the_project_s_instance_uses_it_and_queues_whole_runs_for_the_pool(tmp_path: Path) -> None:
    settings = (REPOSITORY / "dagster_home" / "dagster.yaml").read_text()
    (tmp_path / "dagster.yaml").write_text(settings)
    with dg.DagsterInstance.from_config(str(tmp_path)) as instance:
        assert isinstance(instance.run_launcher, WatchedRunLauncher)
        assert instance.run_monitoring_enabled
        assert instance.run_monitoring_poll_interval_seconds <= 30, "a killed run shows within a minute"
        concurrency = instance.get_concurrency_config()
        assert concurrency.pool_config.pool_granularity is not None
        assert concurrency.pool_config.pool_granularity.value == "run"
        assert concurrency.pool_config.default_pool_limit == 1
        assert instance.get_settings("run_retries")["retry_on_asset_or_op_failure"] is False
