"""Joint campaigns from the command line: every installed environment, as a very small world."""

import json
from pathlib import Path

import pytest

from rlaios_core.control import CampaignController, Workspace
from rlaios_core.environments import registry
from tests.cli.conftest import Run, complaint, tiny

pytestmark = pytest.mark.usefixtures("toy")
DIRECT = ("--runner", "direct", "--quiet")


def test_equal_quotas_one_update_and_one_verdict(rlaios: Run, home: Path) -> None:
    ran = rlaios("mixed", "--json", *DIRECT, *tiny("--epochs", "2"))
    assert ran.code == 0, ran.err
    data = json.loads(ran.out)
    assert data["campaign"] == "mixed"
    first, second = data["epochs"]
    assert (first["verdict"], second["verdict"] in ("better", "same", "worse")) == (None, True)
    assert first["episodes"] == second["episodes"] == 6
    with CampaignController(Workspace.open(home)) as controller:
        played = [(report.environment, report.episodes) for report in controller.collection_reports("mixed")]
        assert sorted(played) == sorted((name, 2) for name in registry.names() for _ in range(2))
        (verdict,) = controller.comparisons("mixed")
        assert {share.environment for share in verdict.environments} == set(registry.names())


def test_only_one_environment_is_its_own_campaign(rlaios: Run) -> None:
    ran = rlaios("mixed", "--browser-only", "--json", *DIRECT, *tiny("--epochs", "1"))
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["campaign"] == "browser"
    again = rlaios("mixed", "--browser-only", "--resume", "--epochs", "2", "--json", *DIRECT)
    assert [record["epoch"] for record in json.loads(again.out)["epochs"]] == [1, 2]


def test_every_environment_is_measured(rlaios: Run) -> None:
    assert rlaios("mixed", *DIRECT, *tiny("--epochs", "1")).code == 0
    ran = rlaios("mixed-eval", "--episodes", "4", "--json", "--quiet")
    assert ran.code == 0, ran.err
    data = json.loads(ran.out)
    assert {name: score["episodes"] for name, score in data["environments"].items()} == dict.fromkeys(
        registry.names(), 4
    )


def test_one_environment_s_eval_plays_no_other(rlaios: Run, home: Path) -> None:
    assert rlaios("mixed", *DIRECT, *tiny("--epochs", "1")).code == 0
    ran = rlaios("browser", "eval", "--campaign", "mixed", "--episodes", "4", "--json", "--quiet")
    assert (ran.code, json.loads(ran.out)["environment"]) == (0, "browser")
    with CampaignController(Workspace.open(home)) as controller:
        assert set(controller.summary("mixed", 0.0).held_out) == {"browser"}


@pytest.mark.parametrize(
    "flags",
    [
        ("--mixed", "--shell-only"),
        ("--shell-only", "--browser-only"),
        ("--resume", "--campaign", "x", "--shell-only"),
    ],
)
def test_flags_that_contradict_each_other_are_refused(rlaios: Run, flags: tuple[str, ...]) -> None:
    complaint(rlaios("mixed", "--quiet", *flags))
