"""`rlaios off-policy`: what a checkpoint would have earned on somebody's logged decisions."""

from pathlib import Path

import click

from rlaios_core.cli.options import ExampleCommand, campaign_option, checkpoint_option, json_option


@click.command(
    "off-policy",
    cls=ExampleCommand,
    examples="""
        rlaios off-policy decisions.jsonl --campaign orchestrator
        rlaios off-policy decisions.jsonl --checkpoint last_stable --json
    """,
)
@click.argument("log", type=click.Path(dir_okay=False, path_type=Path))
@campaign_option(None, "Whose checkpoint; needed when there are several.")
@checkpoint_option
@json_option
@click.pass_context
def off_policy(
    context: click.Context, log: Path, campaign: str | None, checkpoint: str, as_json: bool
) -> None:
    """Estimate a checkpoint's reward from logged decisions, beside what the logging policy earned.

    IPS, SNIPS and doubly robust estimates with one-sided 95% lower bounds. Every line of the log needs the
    true probability with which its action was chosen; see docs/orchestrator.md for the format.
    """
    import pandas as pd

    from rlaios_core.cli import output
    from rlaios_core.cli.choosing import choose_campaign, choose_checkpoint
    from rlaios_core.cli.session import open_controller
    from rlaios_core.environments.orchestrator.logged import logged_episodes, read_decisions
    from rlaios_core.evaluation import evaluate_off_policy, logged_choices
    from rlaios_core.student import load_checkpoint

    episodes = logged_episodes(read_decisions(log, for_estimates=True), "orchestrator")
    with open_controller(context) as controller:
        name = choose_campaign(controller, campaign, preferred="orchestrator")
        chosen = choose_checkpoint(controller, name, checkpoint)
        student = load_checkpoint(controller.workspace.checkpoints / f"{chosen}.safetensors", chosen).student
    report = evaluate_off_policy(logged_choices(episodes, student))
    estimates = {
        "IPS": report.ips,
        "SNIPS": report.snips,
        "doubly robust": report.doubly_robust,
    }
    frame = pd.DataFrame(
        [{"estimate": "logged policy", "reward": report.behaviour}]
        + [{"estimate": which, "reward": e.value, "at least": e.low} for which, e in estimates.items()]
    )
    data = {
        "campaign": name,
        "checkpoint": chosen,
        "decisions": report.decisions,
        "effectiveDecisions": report.effective,
        "behaviour": report.behaviour,
        "estimates": {which: {"value": e.value, "low": e.low} for which, e in estimates.items()},
        "improves": report.improves,
    }
    title = f"{chosen} on {report.decisions} logged decisions ({report.effective:.0f} effective)"
    output.emit(as_json, data, output.frame_table(frame, title))


COMMANDS = (off_policy,)
