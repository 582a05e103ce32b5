"""Campaign records as pandas frames: one frame a question, columns named as a reader would say them."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

import pandas as pd

from rlaios_core.control import (
    BenchmarkReport,
    CandidateReport,
    CollectionReport,
    GateFinding,
    LaneReport,
    PointerMove,
    Reign,
)
from rlaios_core.schema import ComparisonResult, EpochRecord, HeldOutScore, Lane, RollbackRecord

ARM_ORDER = ("untrained", "heuristic", "cautious", "random", "ochiai", "template_rate", "trained", "oracle")
"""Arms in the order a reader compares them; others follow in alphabetical order."""


def arm_rank(arm: str) -> tuple[int, str]:
    """Sort key of an arm."""
    return (ARM_ORDER.index(arm) if arm in ARM_ORDER else len(ARM_ORDER), arm)


def held_out_frame(held_out: Mapping[str, Mapping[str, HeldOutScore]]) -> pd.DataFrame:
    """One row per environment and arm: success with its 95% interval."""
    rows = [
        {
            "environment": environment,
            "arm": arm,
            "success": score.success,
            "low": score.low,
            "high": score.high,
            "episodes": score.episodes,
            "faults": score.faults,
            "mean reward": score.mean_reward,
        }
        for environment, arms in sorted(held_out.items())
        for arm, score in sorted(arms.items(), key=lambda item: arm_rank(item[0]))
    ]
    columns = ["environment", "arm", "success", "low", "high", "episodes", "faults", "mean reward"]
    return pd.DataFrame(rows, columns=columns)


def success_at_frame(held_out: Mapping[str, Mapping[str, HeldOutScore]]) -> pd.DataFrame:
    """One row per environment, arm and number of allowed verifications."""
    rows = [
        {"environment": environment, "arm": arm, "verifications": int(k), "success": success}
        for environment, arms in sorted(held_out.items())
        for arm, score in sorted(arms.items(), key=lambda item: arm_rank(item[0]))
        for k, success in sorted(score.success_at.items(), key=lambda item: int(item[0]))
    ]
    return pd.DataFrame(rows, columns=["environment", "arm", "verifications", "success"])


def family_frame(held_out: Mapping[str, Mapping[str, HeldOutScore]]) -> pd.DataFrame:
    """One row per environment and task family, one column per arm holding `solved/played`."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for environment, arms in sorted(held_out.items()):
        for arm, score in sorted(arms.items(), key=lambda item: arm_rank(item[0])):
            for family, (solved, played) in sorted(score.by_family.items()):
                row = rows.setdefault((environment, family), {"environment": environment, "family": family})
                row[arm] = f"{solved}/{played}"
    return pd.DataFrame([rows[key] for key in sorted(rows)]).fillna("")


def metrics_frame(held_out: Mapping[str, Mapping[str, HeldOutScore]]) -> pd.DataFrame:
    """One row per environment and arm, one column per metric of the environment's own on held-out tasks."""
    rows = [
        {"environment": environment, "arm": arm, **score.metrics}
        for environment, arms in sorted(held_out.items())
        for arm, score in sorted(arms.items(), key=lambda item: arm_rank(item[0]))
        if score.metrics
    ]
    return pd.DataFrame(rows)


def epochs_frame(epochs: Sequence[EpochRecord]) -> pd.DataFrame:
    """One row per epoch, in the order they were run."""
    rows = [
        {
            "epoch": record.key,
            "kind": record.kind.value,
            "status": record.status.value,
            "verdict": "comparison failed"
            if record.comparison_failed
            else (record.verdict.value if record.verdict else ""),
            "episodes": record.episodes,
            "faults": record.faults,
            "success": record.successes / record.episodes if record.episodes else None,
            "mean reward": record.mean_reward,
            "active": record.active_checkpoint,
            "reference": record.reference_checkpoint or "",
            "candidate": record.candidate_checkpoint or "",
            "seconds": sum(record.seconds.values()),
        }
        for record in epochs
    ]
    return pd.DataFrame(
        rows,
        columns=[
            "epoch", "kind", "status", "verdict", "episodes", "faults", "success", "mean reward",
            "active", "reference", "candidate", "seconds",
        ],
    )  # fmt: skip


def comparisons_frame(comparisons: Sequence[ComparisonResult]) -> pd.DataFrame:
    """One row per comparison round, all environments together."""
    rows = [
        {
            "epoch": result.epoch,
            "outcome": result.relative_outcome.value if result.relative_outcome else "failed",
            "pairs": result.pairs,
            "valid": result.valid_pairs,
            "better": result.better_pairs,
            "worse": result.worse_pairs,
            "difference": result.mean_difference,
            "low": result.interval_low,
            "high": result.interval_high,
            "p worse": result.p_worse,
            "p better": result.p_better,
        }
        for result in comparisons
    ]
    return pd.DataFrame(
        rows,
        columns=[
            "epoch", "outcome", "pairs", "valid", "better", "worse", "difference", "low", "high",
            "p worse", "p better",
        ],
    )  # fmt: skip


def breakdown_frame(result: ComparisonResult) -> pd.DataFrame:
    """One row per environment of one comparison."""
    return pd.DataFrame(
        [
            {
                "environment": part.environment,
                "pairs": part.pairs,
                "valid": part.valid_pairs,
                "active": part.active_mean,
                "reference": part.reference_mean,
                "difference": part.mean_difference,
                "better": part.better_pairs,
                "worse": part.worse_pairs,
                "p worse": part.p_worse,
                "p better": part.p_better,
            }
            for part in result.environments
        ]
    )


def lanes_frame(reports: Sequence[LaneReport]) -> pd.DataFrame:
    """One row per epoch, one column per replay lane."""
    rows = [
        {"epoch": report.key, **{lane.value: report.lanes.get(lane, 0) for lane in Lane}}
        for report in reports
    ]
    return pd.DataFrame(rows, columns=["epoch", *(lane.value for lane in Lane)])


def collections_frame(reports: Sequence[CollectionReport]) -> pd.DataFrame:
    """One row per epoch and environment: success of both sides on the epoch's fresh tasks."""
    rows = [
        {
            "epoch": report.key,
            "environment": report.environment,
            "episodes": report.episodes,
            "faults": report.faults,
            "success": report.success_active,
            "low": report.success_low,
            "high": report.success_high,
            "reference": report.success_reference,
            "mean steps": report.mean_steps,
            "verifications": report.mean_verifications,
            "references": report.verified_references,
            "seconds": report.seconds,
        }
        for report in reports
    ]
    return pd.DataFrame(
        rows,
        columns=[
            "epoch", "environment", "episodes", "faults", "success", "low", "high", "reference",
            "mean steps", "verifications", "references", "seconds",
        ],
    )  # fmt: skip


def update_numbers(report: CandidateReport) -> dict[str, float]:
    """The trainer's numbers of one update, by plain names; none when nothing was trained."""
    return {snake(name): float(value) for name, value in (report.update or {}).items()}


def updates_frame(reports: Sequence[CandidateReport]) -> pd.DataFrame:
    """One row per update that was made, one column per number that the trainer reported."""
    rows = [{"epoch": report.key, **update_numbers(report)} for report in reports if report.update]
    return pd.DataFrame(rows) if rows else pd.DataFrame({"epoch": []})


def moves_frame(moves: Sequence[PointerMove]) -> pd.DataFrame:
    """One row per pointer move, oldest first."""
    rows = [
        {
            "pointer": move.pointer.value,
            "checkpoint": move.checkpoint_id or "",
            "previous": move.previous or "",
            "parent": move.parent or "",
            "reason": move.reason,
            "epoch": move.epoch,
            "event": move.event_id,
        }
        for move in moves
    ]
    return pd.DataFrame(
        rows, columns=["pointer", "checkpoint", "previous", "parent", "reason", "epoch", "event"]
    )


def reigns_frame(reigns: Sequence[Reign]) -> pd.DataFrame:
    """One row per checkpoint that a pointer named, newest first: from when to when, and why."""
    rows = [
        {
            "checkpoint": reign.checkpoint_id or "none",
            "since": _moment(reign.since),
            "epoch": reign.since_epoch,
            "until": _moment(reign.until) if reign.until_epoch is not None else "now",
            "why": reign.why,
            "ended by": reign.ended_by,
            "parent": reign.parent or "",
        }
        for reign in reversed(reigns)
    ]
    return pd.DataFrame(rows, columns=["checkpoint", "since", "epoch", "until", "why", "ended by", "parent"])


def _moment(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M:%S}"


def diagnosis_frame(record: RollbackRecord) -> pd.DataFrame:
    """One row per finding of a rollback's diagnosis."""
    rows = [
        {"finding": name, "value": "; ".join(value) if isinstance(value, list) else value}
        for name, value in record.diagnosis.items()
    ]
    return pd.DataFrame(rows, columns=["finding", "value"])


def gates_frame(gates: Sequence[GateFinding]) -> pd.DataFrame:
    """One row per promotion gate, in their order."""
    rows = [{"gate": gate.gate, "passed": gate.passed, "detail": gate.detail} for gate in gates]
    return pd.DataFrame(rows, columns=["gate", "passed", "detail"])


def benchmark_frame(report: BenchmarkReport) -> pd.DataFrame:
    """One row per environment and task family of an epoch's benchmark."""
    rows = [
        {"environment": part.environment, "family": family, "tasks": count}
        for part in report.environments
        for family, count in sorted(part.families.items())
    ]
    return pd.DataFrame(rows, columns=["environment", "family", "tasks"])


def snake(name: str) -> str:
    """`approxKl` as `approx_kl`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: "_" + match[1].lower(), name)
