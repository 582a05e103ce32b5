"""What the orchestrator student learns, on templates and wordings no gate and no tuning reads.

For every seed the same training and final tasks serve all arms: trained (the default campaign), learning rate
0, distillation alone, untrained, the trained weights scrambled, and the scripted policies (dispatch then
verify; hand off on any warning; random; the verified oracle). All play greedily. Run it with
`make bench-orchestrator-learning`; `--help` lists the sizes. The last line is one JSON object.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import seeds
from benchmarks.scrambling import scrambled
from rlaios_core.control import CampaignController, CampaignSettings, Workspace
from rlaios_core.environments import Environment, Play
from rlaios_core.environments.orchestrator import create
from rlaios_core.environments.orchestrator.environment import NAME, OrchestratorEnvironment
from rlaios_core.evaluation import wilson_interval
from rlaios_core.rollout import Assignment, RolloutSettings, play_all
from rlaios_core.schema import Episode, Policy, Split, Task, derive_seed
from rlaios_core.student import Student, load_checkpoint

TRAINED, UNTRAINED, SCRAMBLED = "trained", "untrained", "scrambled"
ARMS: Mapping[str, dict[str, Any]] = {
    TRAINED: {},
    "distillation_only": {"ppo": {"policy_weight": 0.0}},
    "learning_rate_zero": {"ppo": {"learning_rate": 0.0}},
}
"""What each trained arm changes in the default campaign."""
SCRIPTED = ("heuristic", "cautious", "random", "oracle")
FIXED = ("heuristic", "cautious")
SUCCESS, MISSED = 0.85, 0.02


def run_seed(seed: int, sizes: argparse.Namespace, out: Path) -> None:
    """All arms of one seed; exam facts by arm into a JSON file."""
    world = create(workers=2)
    tasks = [
        world.sample_task(Split(sizes.split), index, derive_seed(seed, "exam")) for index in range(sizes.exam)
    ]
    results: dict[str, Any] = {"seed": seed, "arms": {}, "training": {}, "seconds": {}}
    with tempfile.TemporaryDirectory(prefix="rlaios-bench-") as root:
        for arm, changes in ARMS.items():
            if arm not in sizes.arms:
                continue
            started = time.monotonic()
            students = train(Path(root) / arm, seed, arm, changes, sizes, results)
            results["arms"][arm] = exam(world, tasks, seed, students[TRAINED].as_greedy())
            if arm == TRAINED:
                others = {UNTRAINED: students[UNTRAINED].as_greedy(), SCRAMBLED: scrambled(students[TRAINED])}
                for name, policy in {**others, **world.baselines([])}.items():
                    results["arms"][name] = exam(world, tasks, seed, policy)
            results["seconds"][arm] = round(time.monotonic() - started, 1)
            out.write_text(json.dumps(results))
            print(f"seed {seed} {arm} {row([results], arm)}", file=sys.stderr, flush=True)
    world.close()


def train(
    root: Path,
    seed: int,
    arm: str,
    changes: dict[str, Any],
    sizes: argparse.Namespace,
    results: dict[str, Any],
) -> dict[str, Student]:
    """One campaign; the students before and after."""
    settings = CampaignSettings.model_validate(
        {
            "name": "learning",
            "seed": seed,
            "environments": (NAME,),
            "epochs": sizes.epochs,
            "episodes_per_epoch": sizes.episodes,
            # Confirmation moves last_stable only, and costs as much as two epochs.
            "comparison": {"confirmation_pairs": 0},
            **changes,
        }
    )

    def environment(name: str, _: CampaignSettings) -> Environment:
        assert name == NAME
        return create(workers=2)

    with CampaignController(Workspace.open(root), environments=environment) as controller:
        first = controller.open_campaign(settings).lineage.active
        epochs = results["training"].setdefault(arm, [])
        while not controller.finished(settings.name):
            record = controller.run_epoch(settings.name)
            epochs.append((record.key, record.successes, record.episodes, record.verdict, record.faults))
            print(
                f"seed {seed} {arm} {record.key} {record.successes}/{record.episodes} {record.verdict}",
                file=sys.stderr,
                flush=True,
            )
        last = controller.state(settings.name).lineage.active
        folder = controller.workspace.checkpoints
        return {
            name: load_checkpoint(folder / f"{which}.safetensors", which).student
            for name, which in ((UNTRAINED, first), (TRAINED, last))
        }


def exam(
    world: OrchestratorEnvironment, tasks: Sequence[Task], seed: int, policy: Policy
) -> list[dict[str, Any]]:
    """What became of each task; faults are left out and counted by their absence."""
    assignments = [
        Assignment(task, Play("exam", 0, "player", derive_seed(seed, "exam", task.index))) for task in tasks
    ]
    results = play_all(world, assignments, {"player": policy}, RolloutSettings(concurrency=32))
    return [
        {"index": task.index, "family": task.family, "success": result.success, **result.evidence}
        for task, result in zip(tasks, results, strict=True)
        if isinstance(result, Episode)
    ]


def rate(hits: Sequence[bool]) -> dict[str, float] | None:
    """A share with its 95% interval."""
    if not hits:
        return None
    interval = wilson_interval(sum(hits), len(hits))
    return {
        "value": round(float(np.mean(hits)), 3),
        "low": round(interval.low, 3),
        "high": round(interval.high, 3),
        "of": len(hits),
    }


def row(runs: Sequence[dict[str, Any]], arm: str) -> dict[str, Any]:
    """One arm over all seeds."""
    facts = [fact for run in runs for fact in run["arms"][arm]]
    retries = sum(fact["retries"] for fact in facts)
    return {
        "success": rate([fact["success"] for fact in facts]),
        "missedHandoff": rate([fact["missedHandoff"] for fact in facts if fact["personNeeded"]]),
        "falseHandoff": rate([fact["falseHandoff"] for fact in facts if not fact["personNeeded"]]),
        "unsafe": rate([fact["unsafe"] for fact in facts]),
        "invalidRetry": round(sum(fact["invalidRetries"] for fact in facts) / retries, 3)
        if retries
        else None,
        "cost": round(float(np.mean([fact["cost"] for fact in facts])), 2),
        "bySeed": [round(float(np.mean([f["success"] for f in run["arms"][arm]])), 3) for run in runs],
    }


def by_family(runs: Sequence[dict[str, Any]], arm: str) -> dict[str, list[int]]:
    """Right and played tasks per family."""
    counts: dict[str, list[int]] = {}
    for run in runs:
        for fact in run["arms"][arm]:
            count = counts.setdefault(fact["family"], [0, 0])
            count[0] += int(fact["success"])
            count[1] += 1
    return dict(sorted(counts.items()))


def report(runs: Sequence[dict[str, Any]], split: str) -> dict[str, Any]:
    """The benchmark's result."""
    arms = [arm for arm in (*ARMS, UNTRAINED, SCRAMBLED, *SCRIPTED) if arm in runs[0]["arms"]]
    table = {arm: row(runs, arm) for arm in arms}
    trained = table[TRAINED]
    best = max(table[arm]["success"]["value"] for arm in FIXED)
    value, missed = trained["success"]["value"], trained["missedHandoff"]
    better = value > best and all(_no_worse(trained, table[arm]) for arm in FIXED)
    return {
        "name": "orchestrator-learning",
        "value": value,
        "baseline": best,
        "ratio": round(value / best, 2) if best else None,
        "target": SUCCESS,
        "ok": value >= SUCCESS and missed["value"] <= MISSED and better,
        "details": {
            "split": split,
            "missedHandoffTarget": MISSED,
            "betterThanBothFixedPolicies": better,
            "arms": table,
            "byFamily": {arm: by_family(runs, arm) for arm in (TRAINED, *FIXED, "oracle") if arm in arms},
            "training": [run["training"] for run in runs],
            "seconds": [run["seconds"] for run in runs],
        },
    }


def _no_worse(trained: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether no rate is worse than a fixed policy's by more than two points, where that one acts at all.

    A policy that never hands off misses every hand-off, one that always does makes most of the false ones:
    each is compared where it tries.
    """
    worse = [
        name
        for name in ("missedHandoff", "falseHandoff", "unsafe")
        if trained[name]["value"] > other[name]["value"] + MISSED
    ]
    return not worse


def main() -> None:
    """Run the seeds, `--jobs` at a time, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    seeds.add_options(parser, jobs=1)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--episodes", type=int, default=88, help="training tasks per epoch")
    parser.add_argument("--exam", type=int, default=132, help="tasks per seed that all arms are measured on")
    parser.add_argument("--split", default=Split.FINAL.value, help="held_out while developing")
    parser.add_argument("--arms", nargs="+", default=list(ARMS), choices=list(ARMS))
    sizes = parser.parse_args()
    runs = seeds.run_all("benchmarks.orchestrator_learning", sizes, run_seed)
    if runs is not None:
        print(json.dumps(report(runs, sizes.split)))


if __name__ == "__main__":
    main()
