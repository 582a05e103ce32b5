"""When pointers move and campaigns stop: promotion, drift, rollback, freezing, pausing."""

from pathlib import Path

import pytest

from rlaios_core.control import (
    CampaignController,
    CampaignError,
    ComparisonSettings,
    Mode,
    tables,
)
from rlaios_core.control.batches import BatchMark
from rlaios_core.schema import (
    EpochKind,
    RollbackReason,
)
from tests.control.bench import Bench, campaign
from tests.control.fakes import FakeLearner


def test_three_calm_rounds_and_a_confirmation_promote(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var", FakeLearner(skill_at={1: 0.7}))
    with bench.controller() as controller:
        controller.open_campaign(campaign())
        for _ in range(4):
            controller.run_epoch("alpha")
        reports = controller.promotion_reports("alpha")
        assert [report.promoted for report in reports] == [False, False, False, True]
        assert all(gate.passed for gate in reports[-1].gates)
        assert len(reports[-1].confirmations) == 1
        assert (
            controller.state("alpha").lineage.last_stable == controller.epochs("alpha")[-1].active_checkpoint
        )
        assert "confirmed" in controller.lineage_history("alpha")[-3].reason
        assert len(controller.comparisons("alpha")) == 3


def test_without_confirmation_pairs_last_stable_never_moves(controller: CampaignController) -> None:
    root = controller.open_campaign(
        campaign(comparison=ComparisonSettings(confirmation_pairs=0))
    ).lineage.active
    for _ in range(5):
        controller.run_epoch("alpha")
    assert controller.state("alpha").lineage.last_stable == root


def test_a_drift_returns_to_last_stable(tmp_path: Path) -> None:
    drift = {epoch: 0.9 - 0.09 * epoch for epoch in range(1, 9)}
    bench = Bench(tmp_path / "var", FakeLearner(skill_at=drift, first=0.9))
    rules = ComparisonSettings(confirmation_pairs=120, alpha_worse=0.0001, sharp_loss=1.0)
    with bench.controller() as controller:
        root = controller.open_campaign(campaign(comparison=rules)).lineage.active
        for _ in range(4):
            controller.run_epoch("alpha")
        (rollback,) = controller.rollbacks("alpha")
        assert rollback.reason is RollbackReason.DRIFT
        assert rollback.to_checkpoint == root == controller.state("alpha").lineage.active
        assert len(controller.promotion_reports("alpha")[-1].confirmations) == 2
    marks = [row["mark"] for row in bench.rows(tables.batches)]
    assert marks == [BatchMark.ROLLBACK_BATCH.value] * 3 + [BatchMark.ABANDONED.value]


def test_a_restore_that_cannot_be_verified_freezes(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var", FakeLearner(skill_at={1: 0.6, 2: 0.05}))
    with bench.controller() as controller:
        controller.open_campaign(campaign())
        controller.run_epoch("alpha")
        good = controller.state("alpha").lineage.active
        controller.run_epoch("alpha")
        path = controller._desk.registry.path(good)
        content = path.read_text()
        key = controller.plan_epoch("alpha").key
        controller.generate_benchmark(key)
        controller.collect_episodes(key, "fake")
        controller.compare(key)
        controller.route_lanes(key)
        controller.train_candidate(key)
        assert controller.promote(key).rollback is RollbackReason.SHARP_LOSS
        with pytest.raises(CampaignError, match="rollback is pending"):
            controller.plan_epoch("alpha")
        path.write_text(content + " ")
        before = controller.state("alpha").lineage
        record = controller.rollback("alpha")
        assert not record.verified
        assert "corrupt" in str(record.diagnosis["failure"])
        assert controller.state("alpha").mode is Mode.FROZEN_FAILURE
        assert controller.state("alpha").lineage == before
        with pytest.raises(CampaignError, match="frozen"):
            controller.plan_epoch("alpha")
        with pytest.raises(CampaignError, match="frozen"):
            controller.rollback("alpha")
        path.write_text(content)
        controller.unfreeze("alpha", "restored from the backup")
        assert controller.rollback("alpha").verified
        assert controller.state("alpha").lineage.active == good
        assert [record.verified for record in controller.rollbacks("alpha")] == [False, True]


def test_a_frozen_campaign_may_go_on_with_what_is_active(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var", FakeLearner(skill_at={1: 0.05}, first=0.9))
    with bench.controller() as controller:
        root = controller.open_campaign(campaign()).lineage.active
        controller.run_epoch("alpha")
        active = controller.state("alpha").lineage.active
        path = controller._desk.registry.path(root)
        controller._policy(root)
        path.unlink()
        controller.run_epoch("alpha")
        assert controller.state("alpha").mode is Mode.FROZEN_FAILURE
        state = controller.unfreeze("alpha", "the file is lost", retry_rollback=False)
        assert state.mode is Mode.RUNNING
        assert state.lineage.active == active
        assert controller.plan_epoch("alpha").kind is EpochKind.TRAINING


def test_a_person_may_ask_for_a_rollback(controller: CampaignController) -> None:
    root = controller.open_campaign(campaign()).lineage.active
    with pytest.raises(CampaignError, match="no rollback pending"):
        controller.rollback("alpha")
    with pytest.raises(CampaignError, match="nothing to roll back to"):
        controller.rollback("alpha", reason=RollbackReason.REQUESTED)
    controller.run_epoch("alpha")
    key = controller.plan_epoch("alpha").key
    controller.generate_benchmark(key)
    controller.collect_episodes(key, "fake")
    with pytest.raises(CampaignError, match="finish it first"):
        controller.rollback("alpha", reason=RollbackReason.REQUESTED)
    controller.run_epoch("alpha")
    before = controller.state("alpha").lineage
    planned = controller.plan_epoch("alpha")
    record = controller.rollback("alpha", reason=RollbackReason.REQUESTED)
    assert record.reason is RollbackReason.REQUESTED
    assert record.to_checkpoint == before.pre_update_ref != root
    replanned = controller.plan_epoch("alpha")
    assert replanned.epoch == planned.epoch
    assert replanned.active_checkpoint == before.pre_update_ref
    assert replanned.reference_checkpoint is None
    assert controller.run_epoch("alpha").verdict is None


def test_pausing_by_hand(controller: CampaignController) -> None:
    controller.open_campaign(campaign())
    controller.pause("alpha", "the machine is needed")
    with pytest.raises(CampaignError, match="the machine is needed"):
        controller.run_epoch("alpha")
    with pytest.raises(CampaignError, match="paused already"):
        controller.pause("alpha", "again")
    controller.unfreeze("alpha", "free again")
    with pytest.raises(CampaignError, match="nothing to lift"):
        controller.unfreeze("alpha", "again")
    controller.run_epoch("alpha")
