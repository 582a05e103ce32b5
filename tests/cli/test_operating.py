"""rollback, monitor, pause, unfreeze, and what the looking commands say of it: without a daemon."""

import json
from pathlib import Path
from typing import Any

import pytest

from rlaios_core.control import CampaignController, Mode, Workspace
from rlaios_core.schema import RollbackReason
from tests.cli.conftest import Run, complaint, tiny
from tests.cli.toy import ToyShell

pytestmark = pytest.mark.usefixtures("toy")
TRAIN = ("shell", "train", "--runner", "direct", "--quiet")
DIRECT = ("--runner", "direct")
RUNNERS = ["direct", pytest.param("dagster", marks=pytest.mark.slow)]


@pytest.fixture
def trained(rlaios: Run, home: Path) -> Path:
    assert rlaios(*TRAIN, *tiny("--epochs", "1")).code == 0
    return home


def answer(rlaios: Run, *arguments: str, code: int = 0) -> Any:
    ran = rlaios(*arguments, "--json")
    assert ran.code == code, ran.err
    return json.loads(ran.out)


def status(rlaios: Run) -> Any:
    return answer(rlaios, "status")["campaigns"][0]


def leave_a_rollback_pending(home: Path) -> None:
    """As a crash leaves it: called for, not carried out."""
    workspace = Workspace.open(home)
    with (
        CampaignController(workspace, environments=lambda _n, _s: ToyShell()) as controller,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(
            controller._desk.registry, "restore", lambda _id: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            controller.rollback("shell", reason=RollbackReason.REQUESTED)


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_person_calls_for_a_rollback_and_says_why(rlaios: Run, trained: Path, runner: str) -> None:
    before = status(rlaios)["pointers"]
    done = answer(rlaios, "rollback", "--reason", "it loops", "--runner", runner)
    assert (done["reason"], done["verified"], done["mode"]) == ("requested", True, "running")
    assert done["toCheckpoint"] == before["preUpdateRef"]
    assert status(rlaios)["pointers"]["active"] == before["preUpdateRef"]
    moves = answer(rlaios, "lineage")["moves"]
    assert moves[-1]["evidence"]["note"] == "requested: it loops"
    assert rlaios("lineage").out.count("rolled back") >= 2, "in who was active, and in the moves"


def test_without_a_reason_only_a_pending_rollback_is_carried_out(rlaios: Run, trained: Path) -> None:
    assert "call for one with --reason" in complaint(rlaios("rollback", *DIRECT))
    leave_a_rollback_pending(trained)
    waiting = status(rlaios)
    assert waiting["mode"] == "rollback_pending"
    assert waiting["pendingRollback"]["reason"] == "requested"
    assert "rlaios rollback --campaign shell" in waiting["next"]
    assert answer(rlaios, "rollback", *DIRECT)["verified"]
    assert status(rlaios)["pendingRollback"] is None


@pytest.mark.parametrize("runner", RUNNERS)
def test_training_carries_out_a_pending_rollback_and_goes_on(rlaios: Run, trained: Path, runner: str) -> None:
    leave_a_rollback_pending(trained)
    ran = rlaios("shell", "train", "--resume", "--epochs", "2", "--runner", runner, "--json")
    assert ran.code == 0, ran.err
    assert "rolled back to" in ran.err
    assert [record["status"] for record in json.loads(ran.out)["epochs"]] == ["closed", "closed"]


def test_a_rollback_that_cannot_be_verified_freezes_with_exit_code_1(rlaios: Run, trained: Path) -> None:
    pointers = status(rlaios)["pointers"]
    file = trained / "checkpoints" / f"{pointers['preUpdateRef']}.safetensors"
    content = file.read_bytes()
    file.write_bytes(b"damaged")
    failed = answer(rlaios, "rollback", "--reason", "a drill", *DIRECT, code=1)
    assert (failed["verified"], failed["mode"]) == (False, "frozen_failure")
    assert status(rlaios)["pointers"] == pointers, "nothing was moved"
    stopped = rlaios("shell", "train", "--resume", "--epochs", "2", *DIRECT, "--quiet")
    assert stopped.code == 1
    assert "rlaios unfreeze" in stopped.err
    file.write_bytes(content)
    assert answer(rlaios, "unfreeze", "--reason", "the file is back")["mode"] == "rollback_pending"
    assert answer(rlaios, "rollback", *DIRECT)["verified"]


@pytest.mark.parametrize("runner", RUNNERS)
def test_monitor_runs_one_epoch_that_updates_nothing(rlaios: Run, trained: Path, runner: str) -> None:
    active = status(rlaios)["pointers"]["active"]
    record = answer(rlaios, "monitor", "--runner", runner, "--quiet")
    assert (record["key"], record["status"]) == ("shell.m00002", "closed")
    assert record["candidateCheckpoint"] is None
    assert status(rlaios)["pointers"]["active"] == active


def test_a_paused_campaign_waits_for_unfreeze(rlaios: Run, trained: Path) -> None:
    assert answer(rlaios, "pause", "--reason", "new disk")["mode"] == "paused"
    assert status(rlaios)["pauseReason"] == "new disk"
    stopped = rlaios("shell", "train", "--resume", "--epochs", "2", *DIRECT, "--quiet")
    assert (stopped.code, "new disk" in stopped.err) == (1, True)
    assert "it is paused" in complaint(rlaios("monitor", *DIRECT, "--quiet"))
    assert answer(rlaios, "unfreeze", "--reason", "done")["mode"] == "running"
    assert "there is nothing to lift" in complaint(rlaios("unfreeze", "--reason", "again"))


def test_lineage_tells_who_was_active_when(rlaios: Run, trained: Path) -> None:
    data = answer(rlaios, "lineage")
    first, second = data["reigns"]["active"]
    assert first["until"] == second["since"]
    assert (second["until"], second["checkpointId"]) == (None, data["pointers"]["active"])
    assert second["parent"] == first["checkpointId"]
    assert "who was active when" in rlaios("lineage").out
    with CampaignController(Workspace.open(trained)) as controller:
        assert controller.state("shell").mode is Mode.RUNNING


@pytest.mark.parametrize("command", ["rollback", "monitor", "pause", "unfreeze", "lineage"])
def test_help_teaches(rlaios: Run, command: str) -> None:
    ran = rlaios(command, "--help")
    assert ran.code == 0
    assert "Examples:" in ran.out
