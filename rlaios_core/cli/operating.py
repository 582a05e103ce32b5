"""What the steering commands do."""

import click
from rich.console import Group
from rich.text import Text

from rlaios_core.cli import output, runners
from rlaios_core.cli.choosing import choose_campaign
from rlaios_core.cli.errors import FAILED, CliError
from rlaios_core.cli.estimate import Phase
from rlaios_core.cli.inspection import status_row
from rlaios_core.cli.progress import Display
from rlaios_core.cli.session import open_controller
from rlaios_core.cli.whole_campaign import carry_out_rollback, epoch_line
from rlaios_core.reporting.frames import diagnosis_frame


def rollback(
    context: click.Context, campaign: str | None, reason: str | None, runner_name: str, as_json: bool
) -> int:
    """Carry out a rollback; 1 when the weights could not be verified."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign)
        pending = controller.pending_rollback(name)
        if pending is None and reason is None:
            raise CliError(f"campaign {name} waits for no rollback; call for one with --reason and say why")
        runner = runners.create(runner_name, controller)
        try:
            record = runner.run_rollback(name, requested=pending is None, reason=reason or "")
        finally:
            runner.close()
        row = status_row(controller, name)
    verified = f"weights verified as {record.weights_hash}" if record.verified else "NOT verified"
    line = f"campaign {name}: {record.from_checkpoint} -> {record.to_checkpoint} ({record.reason.value}), "
    view = Group(
        Text(f"{line}{verified}; it is {row['mode']} now: {row['next']}"),
        output.frame_table(diagnosis_frame(record), "Diagnosis"),
    )
    output.emit(as_json, {**record.to_json(), "mode": row["mode"], "next": row["next"]}, view)
    return 0 if record.verified else FAILED


def monitor(
    context: click.Context, campaign: str | None, runner_name: str, *, quiet: bool, as_json: bool
) -> None:
    """Run one monitoring epoch, and the rollbacks before and after it."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign)
        runner = runners.create(runner_name, controller)
        try:
            with Display([Phase("monitoring epoch", "epoch", 1.0)], quiet=quiet) as display:
                carry_out_rollback(controller, runner, name, display)
                with display.phase("monitoring epoch"):
                    record = runner.run_epoch(name, monitoring=True, progress=display.report)
                carry_out_rollback(controller, runner, name, display)
        finally:
            runner.close()
        row = status_row(controller, name)
    data = {**record.to_json(), "key": record.key, "status": record.status.value, "campaignNow": row}
    output.emit(as_json, data, Text(f"{epoch_line(record)}; campaign {name} is {row['mode']}: {row['next']}"))


def pause(context: click.Context, campaign: str | None, reason: str, as_json: bool) -> None:
    """Stop a campaign between epochs."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign)
        controller.pause(name, reason)
        row = status_row(controller, name)
    output.emit(as_json, row, Text(f"campaign {name} is {row['mode']}; {row['next']}"))


def unfreeze(context: click.Context, campaign: str | None, reason: str, as_json: bool) -> None:
    """Let a stopped campaign go on."""
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign)
        controller.unfreeze(name, reason)
        row = status_row(controller, name)
    output.emit(as_json, row, Text(f"campaign {name} is {row['mode']} again; {row['next']}"))
