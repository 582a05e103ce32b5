from pathlib import Path

import pytest

from rlaios_core.student import (
    CheckpointError,
    StudentSettings,
    load_checkpoint,
    new_checkpoint,
    save_checkpoint,
    weights_hash,
)
from rlaios_core.student import checkpoint as module

SMALL = StudentSettings(width=16, heads=2, layers=1, hidden=16)


@pytest.fixture
def saved(tmp_path: Path):
    checkpoint = new_checkpoint(SMALL, seed=3)
    return checkpoint, save_checkpoint(tmp_path, checkpoint, parent=None, campaign="a", epoch=0)


def test_a_checkpoint_comes_back_equal(saved) -> None:
    checkpoint, record = saved
    loaded = load_checkpoint(Path(record.path), record.checkpoint_id)
    assert weights_hash(loaded) == weights_hash(checkpoint) == record.weights_hash
    assert loaded.settings == SMALL
    assert loaded.counters == checkpoint.counters


def test_equal_content_has_equal_ids_and_another_parent_another_id(tmp_path: Path) -> None:
    checkpoint = new_checkpoint(SMALL, seed=3)
    ids = [
        save_checkpoint(tmp_path, checkpoint, parent=parent, campaign="a", epoch=1).checkpoint_id
        for parent in ("ck-1", "ck-1", "ck-2")
    ]
    assert ids[0] == ids[1] != ids[2]


@pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
def test_a_damaged_file_does_not_load_and_is_named(saved, damage: str) -> None:
    _, record = saved
    path = Path(record.path)
    content = bytearray(path.read_bytes())
    if damage == "flip":
        content[len(content) // 2] ^= 1
    path.write_bytes({"flip": bytes(content), "cut": bytes(content[:-9]), "empty": b""}[damage])
    with pytest.raises(CheckpointError, match=path.name):
        load_checkpoint(path, record.checkpoint_id)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"gone\.safetensors"):
        load_checkpoint(tmp_path / "gone.safetensors", "ck-0")


def test_a_file_of_another_feature_version_is_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "FEATURE_VERSION", 999)
    record = save_checkpoint(tmp_path, new_checkpoint(SMALL, 0), parent=None, campaign="a", epoch=0)
    monkeypatch.undo()
    with pytest.raises(CheckpointError, match="feature_version 999"):
        load_checkpoint(Path(record.path), record.checkpoint_id)


def test_a_refusing_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(CheckpointError, match="cannot write checkpoint"):
        save_checkpoint(blocked, new_checkpoint(SMALL, 0), parent=None, campaign="a", epoch=0)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_equal_seeds_give_equal_students() -> None:
    assert weights_hash(new_checkpoint(SMALL, 1)) == weights_hash(new_checkpoint(SMALL, 1))
    assert weights_hash(new_checkpoint(SMALL, 1)) != weights_hash(new_checkpoint(SMALL, 2))
