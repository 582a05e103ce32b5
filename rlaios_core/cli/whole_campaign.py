"""The steps of a campaign in order: open, measure, epochs (with the rollbacks they call for), measure."""

import json
from contextlib import closing
from pathlib import Path

from rlaios_core.cli.errors import StoppedError
from rlaios_core.cli.estimate import Phase
from rlaios_core.cli.output import write_text
from rlaios_core.cli.progress import Display
from rlaios_core.cli.runners import Runner
from rlaios_core.cli.sampling import SAMPLE, show_sample
from rlaios_core.cli.session import make_environment
from rlaios_core.control import CampaignController, CampaignSettings, Mode
from rlaios_core.reporting import gather, render_page
from rlaios_core.schema import CampaignSummary, EpochRecord, Pointer, Split

EVALUATION = "eval-"
"""Prefix of the arms that `eval` stores its scores under."""
UNTRAINED, TRAINED = "untrained", "trained"
_SIDES = 2
_BASELINES = 4
_STAGES = {
    "benchmark": (0.0, 0.15),
    "episodes": (0.15, 0.7),
    "candidate": (0.7, 0.9),
    "confirmation": (0.9, 1.0),
}
"""Roughly which part of an epoch each stage takes."""
_UPDATE_SHARE = 0.35
"""What an update costs against the episodes of its epoch; corrected as soon as one epoch is done."""


def epoch_phases(settings: CampaignSettings, first: int, target: int) -> list[Phase]:
    """The epochs still to come."""
    weight = settings.episodes_per_epoch * _SIDES * (1 + _UPDATE_SHARE)
    numbers = range(first, target + 1)
    return [Phase(epoch_name(number, target), "epoch", weight, spans=_STAGES) for number in numbers]


def epoch_name(number: int, target: int) -> str:
    """What the progress bar calls an epoch."""
    return f"epoch {number} of {target}"


def campaign_phases(settings: CampaignSettings, first: int, *, baselines: bool) -> list[Phase]:
    """Every phase of a whole campaign whose next epoch is `first`."""
    held_out = settings.held_out_episodes * len(settings.environments)
    measured = [
        Phase("sample of the benchmark", "sample", SAMPLE * len(settings.environments)),
        Phase(f"measure {UNTRAINED}", "measure", held_out, passes=2),
    ]
    epochs = epoch_phases(settings, first, settings.epochs)
    if baselines:
        epochs.append(Phase("measure baselines", "baselines", held_out * _BASELINES, passes=_BASELINES))
    return [*measured, *epochs, Phase(f"measure {TRAINED}", "measure", held_out)]


def run_epochs(
    controller: CampaignController, runner: Runner, campaign: str, target: int, display: Display
) -> None:
    """Run epochs, and the rollbacks they call for, until `target` epochs are closed.

    The ledger decides which kind each epoch is; monitoring epochs count like training ones.
    """
    while True:
        carry_out_rollback(controller, runner, campaign, display)
        state = controller.state(campaign)
        if state.epoch >= target:
            return
        if state.mode is not Mode.RUNNING:
            why = f" ({state.pause_reason})" if state.pause_reason else ""
            raise StoppedError(
                f"campaign {campaign} is {state.mode.value.replace('_', ' ')}{why}: once it is mended, "
                f"let it go on with `rlaios unfreeze --campaign {campaign} --reason ...`"
            )
        with display.phase(epoch_name(state.epoch + 1, target)):
            record = runner.run_epoch(campaign, monitoring=False, progress=display.report)
        display.message(epoch_line(record))


def carry_out_rollback(
    controller: CampaignController, runner: Runner, campaign: str, display: Display
) -> None:
    """Carry out the rollback that the campaign waits for, if it waits for one."""
    if controller.pending_rollback(campaign) is None:
        return
    with display.phase("rollback"):
        rollback = runner.run_rollback(campaign)
    if rollback.verified:
        display.message(f"rolled back to {rollback.to_checkpoint} ({rollback.reason.value})")
    else:
        display.message(f"the weights of {rollback.to_checkpoint} could not be verified: nothing was moved")


def epoch_line(record: EpochRecord) -> str:
    """One epoch in one line."""
    rate = f"{record.successes / record.episodes:.0%}" if record.episodes else "none"
    verdict = "comparison failed" if record.comparison_failed else record.verdict or "no verdict"
    candidate = f", new checkpoint {record.candidate_checkpoint}" if record.candidate_checkpoint else ""
    faults = f", {record.faults} faults" if record.faults else ""
    return f"{record.key}: {rate} of {record.episodes} solved, {verdict}{candidate}{faults}"


def run_campaign(
    controller: CampaignController,
    runner: Runner,
    settings: CampaignSettings,
    display: Display,
    *,
    baselines: bool,
    split: Split = Split.FINAL,
) -> None:
    """Run what is left of a whole campaign: measure, run epochs, measure again.

    Everything measured is stored, so a campaign that was interrupted goes on, and one that is
    finished is only reported again.
    """
    campaign, episodes = settings.name, settings.held_out_episodes
    with display.phase("sample of the benchmark"):
        for environment in settings.environments:
            folder = controller.workspace.campaign(campaign) / "benchmark" / environment
            with closing(make_environment(environment, settings)) as world:
                show_sample(folder, world, settings.seed, settings.workers, display.report)
    with display.phase(f"measure {UNTRAINED}"):
        first = initial_checkpoint(controller, campaign)
        runner.measure_checkpoint(campaign, UNTRAINED, first, split, episodes, display.report)
    run_epochs(controller, runner, campaign, settings.epochs, display)
    if baselines:
        # After the epochs: the baselines are fitted on the same training tasks as the student.
        with display.phase("measure baselines"):
            runner.measure_baselines(campaign, split, episodes, display.report)
    with display.phase(f"measure {TRAINED}"):
        active = controller.state(campaign).lineage.active
        runner.measure_checkpoint(campaign, TRAINED, active, split, episodes, display.report)


def initial_checkpoint(controller: CampaignController, campaign: str) -> str:
    """The checkpoint that the campaign was opened with."""
    return next(
        move.checkpoint_id
        for move in controller.lineage_history(campaign)
        if move.pointer is Pointer.ACTIVE and move.checkpoint_id
    )


def write_results(
    controller: CampaignController, campaign: str, seconds: float
) -> tuple[CampaignSummary, Path, Path]:
    """Write `summary.json` and `report.html` into the campaign's folder."""
    folder = controller.workspace.campaign(campaign)
    summary = without_evaluations(controller.summary(campaign, seconds))
    report = write_text(folder / "report.html", render_page(gather(controller, summary)))
    text = json.dumps(summary.to_json(), indent=2, ensure_ascii=False) + "\n"
    return summary, write_text(folder / "summary.json", text), report


def without_evaluations(summary: CampaignSummary) -> CampaignSummary:
    """The summary without what `eval` measured on the side."""
    held_out = {
        environment: {arm: score for arm, score in arms.items() if not arm.startswith(EVALUATION)}
        for environment, arms in summary.held_out.items()
    }
    return summary.model_copy(update={"held_out": held_out})


def wall_seconds(folder: Path) -> float:
    """The campaign's time so far as its last summary has it; 0 when there is none that can be read."""
    try:
        return float(json.loads((folder / "summary.json").read_text(encoding="utf-8"))["wallSeconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0.0
