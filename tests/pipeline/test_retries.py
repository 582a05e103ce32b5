"""The one thing that a step retries: another process writes to the campaign."""

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import dagster as dg
import pytest
from sqlalchemy import create_engine

from rlaios_core.control import CampaignController, LeaseError, Workspace
from rlaios_core.control.leases import LeaseKeeper
from rlaios_core.processes import Owner
from rlaios_pipeline import steps
from rlaios_pipeline.resources import Control
from tests.cli.toy import ToyShell
from tests.pipeline.conftest import Deck

ELSEWHERE = Owner("elsewhere", 7, "0", "somebody")


@pytest.fixture
def held(deck: Deck, tmp_path: Path) -> Iterator[LeaseKeeper]:
    """Another machine writes to the campaign."""
    deck.controller.close()
    keeper = LeaseKeeper(create_engine(f"sqlite:///{tmp_path / 'var' / 'store.db'}"), ELSEWHERE)
    keeper.acquire("alpha")
    yield keeper
    keeper.release()


def run(deck: Deck, folder: Path, *, unattended: bool) -> tuple[bool, Mapping[str, int]]:
    """Whether the epoch's run succeeded, and how often each of its steps was retried."""
    workspace = Workspace.open(folder)
    with CampaignController(workspace, environments=lambda _n, _s: ToyShell()) as controller:
        result = deck.definitions.resolve_job_def("training_epoch").execute_in_process(
            instance=deck.instance,
            resources={"control": Control(lambda: controller, unattended=unattended)},
            run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            partition_key="alpha.t00001",
        )
    retried: dict[str, int] = {}
    for event in result.all_events:
        if event.event_type is dg.DagsterEventType.STEP_UP_FOR_RETRY and event.step_key:
            retried[event.step_key] = retried.get(event.step_key, 0) + 1
    return result.success, retried


def test_an_unattended_step_waits_for_the_other_writer(
    deck: Deck, held: LeaseKeeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "RETRY_SECONDS", 1)
    threading.Timer(2.0, held.release).start()
    success, retried = run(deck, tmp_path / "var", unattended=True)
    assert success
    assert retried.keys() == {"benchmark"}


def test_a_person_is_told_at_once(deck: Deck, held: LeaseKeeper, tmp_path: Path) -> None:
    with pytest.raises(LeaseError, match="process 7 of somebody on elsewhere"):
        run(deck, tmp_path / "var", unattended=False)


def test_nothing_else_is_retried(deck: Deck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def broken(self: CampaignController, key: str, progress: object) -> None:
        tries.append(key)
        raise RuntimeError("a defect")

    monkeypatch.setattr(CampaignController, "train_candidate", broken)
    with pytest.raises(RuntimeError, match="a defect"):
        run(deck, tmp_path / "var", unattended=True)
    assert len(tries) == 1
