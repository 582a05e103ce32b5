"""The commands of an operator as real processes, in the real shell environment."""

import os
import signal
import subprocess
from pathlib import Path

import dagster as dg
import pytest

REPOSITORY = Path(__file__).parents[2]
BIN = REPOSITORY / ".venv" / "bin"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (BIN / "dagster").exists(), reason="needs `make setup`: it runs .venv/bin/dagster"
    ),
]


def environment(folder: Path) -> dict[str, str]:
    names = {"RLAIOS_HOME": str(folder / "var"), "DAGSTER_HOME": str(folder / "dagster_home")}
    return {**os.environ, **names, "PYTHONWARNINGS": "ignore"}


def test_one_epoch_through_dagster_job_execute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = subprocess.run(
        [REPOSITORY / "scripts" / "epoch", tmp_path], capture_output=True, text=True, check=False, timeout=280
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "ci.t00001" in ran.stdout
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "dagster_home"))
    with dg.DagsterInstance.get() as instance:
        assert [run.job_name for run in instance.get_runs()] == ["training_epoch", "open_campaign"]
        assert instance.get_latest_materialization_event(dg.AssetKey("promotion")) is not None


def test_ctrl_c_ends_a_real_campaign_and_leaves_no_process(tmp_path: Path) -> None:
    def train(epochs: int) -> list[str | Path]:
        sizes = ["--epochs", str(epochs), "--episodes-per-epoch", "4"]
        return [BIN / "rlaios", "shell", "train", *sizes, "--set", "comparison.confirmation_pairs=0"]

    (tmp_path / "dagster_home").mkdir()
    process = subprocess.Popen(
        train(epochs=40), env=environment(tmp_path), cwd=tmp_path, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    said = [next(process.stderr)]
    while "epoch 2 of 40" not in said[-1]:
        said.append(next(process.stderr))
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=120)
    err = "".join(said) + rest
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert err.strip().splitlines()[-1].endswith("goes on where it stopped")
    members = subprocess.run(
        ["ps", "-o", "pid=", "-s", str(process.pid)], capture_output=True, text=True, check=False
    )
    assert members.stdout.strip() == ""
    again = subprocess.run(
        train(epochs=3),
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert again.returncode == 0, again.stderr
