from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from rlaios_core.cli import main
from rlaios_core.environments import registry
from tests.cli.toy import ToyShell


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of this test's own, and no other."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RLAIOS_HOME", str(tmp_path / "var"))
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "dagster_home"))
    return tmp_path / "var"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every installed environment is a very small world."""
    monkeypatch.setattr(registry, "create", lambda name, **options: ToyShell(name, **options))


@pytest.fixture
def rlaios(home: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process."""

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        code = main.run(arguments)
        out, err = capsys.readouterr()
        return Ran(code, out, err)

    return run


def complaint(ran: Ran) -> str:
    """The one line on stderr of a refused command."""
    lines = ran.err.strip().splitlines()
    assert len(lines) == 1, ran.err
    assert ran.code == 2
    assert ran.out == ""
    assert lines[0].startswith("rlaios: ")
    return lines[0]


def tiny(*more: str) -> Sequence[str]:
    """Flags of a campaign that takes about a second."""
    return (
        "--episodes-per-epoch", "6", "--held-out-episodes", "6", "--set", "comparison.confirmation_pairs=4",
        "--set", "ppo.passes=1", "--set", "student.width=16", "--set", "student.hidden=16",
        "--set", "student.layers=1", "--set", "student.heads=2", "--set", "ppo.threads=1", *more,
    )  # fmt: skip
