"""Commands that only the browser environment has: `check` a flow file, `record` a draft of one."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
from rich.table import Table

from rlaios_core.cli.errors import CliError
from rlaios_core.cli.options import ExampleCommand, json_option, quiet_option

_FILE = click.Path(dir_okay=False, path_type=Path)
_RECORD_SECONDS = 3600.0


def commands() -> tuple[click.Command, ...]:
    """The browser group's own commands."""
    return check, record


@click.command(
    "check",
    cls=ExampleCommand,
    examples="""
        rlaios browser check flows/newsletter.yaml
        rlaios browser check flows/newsletter.yaml --screens /tmp/newsletter --json
    """,
)
@click.argument("flow_file", metavar="FLOW.yaml", type=_FILE)
@click.option("--screens", type=click.Path(file_okay=False, path_type=Path), help="Folder for the pictures.")
@quiet_option
@json_option
@click.pass_context
def check(context: click.Context, flow_file: Path, screens: Path | None, quiet: bool, as_json: bool) -> None:
    """Dry run: open the flow's start, follow its recorded way, take a picture after every step.

    Sensitive buttons are not pressed unless the flow gives leave. Exit code 1 when the way cannot be followed
    or ends without success.
    """
    from rlaios_core.cli import output
    from rlaios_core.cli.session import home_of
    from rlaios_core.environments.browser.flows import load_flow
    from rlaios_core.environments.browser.flows.checking import CheckedStep, check_flow

    flow = load_flow(flow_file)
    folder = screens or (home_of(context) or Path("var")) / "flows" / flow.name

    def tell(step: CheckedStep) -> None:
        if not quiet:
            click.echo(f"{step.page}: {step.action}: {step.result}", err=True)

    found = check_flow(flow, folder, tell)
    data: dict[str, Any] = {**found._asdict(), "steps": [step._asdict() for step in found.steps]}
    table = Table(title=f"Flow {flow.name}: pictures in {folder}", title_justify="left")
    for column in ("page", "action", "result", "offered"):
        table.add_column(column)
    for step in found.steps:
        table.add_row(step.page, step.action, step.result, str(step.offered))
    verdict = "success" if found.success else found.problem or "the success predicates do not hold at the end"
    if found.withheld:
        verdict += f"; {found.withheld[0]}"
    table.caption = f"{verdict}; authentication {found.authentication}; enabled: {str(flow.enabled).lower()}"
    output.emit(as_json, {**data, "flow": flow.name, "screens": str(folder)}, table)
    if not found.success and not found.handoff_due:
        context.exit(1)


@click.command(
    "record",
    cls=ExampleCommand,
    examples="""
        rlaios browser record https://shop.example/newsletter --out flows/newsletter.yaml
        rlaios browser record https://shop.example/login --state flows/state.json
    """,
)
@click.argument("url")
@click.option("--out", type=_FILE, default=Path("flow.yaml"), show_default=True, help="Flow file to write.")
@click.option("--state", type=_FILE, help="Store the authentication state here when the window is closed.")
@click.option(
    "--origin", "origins", multiple=True, help="Another origin that may be opened; may be repeated."
)
def record(url: str, out: Path, state: Path | None, origins: tuple[str, ...]) -> None:
    """Open a window on a site, and draft a flow file from what you do there until you close it.

    Passwords are not written down: the file names a variable for each. The draft is off until you enable it.
    """
    from rlaios_core.environments.browser.driver import (
        BrowserMissingError,
        BrowserWorker,
        DriverError,
        Seat,
        WorkerSettings,
    )
    from rlaios_core.environments.browser.flows.recorder import (
        Draft,
        listen,
        stored_state,
        until_closed,
        write_flow,
    )
    from rlaios_core.files import write_whole

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise CliError(f"{url}: give the address of a page, such as https://shop.example/newsletter")
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        raise CliError("recording opens a window, and there is no display here; run it on a desktop")
    allowed = (f"{parts.scheme}://{parts.netloc}", *origins)
    hosts = tuple(urlsplit(origin).hostname or "" for origin in allowed)
    draft = Draft(url)
    worker = BrowserWorker(WorkerSettings(hosts=hosts, headless=False))

    async def until_done(page: Any) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        waiting = asyncio.ensure_future(until_closed(page, _RECORD_SECONDS))
        while not waiting.done():
            # The state must be read before the window is gone.
            kept = await stored_state(page) if state else kept
            await asyncio.wait({waiting}, timeout=2.0)
        return kept

    try:
        with worker.seat(Seat(origins=allowed)) as page:
            worker.run(listen(page, draft), 10.0)
            worker.run(page.open(url), 30.0)
            click.echo("recording; close the window when you are done", err=True)
            kept = worker.run(until_done(page), _RECORD_SECONDS + 10.0)
    except (BrowserMissingError, DriverError) as error:
        raise CliError(str(error)) from error
    finally:
        worker.close()
    name = "".join(c if c.isalnum() else "-" for c in out.stem.lower()).strip("-") or "flow"
    stored = ""
    if state is not None:
        write_whole(state, json.dumps(kept).encode())
        stored = os.path.relpath(state, out.parent)
    write_flow(out, draft.as_flow(name, stored))
    click.echo(
        f"{out}: {len(draft.steps)} steps; complete task and success, then `rlaios browser check {out}`"
    )
