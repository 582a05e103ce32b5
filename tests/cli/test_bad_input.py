import errno
import sqlite3
import subprocess
import sys

import pytest
from pydantic import ValidationError

from rlaios_core.cli import main
from rlaios_core.cli.errors import CliError, StoppedError, exit_code, explain
from rlaios_core.cli.settings import build_settings, parse_assignment
from rlaios_core.control import CampaignSettings
from tests.cli.conftest import Run, complaint


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nope"], "No such command 'nope'"),
        (["shell", "train", "--wrong"], "No such option '--wrong'"),
        (["shell", "train", "--epochs", "0"], "0 is not in the range"),
        (["shell", "train", "--epochs", "many"], "'many' is not a valid integer"),
        (["shell", "train", "--learning-rate", "nan"], "learning_rate"),
        (["shell", "train", "--campaign", "Big One"], "use 1 to 41 small letters"),
        (["shell", "train", "--set", "ppo.wings=2"], "ppo.wings: there is no such setting"),
        (["shell", "train", "--set", "ppo"], "write it as name=value"),
        (["shell", "train", "--set", "seed.deep=1", "--seed", "2"], "seed is not a group of settings"),
        (["shell", "train", "--resume", "--seed", "1"], "--seed cannot be given with --resume"),
        (["shell", "train", "--resume"], "there is no campaign 'shell' to resume"),
        (["shell", "eval", "--split", "mine"], "'mine' is not one of"),
        (["shell", "eval"], "none was opened yet"),
        (["campaign", "--environments", "moon"], "choose from"),
        (["lineage", "--campaign", "ghost"], "there is no campaign 'ghost'"),
    ],
)
def test_one_line_and_exit_code_2(rlaios: Run, arguments: list[str], expected: str) -> None:
    assert expected in complaint(rlaios(*arguments))


def test_an_unknown_runner_names_the_known_ones(rlaios: Run) -> None:
    line = complaint(rlaios("shell", "train", "--runner", "horse"))
    assert "dagster" in line
    assert "direct" in line


@pytest.mark.parametrize(
    "command", [[], ["shell"], ["shell", "train"], ["shell", "eval"], ["campaign"], ["status"]]
)
def test_help_teaches(rlaios: Run, command: list[str]) -> None:
    ran = rlaios(*command, "--help")
    assert ran.code == 0
    assert ran.err == ""
    if command and command != ["shell"]:
        assert "Examples:" in ran.out


def test_the_shape_is_the_same_for_every_environment() -> None:
    from rlaios_core.cli.environment_commands import environment_group

    for name in ("shell", "browser", "orchestrator"):
        assert {"benchmark-generate", "eval", "train"} <= set(environment_group(name).commands)


def test_ctrl_c_is_130_and_says_how_to_go_on(rlaios: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main.cli, "main", interrupted)
    ran = rlaios("status")
    assert ran.code == 130
    assert ran.err.count("\n") == 1
    assert "goes on where it stopped" in ran.err


def test_known_errors_are_explained() -> None:
    full = OSError(errno.ENOSPC, "No space left on device", "/data/store.db")
    assert explain(full).startswith("/data/store.db: no space left; free some")
    assert "RLAIOS_HOME" in explain(PermissionError(errno.EACCES, "denied", "/data"))
    assert "store.db" in explain(sqlite3.DatabaseError("file is not a database"))
    with pytest.raises(ValidationError) as caught:
        CampaignSettings(name="UPPER")
    assert explain(caught.value).startswith("name: ")


def test_what_was_noted_on_the_way_is_said() -> None:
    error = CliError("the disk is gone")
    error.add_note("Dagster run 1234 of training_epoch")
    assert explain(error) == "the disk is gone (Dagster run 1234 of training_epoch)"
    assert exit_code(error) == 2
    assert exit_code(StoppedError("a person has to look")) == 1


def test_settings_come_from_flags_then_from_assignments() -> None:
    flags = {"epochs": 3, "learning_rate": 0.5, "seed": None}
    settings = build_settings("beta", ["shell"], flags, ["ppo.passes=2", "comparison.margin=0.1"])
    assert (settings.epochs, settings.ppo.learning_rate, settings.ppo.passes) == (3, 0.5, 2)
    assert settings.comparison.margin == 0.1
    assert settings.seed == 0


def test_assignments_are_json_or_text() -> None:
    assert parse_assignment("teacher.driver=none") == (("teacher", "driver"), "none")
    assert parse_assignment("a.b=[1]") == (("a", "b"), [1])


def test_help_does_not_wait_for_torch() -> None:
    code = "\n".join(
        [
            "import sys",
            "from rlaios_core.cli import main",
            "main.run(['campaign', '--help'])",
            "sys.exit('torch' in sys.modules)",
        ]
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
