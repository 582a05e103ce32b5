"""Real daemons: two campaigns, a worker and a daemon killed in mid-epoch, two daemons at once."""

import itertools
import os
import signal
from pathlib import Path

import dagster as dg
import pytest

from rlaios_core.control import CampaignController, CampaignSettings, Mode, Workspace
from rlaios_core.control.events import CampaignOpened, EpochClosed, RollbackTriggered
from rlaios_core.schema import EpochStatus, Lineage, Pointer, RollbackReason
from rlaios_pipeline.launcher import WORKER_TAG
from rlaios_pipeline.partitions import CAMPAIGN_TAG
from rlaios_pipeline.pointers import pointer_key
from tests.cli.toy import ToyShell
from tests.pipeline.conftest import tiny_settings
from tests.pipeline.daemons import PATIENCE, Site

pytestmark = [pytest.mark.slow, pytest.mark.timeout(4 * PATIENCE)]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def campaign(name: str, epochs: int = 2) -> CampaignSettings:
    return tiny_settings().model_copy(update={"name": name, "epochs": epochs})


def undisturbed(settings: CampaignSettings, folder: Path) -> Lineage:
    """Where the pointers of a campaign stand that nothing ever interrupted."""
    workspace = Workspace.open(folder)
    with CampaignController(workspace, environments=lambda _n, _s: ToyShell()) as controller:
        controller.open_campaign(settings)
        while not controller.finished(settings.name):
            controller.run_epoch(settings.name)
        return controller.state(settings.name).lineage


def as_never_interrupted(site: Site, settings: CampaignSettings) -> None:
    """Every epoch was closed once, and the weights are those of an undisturbed campaign."""
    with site.controller() as controller:
        records = controller.epochs(settings.name)
        assert [(r.epoch, r.status) for r in records] == [
            (number, EpochStatus.CLOSED) for number in range(1, settings.epochs + 1)
        ]
        events = controller._desk.store.events(settings.name)
        assert sum(isinstance(event, EpochClosed) for event in events) == settings.epochs
        assert sum(isinstance(event, CampaignOpened) for event in events) == 1
        lineage = controller.state(settings.name).lineage
    assert lineage == undisturbed(settings, site.folder / f"undisturbed-{settings.name}")


def runs(instance: dg.DagsterInstance, **tags: str) -> list[dg.DagsterRun]:
    wanted = {name.replace("__", "/"): value for name, value in tags.items()}
    return list(instance.get_runs(dg.RunsFilter(tags=wanted)))


def worker(site: Site) -> int | None:
    """The process of the epoch under way, once it says who it is."""
    with site.instance() as instance:
        for run in instance.get_runs(dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])):
            _, pid, _, run_id = run.tags.get(WORKER_TAG, "///").split("/")
            if run_id == run.run_id:
                return int(pid)
    return None


def playing(site: Site, name: str) -> bool:
    """Whether an epoch is under way so far that its tasks are made and its episodes are played."""
    folder = site.store / "episodes" / name
    return worker(site) is not None and any(folder.rglob("*.tasks.gz"))


def test_two_campaigns_are_carried_on_by_the_sensors_one_update_at_a_time(site: Site) -> None:
    site.turn_on()
    site.open(campaign("alpha"), campaign("beta"))
    with site.daemon():
        site.until(lambda: site.finished("alpha", "beta"), "both campaigns are finished")
        with site.instance() as instance:
            done = dg.RunsFilter(statuses=[dg.DagsterRunStatus.SUCCESS])
            site.until(lambda: instance.get_runs_count(done) == 4, "every run says that it is done")
            records = instance.get_run_records()
            assert len(records) == 4
            keys = {record.dagster_run.tags["dagster/run_key"] for record in records}
            assert len(keys) == 4
            spans = sorted((record.start_time or 0.0, record.end_time or 0.0) for record in records)
            overlapping = [pair for pair in itertools.pairwise(spans) if pair[0][1] > pair[1][0]]
            assert not overlapping, "the pool lets one update run at a time"
            for name in ("alpha", "beta"):
                wanted = dg.AssetRecordsFilter(pointer_key(Pointer.ACTIVE), asset_partitions=[name])
                (newest,) = instance.fetch_materializations(wanted, limit=1).records
                shown = newest.asset_materialization
                assert shown is not None
                with site.controller() as controller:
                    active = controller.state(name).lineage.active
                assert shown.metadata["checkpoint_id"].value == active
    for name in ("alpha", "beta"):
        as_never_interrupted(site, campaign(name))


def test_a_killed_worker_shows_as_failed_and_its_campaign_goes_on(site: Site) -> None:
    settings = campaign("alpha")
    site.open(settings)
    with site.daemon(seconds_per_episode=2.0):
        site.until(lambda: playing(site, "alpha"), "an epoch is under way")
        pid = worker(site)
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        with site.instance() as instance:
            failed = dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE])
            seconds = site.until(lambda: instance.get_runs_count(failed) == 1, "the run shows as failed")
            print(f"a killed worker showed as failed after {seconds:.1f} s")
            site.until(lambda: site.finished("alpha"), "the campaign is finished")
            (lost,) = instance.get_runs(failed)
            (retried,) = runs(instance, dagster__parent_run_id=lost.run_id)
            assert retried.tags["dagster/run_key"] == "alpha.t00001"
    as_never_interrupted(site, settings)


def test_a_daemon_killed_with_all_it_started_is_restarted_in_mid_epoch(site: Site) -> None:
    settings = campaign("alpha")
    site.open(settings)
    with site.daemon(seconds_per_episode=2.0) as daemon:
        site.until(lambda: playing(site, "alpha"), "an epoch is under way")
        daemon.kill()
        assert daemon.members() == []
    with site.instance() as instance:
        (left,) = instance.get_runs()
        assert left.status is dg.DagsterRunStatus.STARTED, "nobody was left to say so"
    with site.daemon("restarted"), site.instance() as instance:
        failed = dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE])
        seconds = site.until(lambda: instance.get_runs_count(failed) == 1, "the lost run shows as failed")
        print(f"after the restart the lost run showed as failed within {seconds:.1f} s")
        told = lambda: any("is gone" in entry.message for entry in instance.all_logs(left.run_id))  # noqa: E731
        site.until(told, "the log of the lost run says why")
        site.until(lambda: site.finished("alpha"), "the campaign is finished")
    as_never_interrupted(site, settings)


def test_two_daemons_do_nothing_twice(site: Site) -> None:
    settings = campaign("alpha")
    site.open(settings)
    with site.daemon("one"), site.daemon("two"):
        site.until(lambda: site.finished("alpha"), "the campaign is finished")
    as_never_interrupted(site, settings)


def test_a_pending_rollback_is_launched_once_and_the_campaign_goes_on(site: Site) -> None:
    site.open(campaign("alpha", epochs=2))
    with site.controller() as controller:
        first = controller.state("alpha").lineage.active
        controller.run_epoch("alpha")
        with pytest.MonkeyPatch.context() as patch:
            cut_off = lambda _checkpoint: (_ for _ in ()).throw(KeyboardInterrupt)  # noqa: E731
            patch.setattr(controller._desk.registry, "restore", cut_off)
            with pytest.raises(KeyboardInterrupt):
                controller.rollback("alpha", reason=RollbackReason.REQUESTED, note="a drill")
        assert controller.state("alpha").mode is Mode.ROLLBACK_PENDING
    with site.daemon():
        site.until(lambda: site.finished("alpha"), "the campaign is finished")
        with site.instance() as instance:
            jobs = [run.job_name for run in runs(instance, **{CAMPAIGN_TAG.replace("/", "__"): "alpha"})]
    assert sorted(jobs) == ["rollback", "training_epoch"]
    with site.controller() as controller:
        (record,) = controller.rollbacks("alpha")
        assert (record.verified, record.to_checkpoint) == (True, first)
        events = controller._desk.store.events("alpha")
        assert sum(isinstance(event, RollbackTriggered) for event in events) == 1
