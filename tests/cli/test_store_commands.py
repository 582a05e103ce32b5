"""pin, unpin, prune and doctor, as a person or a script calls them."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, complaint, tiny

pytestmark = pytest.mark.usefixtures("toy")
TRAIN = ("shell", "train", "--runner", "direct", "--quiet")


@pytest.fixture
def trained(rlaios: Run, home: Path) -> Path:
    assert rlaios(*TRAIN, *tiny("--epochs", "4")).code == 0
    return home


def answer(rlaios: Run, *arguments: str, code: int = 0) -> Any:
    ran = rlaios(*arguments, "--json")
    assert ran.code == code, ran.err
    return json.loads(ran.out)


def files(home: Path) -> set[str]:
    return {path.stem for path in (home / "checkpoints").iterdir()}


def test_what_is_pinned_or_pointed_to_outlives_pruning(rlaios: Run, trained: Path) -> None:
    pointers = answer(rlaios, "status")["campaigns"][0]["pointers"]
    named = {value for value in pointers.values() if value}
    (pinned, *others) = sorted(files(trained) - named)
    assert others
    assert answer(rlaios, "pin", pinned) == {"campaign": "shell", "checkpoint": pinned, "pinned": True}
    plan = answer(rlaios, "prune", "--keep", "0", "--dry-run")
    assert set(plan["removed"]) == set(others)
    assert files(trained) == named | {pinned} | set(others)
    done = answer(rlaios, "prune", "--keep", "0")
    assert done == {**plan, "dryRun": False}
    assert done["removedBytes"] > 0
    assert files(trained) == named | {pinned}
    assert answer(rlaios, "unpin", pinned)["pinned"] is False
    assert answer(rlaios, "prune", "--keep", "0")["removed"] == [pinned]
    assert files(trained) == named
    assert "removed by retention" in complaint(rlaios("pin", pinned))
    assert answer(rlaios, "doctor")["sound"]


def test_a_pointer_names_what_to_pin(rlaios: Run, trained: Path) -> None:
    active = answer(rlaios, "status")["campaigns"][0]["pointers"]["active"]
    assert answer(rlaios, "pin", "active")["checkpoint"] == active
    assert active in rlaios("unpin", "active").out
    assert "ck-unknown" in complaint(rlaios("pin", "ck-unknown"))


def test_pruning_keeps_as_many_as_the_campaign_says(rlaios: Run, trained: Path) -> None:
    assert "removed 0 checkpoint files" in rlaios("prune").out
    assert answer(rlaios, "prune", "--dry-run")["keep"] == 20


def test_the_doctor_names_faults_and_says_so_by_its_exit_code(rlaios: Run, trained: Path) -> None:
    sound = rlaios("doctor")
    assert sound.code == 0
    assert "no fault was found" in sound.out
    path = next((trained / "episodes").rglob("shell.parquet"))
    path.write_bytes(path.read_bytes()[:-1])
    found = answer(rlaios, "doctor", code=1)
    assert [fault["check"] for fault in found["faults"]] == ["files"]
    ran = rlaios("doctor")
    assert ran.code == 1
    assert "shell.parquet" in ran.out
    assert ran.err == ""


def test_the_doctor_makes_no_store(rlaios: Run, home: Path) -> None:
    assert "there is no file" in answer(rlaios, "doctor", code=1)["faults"][0]["what"]
    assert not (home / "store.db").exists()
