"""The short table a campaign ends with, for a terminal."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rlaios_core.reporting.frames import arm_rank
from rlaios_core.schema import CampaignSummary, HeldOutScore


def summary_table(summary: CampaignSummary) -> RenderableType:
    """Held-out success of every arm, then what the epochs did and where the pointers stand."""
    table = Table(title=f"Campaign {summary.campaign}: held-out success", title_justify="left")
    for name in ("environment", "arm"):
        table.add_column(name)
    for name in ("success", "95% interval", "episodes", "faults"):
        table.add_column(name, justify="right")
    ks = sorted({int(k) for arms in summary.held_out.values() for s in arms.values() for k in s.success_at})
    for k in ks:
        table.add_column(f"@{k}", justify="right")
    for environment, arms in sorted(summary.held_out.items()):
        for arm, score in sorted(arms.items(), key=lambda item: arm_rank(item[0])):
            table.add_row(*_row(environment, arm, score, ks), style="bold" if arm == "trained" else None)
    return Group(table, Text("\n".join(f"{name:<12} {value}" for name, value in facts(summary))))


def facts(summary: CampaignSummary) -> list[tuple[str, str]]:
    """What happened, as a few names and values."""
    training = [record for record in summary.epochs if record.kind.value == "training"]
    monitoring = len(summary.epochs) - len(training)
    episodes = sum(record.episodes for record in summary.epochs)
    faults = sum(record.faults for record in summary.epochs)
    return [
        ("epochs", f"{len(training)} training, {monitoring} monitoring, {len(summary.rollbacks)} rollbacks"),
        ("episodes", f"{episodes} for training and comparison, {faults} faults"),
        ("active", summary.pointers.active),
        ("last stable", summary.pointers.last_stable),
        ("time", duration(summary.wall_seconds)),
    ]


def duration(seconds: float) -> str:
    """Seconds as a person says them: `48 s`, `4 min 48 s`, `1 h 02 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def _row(environment: str, arm: str, score: HeldOutScore, ks: list[int]) -> list[str]:
    at = [f"{score.success_at[str(k)]:.0%}" if str(k) in score.success_at else "" for k in ks]
    return [
        environment,
        arm,
        f"{score.success:.1%}",
        f"{score.low:.1%} to {score.high:.1%}",
        str(score.episodes),
        str(score.faults),
        *at,
    ]
