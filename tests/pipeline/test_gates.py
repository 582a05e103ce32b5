"""The gates as asset checks: they show what the controller found, and block where the design says so."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.errors import DagsterAssetCheckFailedError

from rlaios_core.control import CampaignController, CampaignError, GateFinding
from rlaios_core.control.rules import early_gates, late_gates
from rlaios_core.control.settings import ComparisonSettings
from rlaios_core.schema import ComparisonResult, ComparisonStatus, RelativeOutcome
from rlaios_pipeline.defs.gates import CHECKS
from tests.pipeline.conftest import Deck, opened


def checks(result: dg.ExecuteInProcessResult) -> dict[str, dg.AssetCheckEvaluation]:
    return {found.check_name: found for found in result.get_asset_check_evaluations()}


def test_every_gate_of_the_controller_is_shown_by_one_check(deck: Deck) -> None:
    state = deck.controller.state("alpha")
    same = ComparisonResult(
        campaign="alpha", epoch=1, active_checkpoint="a", reference_checkpoint="b", seed=1,
        status=ComparisonStatus.COMPLETED, relative_outcome=RelativeOutcome.SAME, pairs=4, valid_pairs=4,
        better_pairs=0, worse_pairs=0, mean_difference=0.0, interval_low=0.0, interval_high=0.0,
        p_worse=1.0, p_better=1.0,
    )  # fmt: skip
    late = late_gates(same, ComparisonSettings(), first_promotion=False, violation_rates=(0.0, 0.0))
    names = [finding.gate for finding in (*early_gates(state), *late)]
    shown = [gate for check in CHECKS.values() for gate in check.gates]
    assert sorted(shown) == sorted(names)


def test_no_promotion_gate_blocks_and_the_schema_gate_does(definitions: dg.Definitions) -> None:
    graph = definitions.resolve_asset_graph()
    specs = {key.name: graph.get_check_spec(key) for key in graph.asset_check_keys}
    assert {name for name, spec in specs.items() if spec.blocking} == {"schema"}
    assert specs.keys() == {"schema", *CHECKS}


@pytest.fixture
def first(definitions: dg.Definitions, tmp_path: Path) -> Iterator[tuple[Deck, dg.ExecuteInProcessResult]]:
    with opened(definitions, tmp_path / "var") as deck:
        yield deck, deck.run("training_epoch", partition="alpha.t00001")


def test_an_epoch_shows_the_findings_and_leaves_out_what_was_not_asked(
    first: tuple[Deck, dg.ExecuteInProcessResult],
) -> None:
    deck, result = first
    found = checks(result)
    findings = {finding.gate: finding for finding in deck.controller.gates("alpha.t00001")}
    assert found["schema"].passed
    assert found["coverage"].passed == findings["coverage"].passed
    assert findings["coverage"].detail in str(found["coverage"].metadata["findings"].value)
    assert found["coverage"].severity is dg.AssetCheckSeverity.WARN
    assert "safety" not in findings
    assert not {"shell_safety", "holdout"} & found.keys(), "no confirmation was due, so nothing is claimed"


def test_a_gate_that_does_not_pass_fails_no_run(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    violations = GateFinding(gate="safety", passed=False, detail="violations 0.400 against 0.000")
    monkeypatch.setattr(CampaignController, "gates", lambda _self, _key: (violations,))
    result = deck.run("training_epoch", partition="alpha.t00001")
    assert result.success
    (shown,) = (found for found in checks(result).values() if found.check_name in CHECKS)
    assert (shown.check_name, shown.passed) == ("shell_safety", False)
    assert shown.severity is dg.AssetCheckSeverity.ERROR
    assert shown.description == "safety: violations 0.400 against 0.000"


def test_episodes_that_do_not_read_back_stop_the_epoch_before_the_comparison(
    deck: Deck, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    collect = CampaignController.collect_episodes

    def and_damage(self: CampaignController, key: str, environment: str, progress: object) -> object:
        report = collect(self, key, environment)
        (file,) = (tmp_path / "var" / "episodes").rglob("*.parquet")
        file.write_bytes(file.read_bytes()[:-1] + b"?")
        return report

    monkeypatch.setattr(CampaignController, "collect_episodes", and_damage)
    with pytest.raises(DagsterAssetCheckFailedError):
        deck.run("training_epoch", partition="alpha.t00001")
    state = deck.controller.state("alpha")
    assert state.open_epoch is not None
    assert not state.open_epoch.compared
    assert deck.instance.get_latest_materialization_event(dg.AssetKey("comparison")) is None
    with pytest.raises(CampaignError, match=r"gate schema: .*shell\.parquet"):
        deck.controller.run_epoch("alpha")
