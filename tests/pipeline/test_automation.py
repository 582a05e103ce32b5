"""What the sensors and the schedule ask for: once, whatever happens to the daemon."""

import datetime as dt
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from rlaios_core.control import CampaignController, Mode, Workspace
from rlaios_core.control.leases import LeaseKeeper
from rlaios_core.processes import Owner, process_start
from rlaios_core.schema import RollbackReason
from rlaios_pipeline.automation import RUN_KEY_TAG
from rlaios_pipeline.defs.automation import ROLLBACK_ATTEMPTS, advance, degradation, monitoring
from rlaios_pipeline.partitions import CAMPAIGN_TAG
from rlaios_pipeline.resources import Control
from tests.cli.toy import ToyShell
from tests.pipeline.conftest import Deck, tiny_settings

Tick = Callable[[Any], dg.SensorResult | list[dg.RunRequest] | dg.SkipReason]


@pytest.fixture
def tick(deck: Deck, tmp_path: Path) -> Tick:
    """A tick of a daemon: in a process that holds nothing and only reads."""

    def evaluate(sensor: Any) -> Any:
        workspace = Workspace.open(tmp_path / "var")
        with CampaignController(workspace, environments=lambda _n, _s: ToyShell()) as reader:
            resources = {"control": Control(lambda: reader)}
            with dg.build_sensor_context(instance=deck.instance, resources=resources) as context:
                return sensor(context)

    return evaluate


def keys(answer: object) -> list[str]:
    requests = answer.run_requests if isinstance(answer, dg.SensorResult) else answer
    assert isinstance(requests, list)
    return [str(request.run_key) for request in requests]


def why(answer: object) -> str:
    reason = answer.skip_reason if isinstance(answer, dg.SensorResult) else answer
    assert isinstance(reason, dg.SkipReason)
    return str(reason.skip_message)


def run_of(deck: Deck, job: str, status: dg.DagsterRunStatus, tags: dict[str, str]) -> dg.DagsterRun:
    """A run as a daemon would have left it."""
    config = {"ops": {"restore_weights": {"config": {"campaign": "alpha"}}}} if job == "rollback" else {}
    return deck.instance.create_run_for_job(
        job_def=deck.definitions.resolve_job_def(job), status=status, tags=tags, run_config=config
    )


def test_two_ticks_ask_for_the_same_run(deck: Deck, tick: Tick) -> None:
    assert keys(tick(advance)) == keys(tick(advance)) == ["alpha.t00001"]
    before = deck.controller.state("alpha")
    assert before.open_epoch is None, "a tick writes nothing"


def test_the_request_names_job_partition_and_campaign(tick: Tick) -> None:
    answer = tick(advance)
    assert isinstance(answer, dg.SensorResult)
    (request,) = answer.run_requests or []
    assert (request.job_name, request.partition_key) == ("training_epoch", "alpha.t00001")
    assert request.tags[CAMPAIGN_TAG] == "alpha"
    (added,) = answer.dynamic_partitions_requests or []
    assert list(added.partition_keys) == ["alpha.t00001"]


def test_the_next_epoch_follows_the_closed_one_and_a_full_campaign_rests(deck: Deck, tick: Tick) -> None:
    for number in (1, 2, 3):
        key = keys(tick(advance))[0]
        assert key.endswith(f"{number:05d}")
        job = "monitoring_epoch" if ".m" in key else "training_epoch"
        deck.instance.add_dynamic_partitions("epoch", [key])
        deck.run(job, partition=key)
    assert "no running campaign" in why(tick(advance))


@pytest.mark.parametrize("status", [dg.DagsterRunStatus.NOT_STARTED, dg.DagsterRunStatus.STARTED])
def test_a_campaign_with_a_run_is_left_alone(deck: Deck, tick: Tick, status: dg.DagsterRunStatus) -> None:
    run = run_of(deck, "training_epoch", status, {CAMPAIGN_TAG: "alpha"})
    assert run.run_id in why(tick(advance))


def test_a_campaign_that_another_process_writes_to_is_left_alone(
    deck: Deck, tick: Tick, tmp_path: Path
) -> None:
    parent = os.getppid()
    owner = Owner("elsewhere", parent, process_start(parent) or "0", "somebody")
    with deck.controller._desk.store.reading() as connection:
        engine = connection.engine
    deck.controller.close()
    keeper = LeaseKeeper(engine, owner)
    keeper.acquire("alpha")
    try:
        assert f"process {parent} of somebody" in why(tick(advance))
    finally:
        keeper.release()
    assert keys(tick(advance)) == ["alpha.t00001"]


def test_a_failed_epoch_holds_its_campaign_and_is_named(deck: Deck, tick: Tick) -> None:
    failed = run_of(
        deck,
        "training_epoch",
        dg.DagsterRunStatus.FAILURE,
        {RUN_KEY_TAG: "alpha.t00001", "dagster/partition": "alpha.t00001"},
    )
    assert f"alpha.t00001: run {failed.run_id} failed" in why(tick(advance))
    again = {RUN_KEY_TAG: "alpha.t00001", CAMPAIGN_TAG: "alpha"}
    run_of(deck, "training_epoch", dg.DagsterRunStatus.STARTED, again)
    assert "works on it" in why(tick(advance))


def test_an_epoch_interrupted_half_way_is_asked_for_again_by_its_own_key(deck: Deck, tick: Tick) -> None:
    key = deck.controller.plan_epoch("alpha").key
    deck.controller.generate_benchmark(key)
    deck.controller.collect_episodes(key, "shell")
    assert keys(tick(advance)) == [key]


def test_a_planned_monitoring_epoch_is_gone_on_with(deck: Deck, tick: Tick) -> None:
    deck.controller.plan_epoch("alpha", monitoring=True)
    answer = tick(advance)
    assert isinstance(answer, dg.SensorResult)
    assert [(r.run_key, r.job_name) for r in answer.run_requests or []] == [
        ("alpha.m00001", "monitoring_epoch")
    ]


def test_degradation_is_quiet_while_all_is_well(tick: Tick) -> None:
    assert why(tick(degradation)) == "no campaign waits for a rollback"


@pytest.fixture
def pending(deck: Deck) -> Deck:
    """A campaign that waits for its rollback: it was called for, and cut off before it was done."""
    deck.run("training_epoch", partition="alpha.t00001")
    registry = deck.controller._desk.registry
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "restore", lambda _checkpoint: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            deck.controller.rollback("alpha", reason=RollbackReason.REQUESTED)
    assert deck.controller.state("alpha").mode is Mode.ROLLBACK_PENDING
    return deck


def test_two_ticks_ask_for_one_rollback_and_nothing_else_goes_on(pending: Deck, tick: Tick) -> None:
    assert keys(tick(degradation)) == keys(tick(degradation))
    assert "no running campaign" in why(tick(advance))
    (request,) = requests(tick(degradation))
    assert request.tags["dagster/priority"] == "10"
    pending.run("rollback", config={"restore_weights": {"campaign": "alpha"}})
    assert why(tick(degradation)) == "no campaign waits for a rollback"
    assert keys(tick(advance)), "the campaign goes on"


def test_a_rollback_whose_run_failed_is_tried_again_a_few_times(pending: Deck, tick: Tick) -> None:
    asked = []
    for _ in range(ROLLBACK_ATTEMPTS):
        (request,) = requests(tick(degradation))
        asked.append(request.run_key)
        run_of(pending, "rollback", dg.DagsterRunStatus.FAILURE, dict(request.tags))
    assert len(set(asked)) == ROLLBACK_ATTEMPTS
    assert "a person has to look" in why(tick(degradation))


def requests(answer: object) -> list[dg.RunRequest]:
    assert isinstance(answer, list)
    return answer


def scheduled(deck: Deck, at: dt.datetime) -> list[dg.RunRequest] | dg.SkipReason:
    resources = {"control": Control(lambda: deck.controller)}
    # A schedule's context needs an instance that other processes could open, too.
    with (
        dg.instance_for_test() as instance,
        dg.build_schedule_context(
            instance=instance, scheduled_execution_time=at, resources=resources
        ) as context,
    ):
        answer: list[dg.RunRequest] | dg.SkipReason = monitoring(context)
        if isinstance(answer, list):
            assert [r.partition_key for r in answer] == instance.get_dynamic_partitions("epoch")
        return answer


def test_the_schedule_opens_one_monitoring_epoch_per_campaign_and_time(deck: Deck) -> None:
    deck.open(tiny_settings().model_copy(update={"name": "beta"}))
    noon = dt.datetime(2030, 1, 1, 12, tzinfo=dt.UTC)
    first, again = requests(scheduled(deck, noon)), requests(scheduled(deck, noon))
    assert [r.run_key for r in first] == [r.run_key for r in again]
    assert [r.partition_key for r in first] == ["alpha.m00001", "beta.m00001"]
    later = requests(scheduled(deck, noon + dt.timedelta(hours=6)))
    assert not {r.run_key for r in first} & {r.run_key for r in later}


def test_the_schedule_leaves_an_epoch_under_way_alone(deck: Deck) -> None:
    key = deck.controller.plan_epoch("alpha").key
    deck.controller.generate_benchmark(key)
    deck.controller.collect_episodes(key, "shell")
    assert isinstance(scheduled(deck, dt.datetime(2030, 1, 1, tzinfo=dt.UTC)), dg.SkipReason)


def test_everything_is_off_until_a_person_turns_it_on(definitions: dg.Definitions) -> None:
    sensors = {sensor.name: sensor for sensor in definitions.sensors or ()}
    assert sensors.keys() == {"advance", "degradation"}
    assert {sensor.default_status for sensor in sensors.values()} == {dg.DefaultSensorStatus.STOPPED}
    (schedule,) = definitions.schedules or ()
    assert schedule.name == "monitoring"
    assert schedule.default_status is dg.DefaultScheduleStatus.STOPPED
