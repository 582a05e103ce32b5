"""Active held against `last_stable` on held-out pairs: the confirmation, which is also the drift check."""

from collections.abc import Sequence

from rlaios_core.control import rules
from rlaios_core.control.comparison_engine import ScoredPair, Sides, compare_pairs
from rlaios_core.control.events import ComparisonRecorded
from rlaios_core.control.reports import ConfirmationReport, Stage
from rlaios_core.control.settings import quotas
from rlaios_core.control.stages.comparing import matched, put_comparison, score_pairs
from rlaios_core.control.stages.desk import Desk, Epoch, Progress, Stopwatch
from rlaios_core.control.stages.playing import counting, play_tasks
from rlaios_core.control.stages.sampling import sample_distinct
from rlaios_core.schema import Episode, EpisodeFault, Pointer, Split, Task


def confirm(desk: Desk, epoch: Epoch, progress: Progress) -> list[ConfirmationReport]:
    """Make the check that is due, and the second one that a suspected drift asks for."""
    reports: list[ConfirmationReport] = []
    for repetition in (0, 1):
        part = str(repetition)
        stored = desk.ledger.report(epoch.key, Stage.CONFIRMATION, ConfirmationReport, part)
        if stored is None:
            state = desk.store.state(epoch.name.campaign)
            suspected = bool(reports) and rules.drifted(reports[0].result, state.rules)
            if not (suspected if repetition else rules.check_due(state)):
                break
            stored = _check(desk, epoch, state.lineage.last_stable, repetition, progress)
        reports.append(stored)
    return reports


def _check(desk: Desk, epoch: Epoch, stable: str, repetition: int, progress: Progress) -> ConfirmationReport:
    watch = Stopwatch()
    campaign, active = epoch.name.campaign, epoch.record.active_checkpoint
    policies = {active: desk.policy(active), stable: desk.policy(stable)}
    wanted = quotas(epoch.settings.comparison.confirmation_pairs, epoch.settings.environments)
    # Counted: every task drawn, and both of its episodes.
    count = counting(progress, Stage.CONFIRMATION.value, 3 * sum(wanted.values()))
    scored: list[ScoredPair] = []
    violations = {active: 0, stable: 0}
    played = {active: 0, stable: 0}
    for environment, quota in wanted.items():
        world = desk.environment(campaign, environment)
        # Every check has its own tasks, and they are not the ones of a held-out measurement.
        tasks = sample_distinct(
            world,
            Split.HELD_OUT,
            quota,
            epoch.seed("confirmation", epoch.name.epoch, repetition, environment),
            epoch.settings.workers,
            count,
        )

        def play_seed(task: Task, attempt: int, environment: str = environment) -> int:
            return epoch.seed("confirm", epoch.name.epoch, repetition, environment, task.index, attempt)

        results = play_tasks(
            world,
            epoch.settings,
            tasks,
            policies,
            epoch=epoch.name.epoch,
            seed=play_seed,
            on_done=count,
        )
        sides = {player: _episodes(results[player]) for player in policies}
        for player, episodes in sides.items():
            violations[player] += sum(episode.safety_violation for episode in episodes)
            played[player] += len(episodes)
        scored += score_pairs(world, matched(tasks, sides[active], sides[stable]))
    seed = epoch.seed("confirmation", epoch.name.epoch, repetition)
    comparison = compare_pairs(
        scored, Sides(campaign, epoch.name.epoch, active, stable, seed), epoch.settings.comparison
    )
    report = ConfirmationReport(
        key=epoch.key,
        result=comparison.result,
        violations=(
            violations[active] / max(1, played[active]),
            violations[stable] / max(1, played[stable]),
        ),
        seconds=watch.seconds,
    )
    event = ComparisonRecorded(
        campaign=campaign,
        epoch=epoch.name.epoch,
        against=Pointer.LAST_STABLE,
        repetition=repetition,
        result=comparison.result,
    )
    with desk.store.writing(campaign) as connection:
        put_comparison(connection, event, comparison)
        desk.store.append(connection, event)
        desk.ledger.put_report(connection, epoch.key, Stage.CONFIRMATION, report, str(repetition))
    return report


def _episodes(results: Sequence[Episode | EpisodeFault]) -> list[Episode]:
    return [result for result in results if isinstance(result, Episode)]
