"""Files in a folder and in an object store (fsspec's own, in memory): whole, named, verified."""

import uuid
from pathlib import Path

import fsspec
import pytest

from rlaios_core.control import CampaignController, StoreError, Workspace
from rlaios_core.control.artifacts import Artifacts
from rlaios_core.student import CheckpointError
from tests.control.bench import Bench, campaign, ledger
from tests.control.fakes import FakeEnvironment, FakeLearner


@pytest.fixture(params=["folder", "memory"])
def artifacts(request: pytest.FixtureRequest, tmp_path: Path) -> Artifacts:
    return Artifacts(str(tmp_path) if request.param == "folder" else f"memory://{uuid.uuid4()}/store")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Workspace:
    """A workspace whose checkpoints and episodes are in an object store."""
    return Workspace.open(tmp_path / "here", artifacts_url=f"memory://{uuid.uuid4()}/store")


def controller(workspace: Workspace) -> CampaignController:
    learner = FakeLearner(skill_at={1: 0.6, 2: 0.1})
    return CampaignController(workspace, environments=lambda name, _: FakeEnvironment(name), learner=learner)


def test_files_are_verified(artifacts: Artifacts) -> None:
    stored = artifacts.write("a/b.gz", b"content", 1)
    assert artifacts.read_stored(stored) == b"content"
    assert artifacts.below("a") == ["a/b.gz"]
    artifacts.write("a/b.gz", b"contenT", 1)
    with pytest.raises(StoreError, match=r"a/b\.gz is corrupt"):
        artifacts.read_stored(stored)
    artifacts.remove("a/b.gz")
    artifacts.remove("a/b.gz")
    with pytest.raises(StoreError, match=r"cannot read .*a/b\.gz .*restore the file"):
        artifacts.read_stored(stored)
    assert artifacts.below("a") == []
    assert artifacts.below("nowhere") == []


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file where a folder should be")
    with pytest.raises(StoreError, match="cannot write"):
        Artifacts(str(tmp_path)).write("a/b.gz", b"content", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("url", ["nothing-like-it://bucket/folder", "adl://bucket/folder"])
def test_a_url_that_cannot_be_used_names_the_mend(url: str) -> None:
    with pytest.raises(StoreError, match="install the file system's driver"):
        Artifacts(url)


def test_a_campaign_with_its_artifacts_elsewhere_is_the_same(tmp_path: Path, elsewhere: Workspace) -> None:
    with controller(Workspace.open(tmp_path / "all")) as near, controller(elsewhere) as far:
        for each in (near, far):
            each.open_campaign(campaign(episodes_per_epoch=12))
            for _ in range(4):
                each.run_epoch("alpha")
        assert ledger(near) == ledger(far)
        assert near.state("alpha") == far.state("alpha")
    assert not (elsewhere.root / "episodes").exists()


def test_another_machine_fetches_the_checkpoints_it_uses(elsewhere: Workspace) -> None:
    with controller(elsewhere) as first:
        active = first.open_campaign(campaign(episodes_per_epoch=12)).lineage.active
    copy = elsewhere.checkpoints / f"{active}.json"
    content = copy.read_bytes()
    copy.unlink()
    with controller(elsewhere) as second:
        second.run_epoch("alpha")
        assert copy.read_bytes() == content
        copy.write_bytes(b"damaged on this machine")
        assert second.checkpoint_file(active).read_bytes() == content


def test_a_checkpoint_that_is_corrupt_elsewhere_is_named(elsewhere: Workspace) -> None:
    with controller(elsewhere) as made:
        active = made.open_campaign(campaign()).lineage.active
        for copy in elsewhere.checkpoints.iterdir():
            copy.unlink()
        files, root = fsspec.core.url_to_fs(elsewhere.artifacts_url)
        files.pipe_file(f"{root}/checkpoints/{active}.json", b"another content")
        with pytest.raises(CheckpointError, match=r"memory:///.*\.json is corrupt"):
            made.checkpoint_file(active)


def test_artifacts_may_be_in_another_folder(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "var")
    workspace = Workspace.open(tmp_path / "var", artifacts_url=str(tmp_path / "shared"))
    with CampaignController(workspace, environments=bench.world, learner=bench.learner) as made:
        made.open_campaign(campaign(episodes_per_epoch=12))
        made.run_epoch("alpha")
    assert {path.name for path in (tmp_path / "shared").iterdir()} == {"checkpoints", "episodes"}
