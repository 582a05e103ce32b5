"""What the looking commands do."""

from typing import Any

import click
from rich.console import Group
from rich.table import Table
from rich.text import Text

from rlaios_core.cli import output
from rlaios_core.cli.choosing import choose_campaign
from rlaios_core.cli.session import open_controller
from rlaios_core.cli.whole_campaign import wall_seconds, write_results
from rlaios_core.control import CampaignController
from rlaios_core.reporting import summary_table
from rlaios_core.reporting.frames import epochs_frame, moves_frame, reigns_frame
from rlaios_core.schema import Pointer


def status(context: click.Context, campaign: str | None, as_json: bool) -> None:
    """Print one row per campaign."""
    with open_controller(context) as controller:
        names = [choose_campaign(controller, campaign)] if campaign else controller.campaigns()
        rows = [status_row(controller, name) for name in names]
    table = Table(title="Campaigns", title_justify="left")
    for column in ("campaign", "mode", "epochs", "streak", "active", "last stable", "next"):
        table.add_column(column)
    for row in rows:
        table.add_row(
            row["campaign"], row["mode"], f"{row['epochsDone']} of {row['epochs']}", str(row["streak"]),
            row["pointers"]["active"], row["pointers"]["lastStable"], row["next"],
        )  # fmt: skip
    empty = Text("no campaign was opened yet: start with `rlaios campaign` or `rlaios shell train`")
    output.emit(as_json, {"campaigns": rows}, table if rows else empty)


def lineage(context: click.Context, campaign: str | None, as_json: bool) -> None:
    """Print the pointer moves."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign)
        moves = controller.lineage_history(name)
        pointers = controller.state(name).lineage
        reigns = {pointer.value: controller.reigns(name, pointer) for pointer in Pointer}
        evidence = {
            move.event_id: controller.evidence(name, move.event_id).to_json() for move in moves if as_json
        }
    data = {
        "campaign": name,
        "pointers": pointers.to_json(),
        "reigns": {pointer: [reign.to_json() for reign in held] for pointer, held in reigns.items()},
        "moves": [{**move.to_json(), "evidence": evidence.get(move.event_id)} for move in moves],
    }
    active = reigns_frame(reigns[Pointer.ACTIVE.value]).drop(columns="parent")
    view = Group(
        output.frame_table(active, f"Campaign {name}: who was active when"),
        output.frame_table(moves_frame(moves), f"Campaign {name}: pointer moves"),
    )
    output.emit(as_json, data, view)


def epochs(context: click.Context, campaign: str | None, as_json: bool) -> None:
    """Print the epochs."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign)
        records = controller.epochs(name)
    data = {"campaign": name, "epochs": [{"key": record.key, **record.to_json()} for record in records]}
    output.emit(as_json, data, output.frame_table(epochs_frame(records), f"Campaign {name}: epochs"))


def report(context: click.Context, campaign: str | None, as_json: bool) -> None:
    """Write the summary and the report again from what is stored."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign)
        seconds = wall_seconds(controller.workspace.campaign(name))
        summary, _, path = write_results(controller, name, seconds)
    output.emit(as_json, summary.to_json(), Group(summary_table(summary), Text(f"report       {path}")))


def status_row(controller: CampaignController, name: str) -> dict[str, Any]:
    """One campaign as `status` shows it."""
    state, settings = controller.state(name), controller.settings(name)
    done = state.epoch
    return {
        "campaign": name,
        "mode": state.mode.value,
        "environments": list(settings.environments),
        "epochsDone": done,
        "epochs": settings.epochs,
        "streak": state.streak,
        "openEpoch": state.open_epoch.epoch if state.open_epoch else None,
        "nextEpoch": controller.next_epoch(name).key,
        "pendingRollback": state.pending.to_json() if state.pending else None,
        "pauseReason": state.pause_reason or None,
        "writer": controller.other_writer(name),
        "pointers": state.lineage.to_json(),
        "next": _next(name, state.mode.value, state.pause_reason, done, settings.epochs),
    }


def _next(name: str, mode: str, reason: str, done: int, wanted: int) -> str:
    """What a person can do now."""
    if mode == "frozen_failure":
        return f"look at the rollback, then `rlaios unfreeze --campaign {name} --reason ...`"
    if mode == "paused":
        return f"paused ({reason}): `rlaios unfreeze --campaign {name} --reason ...`"
    if mode == "rollback_pending":
        return f"`rlaios rollback --campaign {name}`; `rlaios campaign --name {name} --resume` also goes on"
    return (
        f"`rlaios campaign --name {name} --resume` goes on"
        if done < wanted
        else f"`rlaios report --campaign {name}`"
    )
