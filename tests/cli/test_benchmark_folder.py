import json
from pathlib import Path

import pytest

from rlaios_core import files
from rlaios_core.cli import output
from tests.cli.conftest import Run, complaint

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def folder(rlaios: Run, tmp_path: Path) -> Path:
    made = tmp_path / "bench"
    assert rlaios("shell", "benchmark-generate", "--count", "4", "--out", str(made)).code == 0
    return made


def test_a_folder_holds_a_file_per_task_and_an_index(folder: Path) -> None:
    index = json.loads((folder / "index.json").read_text())
    assert (index["split"], index["seed"], index["count"]) == ("train", 0, 4)
    assert sum(index["families"].values()) == 4
    assert sorted(path.name for path in folder.iterdir()) == [
        "index.json", *(f"task-0000{n}.json" for n in range(4))
    ]  # fmt: skip


def test_equal_seeds_give_equal_files(rlaios: Run, tmp_path: Path) -> None:
    files = []
    for name in ("a", "b"):
        ran = rlaios(
            "shell", "benchmark-generate", "--count", "3", "--seed", "5", "--out", str(tmp_path / name)
        )
        assert ran.code == 0
        files.append(json.loads((tmp_path / name / "index.json").read_text())["files"])
    assert files[0] == files[1]


def test_json_says_where_and_what(rlaios: Run) -> None:
    ran = rlaios("shell", "benchmark-generate", "--count", "2", "--split", "final", "--json", "--quiet")
    data = json.loads(ran.out)
    assert data["split"] == "final"
    assert Path(data["folder"]).is_dir()
    assert ran.err == ""


def test_a_folder_of_something_else_is_left_alone(rlaios: Run, tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.txt").write_text("words")
    ran = rlaios(
        "shell", "benchmark-generate", "--count", "1", "--out", str(tmp_path / "precious"), "--quiet"
    )
    assert "not a benchmark folder" in complaint(ran)
    assert (tmp_path / "precious" / "thesis.txt").read_text() == "words"


def test_generating_again_replaces_the_folder(rlaios: Run, folder: Path) -> None:
    assert rlaios("shell", "benchmark-generate", "--count", "2", "--out", str(folder)).code == 0
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize(
    ("harm", "expected"),
    [
        (lambda folder: (folder / "task-00002.json").unlink(), "task-00002.json: missing"),
        (lambda folder: (folder / "task-00001.json").write_text("{"), "task-00001.json: was changed"),
        (lambda folder: (folder / "index.json").write_text("{not json"), "index.json: broken"),
        (lambda folder: (folder / "index.json").unlink(), "index.json: missing"),
        (lambda folder: (folder / "index.json").write_bytes(b"\x00\xff"), "index.json: broken"),
    ],
)
def test_a_broken_folder_is_named_with_its_mend(
    rlaios: Run, folder: Path, harm: object, expected: str
) -> None:
    harm(folder)  # type: ignore[operator]
    for command in ("train", "eval"):
        line = complaint(rlaios("shell", command, "--benchmark", str(folder), "--quiet"))
        assert expected in line
        assert "benchmark-generate" in line


def test_a_missing_folder_is_named(rlaios: Run, tmp_path: Path) -> None:
    line = complaint(rlaios("shell", "train", "--benchmark", str(tmp_path / "nowhere")))
    assert "nowhere: no benchmark folder there" in line


def test_training_refuses_tasks_of_another_split(rlaios: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "final")
    rlaios("shell", "benchmark-generate", "--count", "1", "--split", "final", "--out", out)
    assert "training needs a folder of --split train" in complaint(
        rlaios("shell", "train", "--benchmark", out)
    )


def test_a_failed_write_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "summary.json"
    target.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        output.write_text(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
