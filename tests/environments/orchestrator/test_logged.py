"""Logged decisions: read line by line, refused by line number, learned from and estimated with."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from rlaios_core.environments.orchestrator.logged import LogError, logged_episodes, read_decisions
from rlaios_core.schema import Outcome
from rlaios_core.student import StudentSettings, new_checkpoint
from rlaios_core.trainer import Experience, PpoSettings, train_online


def line(**changes: Any) -> dict[str, Any]:
    return {
        "instruction": "run the job",
        "context": ["exit_code:75"],
        "actions": [{"verb": "retry"}, {"verb": "handoff"}, {"verb": "dispatch", "target": "local"}],
        "chosen": 0,
        "probability": 0.5,
        "outcome": "success",
        **changes,
    }


def log(folder: Path, *lines: Any) -> Path:
    path = folder / "log.jsonl"
    path.write_text("\n".join(json.dumps(one) if isinstance(one, dict) else one for one in lines) + "\n")
    return path


def test_decisions_are_read_in_order(tmp_path: Path) -> None:
    found = read_decisions(log(tmp_path, line(), "", line(chosen=1, outcome=-0.25)), for_estimates=True)
    assert [decision.line for decision in found] == [1, 3]
    assert [decision.reward for decision in found] == [1.0, -0.25]
    assert [decision.outcome for decision in found] == [Outcome.SUCCESS, Outcome.FAILURE]


def test_no_probability_is_refused_for_estimates_with_the_line(tmp_path: Path) -> None:
    path = log(tmp_path, line(), line(probability=None), line())
    with pytest.raises(LogError, match=r"log\.jsonl, line 2: no probability"):
        read_decisions(path, for_estimates=True)
    assert len(read_decisions(path, for_estimates=False)) == 3


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (line(chosen=3), "chosen 3 of 3 actions"),
        (line(probability=0.0), "probability"),
        (line(probability=1.5), "probability"),
        (line(outcome=2.0), r"outcome 2.0 is not within \[-1, 1\]"),
        (line(outcome="great"), "outcome"),
        (line(actions=[]), "actions"),
        (line(extra=1), "extra"),
        ("{not json", "Invalid JSON"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, bad: Any, said: str) -> None:
    with pytest.raises(LogError, match=f"line 2.*{said}"):
        read_decisions(log(tmp_path, line(), bad), for_estimates=False)


def test_an_empty_log_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="holds no decision"):
        read_decisions(log(tmp_path, ""), for_estimates=False)


def test_lines_of_one_episode_belong_together(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        line(episode="a", outcome="partial"),
        line(episode="b", chosen=1, outcome="blocked"),
        line(episode="a", outcome="success"),
    )
    episodes = logged_episodes(read_decisions(path, for_estimates=True), "orchestrator")
    assert [len(episode.trajectory) for episode in episodes] == [2, 1]
    assert [episode.outcome for episode in episodes] == [Outcome.SUCCESS, Outcome.BLOCKED]
    assert not episodes[0].synthetic
    step = episodes[0].trajectory[0]
    assert step.probabilities == (0.5, 0.25, 0.25)
    assert step.log_probability == pytest.approx(math.log(0.5))


def test_a_student_learns_from_logged_examples(tmp_path: Path) -> None:
    path = log(
        tmp_path,
        *[line(probability=None, episode=f"e{n}") for n in range(12)],
    )
    episodes = logged_episodes(read_decisions(path, for_estimates=False), "orchestrator")
    settings = StudentSettings(width=16, heads=2, layers=1, hidden=16)
    before = new_checkpoint(settings, seed=1)
    ppo = PpoSettings(policy_weight=0.0, first_ratio_tolerance=1e9, threads=1)
    after, _ = train_online(before, Experience(live=episodes, references=episodes), ppo, seed=1)
    observation = episodes[0].trajectory[0].observation
    chances = [c.student.act([observation], [1])[0].probabilities[0] for c in (before, after)]
    assert chances[1] > chances[0]
