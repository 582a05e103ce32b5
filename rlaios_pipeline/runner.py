"""The `dagster` runner of the command line: every step of a campaign is a run recorded on the instance.

Runs are executed in this process, on the caller's controller; no daemon is needed, and `make ui` shows
them while they run and afterwards.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dagster as dg
from dagster._core.errors import DagsterAssetCheckFailedError, DagsterExecutionInterruptedError
from dagster._core.utils import make_new_run_id

from rlaios_core.control import CampaignController, CampaignSettings, ControlError
from rlaios_core.schema import EpochKind, EpochRecord, RollbackRecord, Split
from rlaios_pipeline.config import POOL, MeasureConfig, RollbackConfig
from rlaios_pipeline.definitions import defs
from rlaios_pipeline.launch_form import CampaignForm
from rlaios_pipeline.launcher import worker_tag
from rlaios_pipeline.partitions import CAMPAIGN_TAG, register, tags_of
from rlaios_pipeline.resources import Control, Progress

_HOME = "DAGSTER_HOME"
_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
"""The instance keeps every event; the console is the progress bar's."""
_INSTANCE = """telemetry: {enabled: false}
nux: {enabled: false}
concurrency: {pools: {granularity: run, default_limit: 1}}
"""
"""What an instance of one's own starts with where there is no checkout with `dagster_home/dagster.yaml`."""


class RunFailedError(ControlError):
    """A Dagster run did not succeed; names the run and how to look at it."""


def create(controller: CampaignController) -> "DagsterRunner":
    """The runner on the persistent instance (entry point of the group `rlaios.runners`)."""
    return DagsterRunner(controller, persistent_instance())


def persistent_instance() -> dg.DagsterInstance:
    """The instance in DAGSTER_HOME (default: `dagster_home` beside this package).

    Made here, in one process, before anything runs: two processes that both create its SQLite files at
    once can corrupt them. The pool is registered too, because a pool that exists only by the default
    limit is not enforced for the first runs.
    """
    default = Path(__file__).resolve().parents[1] / "dagster_home"
    home = Path(os.environ.get(_HOME) or default).expanduser().resolve()
    home.mkdir(parents=True, exist_ok=True)
    if not (home / "dagster.yaml").exists():
        ours = default / "dagster.yaml"
        settings = ours.read_text(encoding="utf-8") if ours.exists() else _INSTANCE
        (home / "dagster.yaml").write_text(settings, encoding="utf-8")
    os.environ[_HOME] = str(home)
    instance = dg.DagsterInstance.get()
    instance.event_log_storage.set_concurrency_slots(POOL, 1)
    return instance


class DagsterRunner:
    """Runs the jobs of the code location in this process."""

    def __init__(self, controller: CampaignController, instance: dg.DagsterInstance) -> None:
        self._controller = controller
        self._instance = instance
        self._definitions = defs()

    def open_campaign(self, settings: CampaignSettings) -> None:
        """Open the campaign; a campaign that is open with equal settings is left as it is."""
        form = _config({"form": CampaignForm.of(settings)})["ops"]["form"]["config"]
        self._run("open_campaign", run_config=form, tags={CAMPAIGN_TAG: settings.name})

    def measure_checkpoint(
        self, campaign: str, arm: str, checkpoint_id: str, split: Split, episodes: int, progress: Progress
    ) -> None:
        """Play a checkpoint on held-out tasks and store the scores under `arm`."""
        config = MeasureConfig(
            campaign=campaign, arm=arm, checkpoint=checkpoint_id, split=split.value, episodes=episodes
        )
        self._measure(config, progress)

    def measure_baselines(self, campaign: str, split: Split, episodes: int, progress: Progress) -> None:
        """Play the environments' scripted baselines on the same held-out tasks."""
        self._measure(
            MeasureConfig(campaign=campaign, arm="baselines", split=split.value, episodes=episodes), progress
        )

    def run_epoch(self, campaign: str, *, monitoring: bool, progress: Progress) -> EpochRecord:
        """Run the open epoch, or open the next and run it."""
        planned = self._controller.plan_epoch(campaign, monitoring=monitoring)
        register(self._instance, campaign=campaign, epoch=planned.key)
        job = "monitoring_epoch" if planned.kind is EpochKind.MONITORING else "training_epoch"
        self._run(job, partition_key=planned.key, tags=tags_of(planned.key), progress=progress)
        return next(record for record in self._controller.epochs(campaign) if record.key == planned.key)

    def run_rollback(self, campaign: str, *, requested: bool = False, reason: str = "") -> RollbackRecord:
        """Carry out the rollback that the campaign waits for, or one that a person requests."""
        before = len(self._controller.rollbacks(campaign))
        config = RollbackConfig(campaign=campaign, requested=requested, reason=reason)
        try:
            self._run("rollback", run_config=_of_op("restore_weights", config), tags={CAMPAIGN_TAG: campaign})
        except RunFailedError:
            # A rollback that could not be verified is an outcome, with a record that says so.
            if len(self._controller.rollbacks(campaign)) == before:
                raise
        return self._controller.rollbacks(campaign)[-1]

    def close(self) -> None:
        """Release the instance; the controller is the caller's."""
        self._instance.dispose()

    def _measure(self, config: MeasureConfig, progress: Progress) -> None:
        self._run(
            "measure",
            run_config=_of_op("measure_held_out", config),
            tags={CAMPAIGN_TAG: config.campaign},
            progress=progress,
        )

    def _failed_gate(self, run_id: str) -> str:
        """The blocking gate that ended a run, and what it found."""
        events = self._instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION)
        for entry in reversed(events):
            event = entry.dagster_event
            if event is not None and not event.asset_check_evaluation_data.passed:
                found = event.asset_check_evaluation_data
                return f"gate {found.check_name} of {found.asset_key.to_user_string()}: {found.description}"
        return "a blocking gate did not pass"

    def _run(
        self,
        job: str,
        *,
        tags: Mapping[str, str],
        run_config: Mapping[str, Any] | None = None,
        partition_key: str | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Execute a job here. Errors of the core come out as they are; others name the run."""
        run_id = make_new_run_id()
        try:
            result = self._definitions.resolve_job_def(job).execute_in_process(
                instance=self._instance,
                run_id=run_id,
                run_config=run_config if run_config is not None else _QUIET,
                partition_key=partition_key,
                tags={**tags, **worker_tag(run_id)},
                resources={"control": Control(lambda: self._controller, progress)},
            )
        except DagsterExecutionInterruptedError:
            raise KeyboardInterrupt from None
        except dg.Failure as error:
            raise RunFailedError(f"{error.description} ({_where(job, run_id)})") from error
        except DagsterAssetCheckFailedError as error:
            raise RunFailedError(f"{self._failed_gate(run_id)} ({_where(job, run_id)})") from error
        except Exception as error:
            error.add_note(_where(job, run_id))
            raise
        if not result.success:
            raise KeyboardInterrupt


def _of_op(name: str, config: dg.Config) -> dict[str, Any]:
    """The run configuration that gives one op its configuration."""
    return {**_config({name: config}), **_QUIET}


def _config(ops: dict[str, dg.Config]) -> dict[str, Any]:
    made: dict[str, Any] = dg.RunConfig(ops=dict(ops)).to_config_dict()  # type: ignore[no-untyped-call]
    return made


def _where(job: str, run_id: str) -> str:
    return f"Dagster run {run_id} of {job}; `make ui` shows it under Runs"
