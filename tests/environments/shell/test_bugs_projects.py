"""Loading project templates, and what is said when one is broken."""

import json
from pathlib import Path

import pytest

from rlaios_core.environments.shell.bugs import BenchmarkError, bundled_projects, load_project, load_projects


def make(root: Path) -> Path:
    folder = root / "train" / "sums"
    for part in ("tests", "hidden"):
        (folder / part).mkdir(parents=True)
        (folder / part / f"test_{part}.py").write_text("def test_it():\n    pass\n")
    (folder / "project.json").write_text(json.dumps({"name": "sums", "description": "Adds."}))
    (folder / "sums.py").write_text("def add(a, b):\n    return a + b\n")
    return folder


def test_a_project_is_read(tmp_path: Path) -> None:
    make(tmp_path)
    (project,) = load_projects("train", tmp_path)
    assert (project.name, project.split) == ("sums", "train")
    assert list(project.files) == ["sums.py"]
    assert list(project.tests) == ["tests/test_tests.py"]
    assert list(project.hidden) == ["hidden/test_hidden.py"]


@pytest.mark.parametrize(
    ("breakage", "message"),
    [
        (lambda folder: (folder / "project.json").unlink(), r"project\.json is missing"),
        (lambda folder: (folder / "project.json").write_text("{"), r"project\.json cannot be read"),
        (lambda folder: (folder / "project.json").write_text("[]"), r"project\.json must be an object"),
        (lambda folder: (folder / "sums.py").write_text("def add(:"), r"sums\.py cannot be read as Python"),
        (lambda folder: (folder / "sums.py").write_bytes(b"\xff"), r"sums\.py cannot be read as Python"),
        (lambda folder: (folder / "sums.py").unlink(), "has no module"),
        (lambda folder: (folder / "hidden" / "test_hidden.py").unlink(), "has no test in hidden/"),
    ],
)
def test_a_broken_project_is_named_with_the_mend(tmp_path: Path, breakage: object, message: str) -> None:
    folder = make(tmp_path)
    assert callable(breakage)
    breakage(folder)
    with pytest.raises(BenchmarkError, match=message) as caught:
        load_project(folder)
    assert "restore it from the repository" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="train is missing"):
        load_projects("train", tmp_path)
    (tmp_path / "train").mkdir()
    with pytest.raises(BenchmarkError, match="holds no project"):
        load_projects("train", tmp_path)


def test_the_bundled_projects_are_complete_and_disjoint() -> None:
    names = {folder: {p.name for p in bundled_projects(folder)} for folder in ("train", "held_out", "final")}
    assert (len(names["train"]), len(names["held_out"]), len(names["final"])) == (16, 6, 3)
    assert len(set.union(*names.values())) == 25
