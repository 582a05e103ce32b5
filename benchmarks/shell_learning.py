"""What the shell student learns: trained against untrained, baselines and control arms, on held-out projects.

For every seed the same training and final tasks serve all arms: the whole system (`both`), distillation
alone, reinforcement alone, and learning rate 0. Everything is measured greedily on the `final` split, which
no gate and no tuning reads. Run it with `make bench-shell-learning`; `--help` lists the sizes. The last line
is one JSON object.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import seeds
from benchmarks.shared import SharedEnvironment
from rlaios_core.control import CampaignController, CampaignSettings, Workspace
from rlaios_core.environments import Environment
from rlaios_core.environments.shell import create
from rlaios_core.evaluation import mean_interval, wilson_interval
from rlaios_core.schema import Episode, Split

ARMS: Mapping[str, dict[str, Any]] = {
    "both": {},
    "distillation_only": {"ppo": {"policy_weight": 0.0}, "replay": {"imitate_successes": False}},
    "reinforcement_only": {"ppo": {"distillation_weight": 0.0}, "teacher": {"driver": "none"}},
    "learning_rate_zero": {"ppo": {"learning_rate": 0.0}},
}
"""What each arm changes in the default campaign."""
BASELINES = ("random", "ochiai", "heuristic", "oracle")
BUDGETS = (1, 3, 5, 10)
OVER_HEURISTIC = 1.5
OF_ORACLE = 0.7


def facts(episode: Episode) -> tuple[bool, int, str]:
    """What is kept of an exam episode: whether it was solved, after how many verifications, its family."""
    return episode.success, int(episode.evidence["verifications"] or 0), episode.family


def run_seed(seed: int, sizes: argparse.Namespace, out: Path) -> None:
    """All arms of one seed; exam results by arm and split into a JSON file."""
    inner = create(workers=1)
    shell = SharedEnvironment(inner, facts)
    results: dict[str, Any] = {"seed": seed, "arms": {}, "training": {}, "seconds": {}}
    with tempfile.TemporaryDirectory(prefix="rlaios-bench-") as root:
        for arm, changes in ARMS.items():
            started = time.monotonic()
            settings = CampaignSettings.model_validate(
                {
                    "name": "learning",
                    "seed": seed,
                    "epochs": sizes.epochs,
                    "episodes_per_epoch": sizes.episodes,
                    "held_out_episodes": sizes.held_out,
                    # Confirmation moves last_stable only, and costs as much as two epochs.
                    "comparison": {"confirmation_pairs": 0},
                    **changes,
                }
            )
            run_arm(Path(root) / arm, shell, settings, arm, sizes, results)
            results["seconds"][arm] = round(time.monotonic() - started, 1)
            out.write_text(json.dumps(results))
    inner.close()


def run_arm(
    root: Path,
    shell: SharedEnvironment,
    settings: CampaignSettings,
    arm: str,
    sizes: argparse.Namespace,
    results: dict[str, Any],
) -> None:
    """One campaign and its exams."""

    def environment(name: str, _: CampaignSettings) -> Environment:
        assert name == shell.name
        return shell

    with CampaignController(Workspace.open(root), environments=environment) as controller:
        first = controller.open_campaign(settings).lineage.active
        while not controller.finished(settings.name):
            record = controller.run_epoch(settings.name)
            print(f"seed {settings.seed} {arm} {record.key} {record.successes}/{record.episodes}", flush=True)
        trained = controller.state(settings.name).lineage.active
        results["training"][arm] = [
            (record.successes, record.episodes, record.verdict) for record in controller.epochs(settings.name)
        ]
        for split, count in ((Split.FINAL, sizes.held_out), (Split.HELD_OUT_OPERATOR, sizes.operators)):
            controller.held_out(settings.name, checkpoint_id=trained, split=split, episodes=count, arm=arm)
            results["arms"].setdefault(arm, {})[split.value] = shell.exams[trained][split.value]
            if arm == "both":
                measure_others(controller, shell, settings, first, split, count, results)
    # Equal weights have equal ids: an arm must not be read as another.
    shell.exams.clear()


def measure_others(
    controller: CampaignController,
    shell: SharedEnvironment,
    settings: CampaignSettings,
    first: str,
    split: Split,
    count: int,
    results: dict[str, Any],
) -> None:
    """The untrained student and the scripted baselines on the same tasks."""
    controller.held_out(settings.name, checkpoint_id=first, split=split, episodes=count, arm="untrained")
    results["arms"].setdefault("untrained", {})[split.value] = shell.exams[first][split.value]
    controller.baselines_held_out(settings.name, split, count)
    for player, exams in shell.exams.items():
        if player.startswith("fitted:") and split.value in exams:
            results["arms"].setdefault(player.split(":")[1], {})[split.value] = exams[split.value]


def successes(runs: Sequence[dict[str, Any]], arm: str, split: Split, budget: int = 10) -> list[float]:
    """1 or 0 per exam task over all seeds, in a fixed order: equal positions are equal tasks."""
    return [
        float(won and used <= budget)
        for run in runs
        for _, (won, used, _) in sorted(run["arms"][arm][split.value].items(), key=lambda item: int(item[0]))
    ]


def row(runs: Sequence[dict[str, Any]], arm: str, split: Split) -> dict[str, Any]:
    """One arm on one split: success with a pooled 95% interval, by budget and by seed."""
    won = successes(runs, arm, split)
    interval = wilson_interval(int(sum(won)), len(won))
    return {
        "success": round(float(np.mean(won)), 3),
        "low": round(interval.low, 3),
        "high": round(interval.high, 3),
        "episodes": len(won),
        "bySeed": [round(float(np.mean(successes([run], arm, split))), 3) for run in runs],
        "successAt": {
            str(budget): round(float(np.mean(successes(runs, arm, split, budget))), 3) for budget in BUDGETS
        },
    }


def difference(runs: Sequence[dict[str, Any]], arm: str, other: str) -> dict[str, float]:
    """Mean paired difference of success on the same final tasks, with a 95% interval."""
    pairs = zip(successes(runs, arm, Split.FINAL), successes(runs, other, Split.FINAL), strict=True)
    differences = [a - b for a, b in pairs]
    interval = mean_interval(differences)
    return {
        "mean": round(float(np.mean(differences)), 3),
        "low": round(interval.low, 3),
        "high": round(interval.high, 3),
    }


def by_template(runs: Sequence[dict[str, Any]], arm: str) -> dict[str, list[int]]:
    """Solved and played final tasks per repair template; two-bug tasks count as `two bugs`."""
    counts: dict[str, list[int]] = {}
    for run in runs:
        for won, _, family in run["arms"][arm][Split.FINAL.value].values():
            count = counts.setdefault("two bugs" if "+" in family else family, [0, 0])
            count[0] += int(won)
            count[1] += 1
    return dict(sorted(counts.items()))


def report(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The benchmark's result."""
    arms = (*ARMS, "untrained", *BASELINES)
    final = {arm: row(runs, arm, Split.FINAL) for arm in arms}
    trained, heuristic = final["both"]["success"], final["heuristic"]["success"]
    gain = difference(runs, "both", "distillation_only")
    oracle = final["oracle"]["success"]
    return {
        "name": "shell-learning",
        "value": trained,
        "baseline": heuristic,
        "ratio": round(trained / heuristic, 2) if heuristic else None,
        "target": OVER_HEURISTIC,
        "ok": trained >= OVER_HEURISTIC * heuristic and trained >= OF_ORACLE * oracle and gain["low"] > 0,
        "details": {
            "ofOracle": round(trained / oracle, 2) if oracle else None,
            "ofOracleTarget": OF_ORACLE,
            "bothLessDistillation": gain,
            "bothLessLearningRateZero": difference(runs, "both", "learning_rate_zero"),
            "learningRateZeroLessUntrained": difference(runs, "learning_rate_zero", "untrained"),
            "final": final,
            "heldOutOperators": {arm: row(runs, arm, Split.HELD_OUT_OPERATOR) for arm in arms},
            "byTemplate": {arm: by_template(runs, arm) for arm in ("both", "heuristic", "oracle")},
            "training": [run["training"] for run in runs],
            "seconds": [run["seconds"] for run in runs],
        },
    }


def main() -> None:
    """Run the seeds, `--jobs` at a time, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    seeds.add_options(parser, jobs=2)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--episodes", type=int, default=40, help="training tasks per epoch")
    parser.add_argument("--held-out", type=int, default=48, help="final tasks per seed")
    parser.add_argument("--operators", type=int, default=12, help="held-out-operator tasks per seed")
    sizes = parser.parse_args()
    runs = seeds.run_all("benchmarks.shell_learning", sizes, run_seed)
    if runs is not None:
        print(json.dumps(report(runs)))


if __name__ == "__main__":
    main()
