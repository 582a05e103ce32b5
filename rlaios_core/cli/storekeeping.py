"""What the store's commands do."""

import click
from rich.console import Group
from rich.table import Table
from rich.text import Text

from rlaios_core.cli import output
from rlaios_core.cli.choosing import choose_campaign, choose_checkpoint
from rlaios_core.cli.errors import FAILED
from rlaios_core.cli.session import home_of, open_controller
from rlaios_core.control import Diagnosis, Workspace, examine


def pin(
    context: click.Context, campaign: str | None, checkpoint: str, *, pinned: bool, as_json: bool
) -> None:
    """Pin or unpin a checkpoint."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign)
        checkpoint_id = choose_checkpoint(controller, name, checkpoint)
        controller.pin(name, checkpoint_id, pinned=pinned)
    data = {"campaign": name, "checkpoint": checkpoint_id, "pinned": pinned}
    kept = "is kept whatever its age" if pinned else "ages like the others"
    output.emit(as_json, data, Text(f"checkpoint {checkpoint_id} of campaign {name} {kept}"))


def prune(
    context: click.Context, campaign: str | None, keep: int | None, *, dry_run: bool, as_json: bool
) -> None:
    """Remove old checkpoints' files, or say which would go."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign)
        number = controller.settings(name).retention.checkpoints if keep is None else keep
        retention = controller.prune(name, number, dry_run=dry_run)
    removed = [record.checkpoint_id for record in retention.removed]
    size = sum(record.size_bytes for record in retention.removed)
    data = {
        "campaign": name,
        "keep": number,
        "dryRun": dry_run,
        "removed": removed,
        "removedBytes": size,
        "kept": [record.checkpoint_id for record in retention.kept],
    }
    verb = "would remove" if dry_run else "removed"
    line = f"campaign {name}: {verb} {len(removed)} checkpoint files ({size / 1e6:.1f} MB), "
    line += f"{len(retention.kept)} {'would be' if dry_run else 'are'} kept"
    output.emit(as_json, data, Group(Text(line), *[Text(f"  {checkpoint_id}") for checkpoint_id in removed]))


def doctor(context: click.Context, as_json: bool) -> int:
    """Examine the store; 1 when something is wrong."""
    diagnosis = examine(Workspace.open(home_of(context)))
    data = {"sound": diagnosis.sound, **diagnosis.to_json()}
    output.emit(as_json, data, _view(diagnosis))
    return 0 if diagnosis.sound else FAILED


def _view(diagnosis: Diagnosis) -> Group:
    looked = ", ".join(f"{check} {number}" for check, number in diagnosis.examined.items())
    head = f"store {diagnosis.store}, revision {diagnosis.revision or 'none'}"
    lines = Text(f"{head}\nexamined: {looked or 'nothing'}")
    if diagnosis.sound:
        return Group(lines, Text("sound: no fault was found"))
    table = Table(title=f"{len(diagnosis.faults)} faults", title_justify="left")
    for column in ("check", "where", "what", "mend"):
        table.add_column(column, overflow="fold")
    for fault in diagnosis.faults:
        table.add_row(fault.check.value, fault.where, fault.what, fault.mend)
    return Group(lines, table)
