"""`rlaios environment check` and `rlaios off-policy`: answers, exit codes, refusals."""

import json
from pathlib import Path

import pytest

from rlaios_core.environments import registry
from tests.cli.conftest import Run, complaint, tiny
from tests.environments.test_conformance import Buttons, Generous


def test_a_conforming_environment_passes(rlaios: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "create", lambda name, **options: Buttons())
    ran = rlaios("environment", "check", "buttons", "--json")
    assert ran.code == 0
    answer = json.loads(ran.out)
    assert answer["passed"] is True
    assert {"check", "passed", "detail"} == set(answer["checks"][0])


def test_a_broken_environment_fails_with_its_findings(rlaios: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "create", lambda name, **options: Generous())
    ran = rlaios("environment", "check", "buttons")
    assert ran.code == 1
    assert "FAILED" in ran.out
    assert "a score of 2.0" in ran.out


def test_an_unknown_environment_is_refused(rlaios: Run) -> None:
    assert "no environment called 'nowhere'" in complaint(rlaios("environment", "check", "nowhere"))


@pytest.mark.usefixtures("toy")
def test_a_log_is_estimated_with_a_campaigns_checkpoint(rlaios: Run, tmp_path: Path) -> None:
    assert rlaios("shell", "train", "--runner", "direct", "--epochs", "1", "--quiet", *tiny()).code == 0
    log = tmp_path / "log.jsonl"
    line = {
        "instruction": "press blue",
        "actions": [{"verb": "press", "target": "blue"}, {"verb": "stop"}],
        "chosen": 0,
        "probability": 0.5,
        "outcome": "success",
    }
    log.write_text("".join(json.dumps(line) + "\n" for _ in range(3)))
    ran = rlaios("off-policy", str(log), "--campaign", "shell", "--json")
    assert ran.code == 0
    answer = json.loads(ran.out)
    assert answer["decisions"] == 3
    assert set(answer["estimates"]) == {"IPS", "SNIPS", "doubly robust"}


def test_a_log_without_probability_is_refused_by_line(rlaios: Run, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"instruction": "x", "actions": [{"verb": "stop"}], "chosen": 0, "outcome": "success"}\n')
    assert "line 1: no probability" in complaint(rlaios("off-policy", str(log)))
