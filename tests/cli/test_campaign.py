"""Campaigns from the command line: on the real controller, the real student and a very small world."""

import gzip
import json
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from rlaios_core.control import CampaignController, Workspace
from rlaios_core.environments import registry
from tests.cli.conftest import Run, complaint, tiny
from tests.cli.toy import ToyShell

pytestmark = pytest.mark.usefixtures("toy")
DIRECT = ("--runner", "direct", "--quiet")


def train(rlaios: Run, *more: str) -> dict[str, Any]:
    ran = rlaios("shell", "train", "--json", *DIRECT, *tiny("--epochs", "1"), *more)
    assert ran.code == 0, ran.err
    assert ran.err == ""
    data: dict[str, Any] = json.loads(ran.out)
    return data


def test_train_runs_the_epochs_that_were_asked_for(rlaios: Run) -> None:
    data = train(rlaios)
    assert data["campaign"] == "shell"
    assert [record["status"] for record in data["epochs"]] == ["closed"]
    assert data["pointers"]["active"] == data["epochs"][0]["candidateCheckpoint"]


def test_the_same_command_again_adds_nothing(rlaios: Run) -> None:
    assert train(rlaios) == train(rlaios)


def test_resume_adds_epochs(rlaios: Run) -> None:
    train(rlaios)
    ran = rlaios("shell", "train", "--resume", "--epochs", "2", "--json", *DIRECT)
    assert ran.code == 0, ran.err
    assert len(json.loads(ran.out)["epochs"]) == 2


def test_other_settings_for_an_open_campaign_are_refused(rlaios: Run) -> None:
    train(rlaios)
    line = complaint(rlaios("shell", "train", *DIRECT, *tiny("--epochs", "1", "--seed", "9")))
    assert "shell" in line


def test_eval_measures_a_checkpoint(rlaios: Run) -> None:
    train(rlaios)
    ran = rlaios("shell", "eval", "--episodes", "5", "--json", "--quiet")
    assert ran.code == 0, ran.err
    score = json.loads(ran.out)
    assert (score["episodes"], score["split"], score["campaign"]) == (5, "final", "shell")
    assert 0.0 <= score["low"] <= score["success"] <= score["high"] <= 1.0
    shown = rlaios("shell", "eval", "--episodes", "5", "--checkpoint", "last_stable", "--quiet")
    assert shown.code == 0
    assert "success" in shown.out


def test_eval_and_train_play_a_generated_folder(rlaios: Run, tmp_path: Path) -> None:
    for split in ("train", "final"):
        rlaios(
            "shell", "benchmark-generate", "--count", "3", "--split", split, "--out", str(tmp_path / split)
        )
    assert train(rlaios, "--benchmark", str(tmp_path / "train"))["epochs"]
    names = {json.loads(path.read_text())["taskId"] for path in (tmp_path / "train").glob("task-*.json")}
    with CampaignController(Workspace.open(tmp_path / "var")) as controller:
        assert controller.settings("shell").environment_options["shell"].keys() == {"benchmark_folder"}
    stored = gzip.decompress(
        next((tmp_path / "var" / "episodes").rglob("shell.tasks.gz")).read_bytes()
    ).decode()
    assert all(name in stored for name in names)
    ran = rlaios(
        "shell", "eval", "--benchmark", str(tmp_path / "final"), "--episodes", "3", "--json", "--quiet"
    )
    assert ran.code == 0, ran.err


def test_looking_commands_print_json_and_tables(rlaios: Run) -> None:
    train(rlaios)
    status = json.loads(rlaios("status", "--json").out)["campaigns"][0]
    assert (status["campaign"], status["mode"], status["epochsDone"]) == ("shell", "running", 1)
    assert json.loads(rlaios("epochs", "--json").out)["epochs"][0]["key"] == "shell.t00001"
    moves = json.loads(rlaios("lineage", "--json").out)["moves"]
    assert {move["pointer"] for move in moves} >= {"active", "last_stable"}
    for command in ("status", "epochs", "lineage"):
        ran = rlaios(command)
        assert (ran.code, ran.err) == (0, "")
        assert "shell" in ran.out


def test_looking_at_an_empty_store_says_how_to_begin(rlaios: Run) -> None:
    assert "rlaios campaign" in rlaios("status").out
    assert json.loads(rlaios("status", "--json").out) == {"campaigns": []}


def whole(rlaios: Run, *more: str) -> dict[str, Any]:
    ran = rlaios("campaign", "--json", "--quiet", *tiny("--epochs", "2"), *more)
    assert ran.code == 0, ran.err
    data: dict[str, Any] = json.loads(ran.out)
    return data


@pytest.mark.slow
def test_a_whole_campaign_as_dagster_runs(rlaios: Run, home: Path) -> None:
    summary = whole(rlaios)
    arms = summary["heldOut"]["shell"]
    assert {"untrained", "trained", "heuristic", "oracle"} <= arms.keys()
    assert arms["oracle"]["success"] == 1.0
    assert arms["trained"].keys() >= {"success", "low", "high", "episodes", "successAt"}
    assert {"pointers", "epochs", "wallSeconds"} <= summary.keys()
    folder = Workspace.open(home).campaign("alpha")
    assert json.loads((folder / "summary.json").read_text()) == summary
    assert "Campaign alpha" in (folder / "report.html").read_text()

    with dg.DagsterInstance.get() as instance:
        runs = [(run.job_name, run.status.value) for run in instance.get_runs()]
        assert sorted(runs) == [
            ("measure", "SUCCESS"), ("measure", "SUCCESS"), ("measure", "SUCCESS"),
            ("open_campaign", "SUCCESS"), ("training_epoch", "SUCCESS"), ("training_epoch", "SUCCESS"),
        ]  # fmt: skip
        event = instance.get_latest_materialization_event(dg.AssetKey(["policy", "active"]))
        assert event is not None
        assert event.asset_materialization is not None
        assert event.asset_materialization.metadata["checkpoint_id"].value == summary["pointers"]["active"]


def test_a_finished_campaign_is_only_reported_again(rlaios: Run, home: Path) -> None:
    first = whole(rlaios, "--runner", "direct", "--no-baselines")
    again = whole(rlaios, "--runner", "direct", "--no-baselines")
    assert first["heldOut"] == again["heldOut"]
    assert first["epochs"] == again["epochs"]
    assert first["wallSeconds"] == again["wallSeconds"]
    shown = list((home / "campaigns" / "alpha" / "benchmark" / "shell").glob("task-*.json"))
    assert len(shown) == 4
    report = rlaios("report")
    assert report.code == 0
    assert "report.html" in report.out


@pytest.mark.slow
def test_both_runners_give_the_same_weights(rlaios: Run) -> None:
    by_dagster = train_with(rlaios, "one", "dagster")
    direct = train_with(rlaios, "two", "direct")
    assert by_dagster[0] == direct[0]


def train_with(rlaios: Run, home: str, runner: str) -> list[str]:
    ran = rlaios(
        "--home", home, "shell", "train", "--json", "--quiet", "--runner", runner, *tiny("--epochs", "2")
    )
    assert ran.code == 0, ran.err
    return [json.loads(ran.out)["pointers"]["active"]]


class Interrupting(ToyShell):
    """The user presses Ctrl-C in the middle of an epoch."""

    left = 3

    def replay_candidate(self, episode: Any) -> Any:
        type(self).left -= 1
        if type(self).left == 0:
            raise KeyboardInterrupt
        return super().replay_candidate(episode)


@pytest.mark.parametrize("runner", ["direct", pytest.param("dagster", marks=pytest.mark.slow)])
def test_ctrl_c_in_mid_epoch_and_the_next_start_goes_on(
    rlaios: Run, monkeypatch: pytest.MonkeyPatch, runner: str
) -> None:
    undisturbed = train_with(rlaios, "calm", runner)
    Interrupting.left = 3
    monkeypatch.setattr(registry, "create", lambda _name, **_: Interrupting())
    arguments = ["--home", "hasty", "shell", "train", "--json", "--quiet", "--runner", runner]
    arguments += tiny("--epochs", "2")
    ran = rlaios(*arguments)
    assert ran.code == 130
    assert len(ran.err.strip().splitlines()) == 1
    assert "goes on where it stopped" in ran.err
    again = rlaios(*arguments)
    assert again.code == 0, again.err
    assert [json.loads(again.out)["pointers"]["active"]] == undisturbed
