"""The controller end to end, on a world of coins and a learner of one number."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from rlaios_core.control import (
    CampaignController,
    CampaignError,
    CandidateStatus,
    ComparisonSettings,
    ControlError,
    Mode,
    ReplaySettings,
    RetentionSettings,
    StoreError,
    tables,
)
from rlaios_core.control.batches import BatchMark
from rlaios_core.control.events import Event
from rlaios_core.control.settings import quotas
from rlaios_core.environments import Play
from rlaios_core.schema import (
    EpochKind,
    EpochStatus,
    Lane,
    Pointer,
    RelativeOutcome,
    RollbackReason,
    Split,
    Task,
)
from tests.control.bench import Bench, campaign, ledger
from tests.control.fakes import FakeEnvironment, FakeLearner


def test_four_epochs_with_a_forced_rollback(tmp_path: Path, database_url: str) -> None:
    bench = Bench(tmp_path / "var", FakeLearner(skill_at={1: 0.55, 2: 0.1}), database_url)
    with bench.controller() as controller:
        opened = controller.open_campaign(campaign())
        root = opened.lineage.active
        first, second, third, fourth = (controller.run_epoch("alpha") for _ in range(4))
        assert [record.verdict for record in (first, second, third, fourth)] == [
            None,
            RelativeOutcome.SAME,
            RelativeOutcome.WORSE,
            None,
        ]
        assert first.candidate_checkpoint == second.active_checkpoint
        assert second.candidate_checkpoint == third.active_checkpoint
        assert third.candidate_checkpoint is None
        assert fourth.active_checkpoint == second.active_checkpoint
        assert fourth.reference_checkpoint is None
        assert all(record.status is EpochStatus.CLOSED for record in controller.epochs("alpha"))
        assert first.episodes == 30
        assert set(first.seconds) >= {"benchmark", "episodes:fake", "comparison", "candidate"}
        (rollback,) = controller.rollbacks("alpha")
        assert rollback.verified
        assert rollback.reason is RollbackReason.SHARP_LOSS
        assert rollback.from_checkpoint == third.active_checkpoint
        assert rollback.to_checkpoint == second.active_checkpoint
        assert rollback.weights_hash == "w-0.55"
        assert rollback.diagnosis["worstEnvironment"] == "fake"
        assert rollback.diagnosis["update.approxKl"] == 0.01
        assert rollback.diagnosis["worstFamilies"]
        state = controller.state("alpha")
        assert state.mode is Mode.RUNNING
        assert state.lineage.last_stable == root
        assert state.lineage.pre_update_ref == second.active_checkpoint
        history = controller.lineage_history("alpha")
        active = [move.checkpoint_id for move in history if move.pointer is Pointer.ACTIVE]
        assert active == [
            root,
            first.candidate_checkpoint,
            second.candidate_checkpoint,
            second.active_checkpoint,
            fourth.candidate_checkpoint,
        ]
        assert "verified as w-0.55" in next(
            m.reason for m in history if m.pointer is Pointer.ACTIVE and m.epoch == 3
        )
        assert controller.finished("alpha")
    (undone,) = [row for row in bench.rows(tables.batches) if row["mark"] == BatchMark.ROLLBACK_BATCH.value]
    assert undone["batch_id"] == rollback.batch_id
    lanes = {row["lane"] for row in bench.rows(tables.episodes) if row["batch_id"] == rollback.batch_id}
    assert lanes == {Lane.NEGATIVE.value}


STAGES: tuple[Callable[[CampaignController, str], object], ...] = (
    lambda controller, key: controller.generate_benchmark(key),
    lambda controller, key: controller.collect_episodes(key, "fake"),
    lambda controller, key: controller.collect_episodes(key, "web"),
    lambda controller, key: controller.compare(key),
    lambda controller, key: controller.route_lanes(key),
    lambda controller, key: controller.train_candidate(key),
    lambda controller, key: controller.promote(key),
)
TWO = {"environments": ("fake", "web"), "episodes_per_epoch": 21}


def learner() -> FakeLearner:
    return FakeLearner(skill_at={1: 0.7, 2: 0.1})


def test_a_crash_between_any_two_stages_changes_nothing(tmp_path: Path, database_url: str) -> None:
    calm = Bench(tmp_path / "calm", learner())
    with calm.controller() as controller:
        controller.open_campaign(campaign(**TWO))
        for _ in range(4):
            controller.run_epoch("alpha")
        expected, events = ledger(controller), controller._desk.store.events("alpha")
    rough = Bench(tmp_path / "rough", learner(), database_url)
    for _ in range(4):
        for stage in STAGES:
            with rough.controller() as controller:
                controller.open_campaign(campaign(**TWO))
                if controller.pending_rollback("alpha"):
                    controller.rollback("alpha")
                stage(controller, controller.plan_epoch("alpha").key)
    with rough.controller() as controller:
        if controller.pending_rollback("alpha"):
            controller.rollback("alpha")
        assert ledger(controller) == expected
        assert controller._desk.store.events("alpha") == events


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], list[Event]]:
    """Ledger and events of three epochs that nothing interrupted."""
    with Bench(tmp_path_factory.mktemp("calm"), learner()).controller() as controller:
        controller.open_campaign(campaign())
        for _ in range(3):
            controller.run_epoch("alpha")
        return ledger(controller), controller._desk.store.events("alpha")


FATAL = [
    number if number % 4 == 1 else pytest.param(number, marks=pytest.mark.slow) for number in range(1, 26)
]


@pytest.mark.parametrize("fatal", FATAL)
def test_a_crash_inside_a_stage_changes_nothing(
    tmp_path: Path,
    fatal: int,
    monkeypatch: pytest.MonkeyPatch,
    undisturbed: tuple[list[dict[str, Any]], list[Event]],
) -> None:
    """The process dies as its nth transaction is about to commit."""
    rough = Bench(tmp_path / "rough", learner())
    controller = rough.controller()
    writing, left = controller._desk.store.writing, [fatal]

    @contextmanager
    def dying(name: str) -> Iterator[Any]:
        with writing(name) as connection:
            yield connection
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt

    monkeypatch.setattr(controller._desk.store, "writing", dying)

    def run() -> None:
        controller.open_campaign(campaign())
        for _ in range(3):
            controller.run_epoch("alpha")

    with pytest.raises(KeyboardInterrupt):
        run()
    controller.close()
    with rough.controller() as controller:
        controller.open_campaign(campaign())
        while controller.state("alpha").epoch < 3 or controller.pending_rollback("alpha"):
            if controller.pending_rollback("alpha"):
                controller.rollback("alpha")
            else:
                controller.run_epoch("alpha")
        assert (ledger(controller), controller._desk.store.events("alpha")) == undisturbed


def test_a_finished_stage_returns_its_report(controller: CampaignController, bench: Bench) -> None:
    controller.open_campaign(campaign())
    key = controller.plan_epoch("alpha").key
    assert key == "alpha.t00001"
    assert controller.plan_epoch("alpha", monitoring=True).key == key
    report = controller.generate_benchmark(key)
    assert report.tasks == 30
    sampled = len(bench.worlds["fake"].sampled)
    assert controller.generate_benchmark(key) == report
    assert len(bench.worlds["fake"].sampled) == sampled
    collected = controller.collect_episodes(key, "fake")
    assert controller.collect_episodes(key, "fake") == collected
    controller.compare(key)
    controller.route_lanes(key)
    candidate = controller.train_candidate(key)
    assert controller.train_candidate(key) == candidate
    promotion = controller.promote(key)
    assert controller.promote(key) == promotion
    assert [move.pointer for move in promotion.moves] == [Pointer.ACTIVE, Pointer.PRE_UPDATE_REF]
    assert promotion.moves[0].parent == candidate.parent
    assert [record.key for record in controller.epochs("alpha")] == [key]


def test_a_stage_refuses_to_run_before_its_predecessor(controller: CampaignController) -> None:
    controller.open_campaign(campaign())
    key = controller.plan_epoch("alpha").key
    for stage, missing in (
        (lambda: controller.collect_episodes(key, "fake"), "benchmark"),
        (lambda: controller.compare(key), "episodes of fake"),
        (lambda: controller.route_lanes(key), "comparison"),
        (lambda: controller.train_candidate(key), "lanes"),
        (lambda: controller.promote(key), "candidate"),
    ):
        with pytest.raises(CampaignError, match=f"lacks its stage {missing}"):
            stage()
    with pytest.raises(CampaignError, match="plan it first"):
        controller.generate_benchmark("alpha.t00002")
    with pytest.raises(CampaignError, match="not an epoch"):
        controller.generate_benchmark("alpha")
    with pytest.raises(CampaignError, match="not active"):
        controller.collect_episodes(key, "web")


def test_pairs_are_matched_and_tasks_are_fresh(tmp_path: Path) -> None:
    plays: list[tuple[str, Play]] = []

    def note(task: Task, play: Play) -> bool:
        plays.append((task.task_id, play))
        return False

    bench = Bench(tmp_path / "var")
    bench.worlds = {name: FakeEnvironment(name, broken=note) for name in ("fake", "web")}
    with bench.controller() as controller:
        controller.open_campaign(campaign(**TWO, teacher={"driver": "none"}))
        controller.run_epoch("alpha")
        first = {task_id for task_id, _ in plays}
        plays.clear()
        controller.run_epoch("alpha")
    sides: dict[str, list[Play]] = {}
    for task_id, play in plays:
        sides.setdefault(task_id, []).append(play)
    assert len(sides) == 21
    assert not first & set(sides)
    for one, other in sides.values():
        assert (one.seed, one.attempt) == (other.seed, other.attempt)
        assert one.checkpoint_id != other.checkpoint_id
    assert sum(task_id.startswith("fake") for task_id in sides) == 11


def test_faults_are_counted_and_never_train(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var")
    bench.worlds["fake"] = FakeEnvironment(broken=lambda task, play: task.index % 30 < 2)
    with bench.controller() as controller:
        controller.open_campaign(campaign())
        record = controller.run_epoch("alpha")
        assert (record.episodes, record.faults) == (28, 2)
        (lanes,) = controller.lane_reports("alpha")
        assert lanes.lanes[Lane.DIAGNOSTIC_ONLY] == 2
        assert lanes.diagnostic_reasons == {"fault": 2}
        assert controller.collection_reports("alpha")[0].faults_by_boundary == {"sandbox": 2}
        assert controller.run_epoch("alpha").faults == 4
    assert len(bench.learner.seen[1].live) == 28
    assert len(bench.rows(tables.faults)) == 6


def test_failed_comparisons_pause_and_a_person_lifts(tmp_path: Path) -> None:
    reference: list[str] = []
    bench = Bench(tmp_path / "var")
    bench.worlds["fake"] = FakeEnvironment(
        broken=lambda task, play: play.checkpoint_id in reference and task.index % 2 == 0
    )
    with bench.controller() as controller:
        reference.append(controller.open_campaign(campaign()).lineage.active)
        controller.run_epoch("alpha")
        active = controller.state("alpha").lineage.active
        kinds = []
        for _ in range(4):
            record = controller.run_epoch("alpha")
            kinds.append(record.kind)
            assert record.comparison_failed
        assert kinds == [EpochKind.TRAINING] + [EpochKind.MONITORING] * 3
        state = controller.state("alpha")
        assert state.mode is Mode.PAUSED
        assert state.lineage.active == active
        assert state.streak == 0
        with pytest.raises(CampaignError, match="4 comparisons failed in a row"):
            controller.plan_epoch("alpha")
        assert controller.lane_reports("alpha")[-1].diagnostic_reasons["comparison failed"] == 30
        controller.unfreeze("alpha", "the sandbox is mended")
        reference.clear()
        assert controller.run_epoch("alpha").verdict is RelativeOutcome.SAME
        assert controller.plan_epoch("alpha").kind is EpochKind.TRAINING


def test_a_failed_update_quarantines_its_batch(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var", FakeLearner(fail_at=frozenset({1})))
    with bench.controller() as controller:
        root = controller.open_campaign(campaign()).lineage
        record = controller.run_epoch("alpha")
        assert record.candidate_checkpoint is None
        assert controller.candidate_reports("alpha")[0].status is CandidateStatus.FAILED
        assert controller.state("alpha").lineage == root
        assert controller.plan_epoch("alpha").kind is EpochKind.TRAINING
    assert {row["lane"] for row in bench.rows(tables.episodes) if row["batch_id"]} == {
        Lane.DIAGNOSTIC_ONLY.value
    }
    assert [row["mark"] for row in bench.rows(tables.batches)] == [BatchMark.UPDATE_FAILED.value]


def test_monitoring_on_request_updates_nothing(controller: CampaignController) -> None:
    controller.open_campaign(campaign())
    controller.run_epoch("alpha")
    active = controller.state("alpha").lineage.active
    record = controller.run_epoch("alpha", monitoring=True)
    assert record.key == "alpha.m00002"
    assert record.verdict is RelativeOutcome.SAME
    assert controller.state("alpha").lineage.active == active
    assert "monitoring" in controller.candidate_reports("alpha")[-1].reason


def test_opening_is_idempotent_for_equal_settings(controller: CampaignController) -> None:
    first = controller.open_campaign(campaign())
    assert controller.open_campaign(campaign()) == first
    controller.open_campaign(campaign(epochs=9))
    assert controller.settings("alpha").epochs == 9
    with pytest.raises(CampaignError, match=r"other settings \(seed\)"):
        controller.open_campaign(campaign(seed=6))
    with pytest.raises(CampaignError, match="no teacher called"):
        controller.open_campaign(campaign(name="beta", teacher={"driver": "oracle"}))
    assert controller.campaigns() == ["alpha"]


def test_what_an_update_learns_from(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var")
    replay = ReplaySettings(reference_episodes=3)
    with bench.controller() as controller:
        controller.open_campaign(campaign(replay=replay))
        for _ in range(3):
            controller.run_epoch("alpha")
        reports = controller.candidate_reports("alpha")
    first, _, third = (bench.learner.seen[epoch] for epoch in (1, 2, 3))
    failures = [episode for episode in first.live if not episode.success]
    assert len(first.references) == len(failures) > 0
    assert all(reference.success for reference in first.references)
    assert not first.replay
    assert {episode.epoch for episode in third.replay} <= {1, 2}
    assert len(third.replay) == 10
    assert all(episode.lane in (Lane.POSITIVE, Lane.NEUTRAL) for episode in third.replay)
    assert {reference.epoch for reference in third.references} == {3}
    assert [reference.epoch for reference in third.earlier_references] == [2, 2, 2]
    assert all(episode.comparison is not None for episode in third.live)
    assert reports[2].reference_episodes == len(third.references) + 3


def test_held_out_scores_are_measured_once_on_equal_tasks(
    controller: CampaignController, bench: Bench
) -> None:
    root = controller.open_campaign(campaign()).lineage.active
    score = controller.held_out("alpha", checkpoint_id=root, episodes=20, arm="untrained")
    assert score.episodes == 20
    sampled = len(bench.worlds["fake"].sampled)
    assert controller.held_out("alpha", checkpoint_id=root, episodes=20, arm="untrained") == score
    controller.run_epoch("alpha")
    baselines = controller.baselines_held_out("alpha", Split.FINAL, 20)
    assert baselines["fake"]["oracle"].success == 1.0
    assert len(bench.worlds["fake"].sampled) == sampled + 30
    controller.held_out("alpha", checkpoint_id=root, split=Split.HELD_OUT, episodes=5, arm="untrained")
    summary = controller.summary("alpha", 1.5)
    assert set(summary.held_out["fake"]) == {"untrained", "heuristic", "oracle", "untrained@held_out"}
    assert summary.held_out["fake"]["untrained"] == score
    assert summary.wall_seconds == 1.5
    assert summary.settings["episodesPerEpoch"] == 30


def test_retention_keeps_what_pointers_name(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var")
    keep = RetentionSettings(checkpoints=1)
    with bench.controller() as controller:
        root = controller.open_campaign(
            campaign(retention=keep, comparison=ComparisonSettings(confirmation_pairs=0))
        ).lineage.active
        controller.run_epoch("alpha")
        pinned = controller.state("alpha").lineage.active
        controller.pin("alpha", pinned)
        for _ in range(4):
            controller.run_epoch("alpha")
        lineage = controller.state("alpha").lineage
        kept = {path.stem for path in bench.workspace.checkpoints.iterdir()}
        assert kept == {root, pinned, lineage.active, lineage.pre_update_ref}
        assert controller._desk.registry.record(root).checkpoint_id == root
        with pytest.raises(CampaignError, match="no checkpoint"):
            controller.pin("alpha", "ck-unknown")


def test_a_corrupt_episode_file_is_named(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var")
    with bench.controller() as controller:
        controller.open_campaign(campaign())
        key = controller.plan_epoch("alpha").key
        controller.generate_benchmark(key)
        controller.collect_episodes(key, "fake")
    path = next(bench.workspace.root.rglob("fake.parquet"))
    path.write_bytes(path.read_bytes()[:-3])
    with bench.controller() as controller:
        controller.compare(key)
        with pytest.raises(StoreError, match=r"fake\.parquet is corrupt"):
            controller.route_lanes(key)


def test_closing_releases_everything(bench: Bench) -> None:
    with bench.controller() as controller:
        controller.open_campaign(campaign())
        controller.run_epoch("alpha")
    assert bench.worlds["fake"].closed
    assert bench.rows(tables.leases) == []


def test_quotas_are_exact() -> None:
    assert quotas(60, ("a", "b", "c")) == {"a": 20, "b": 20, "c": 20}
    assert quotas(62, ("a", "b", "c")) == {"a": 21, "b": 21, "c": 20}


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Alpha"},
        {"name": "a/b"},
        {"environments": ()},
        {"environments": ("fake", "fake")},
        {"environment_options": {"web": {}}},
        {"environments": ("fake", "web"), "episodes_per_epoch": 1},
        {"epochs": 0},
        {"comparison": {"alpha_worse": 1.5}},
        {"colour": "red"},
    ],
)
def test_settings_refuse_what_cannot_be(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        campaign(**changes)


def test_every_error_is_a_control_error() -> None:
    assert issubclass(CampaignError, ControlError)
    assert issubclass(StoreError, ControlError)
