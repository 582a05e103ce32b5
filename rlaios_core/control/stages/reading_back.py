"""The gate between collecting and comparing: what was stored is read back as it was reported."""

from collections.abc import Sequence

from rlaios_core.control.episode_store import EpisodeRole
from rlaios_core.control.errors import CampaignError, StoreError
from rlaios_core.control.events import GateFinding
from rlaios_core.control.reports import CollectionReport, Stage
from rlaios_core.control.stages.collection import epoch_tasks
from rlaios_core.control.stages.desk import Desk, Epoch, open_epoch
from rlaios_core.schema import Episode

GATE = "schema"
"""Name of the gate: every stored episode fits the contracts of `schema/`, and none is missing or double."""


def episodes_gate(desk: Desk, key: str, environment: str) -> GateFinding:
    """Read one environment's tasks and episodes of an epoch back and hold them against its report.

    Passed: file hashes and contracts hold, every task is one of the quota, each side has the reported
    number of episodes, and no task was played twice by a side.
    """
    epoch = open_epoch(desk, key)
    report = desk.ledger.require(key, Stage.EPISODES, CollectionReport, environment)
    try:
        wrong = _wrong(desk, epoch, report)
    except StoreError as error:
        wrong = str(error)
    detail = wrong or f"{report.episodes + report.reference_episodes} episodes read back as reported"
    return GateFinding(gate=GATE, passed=not wrong, detail=detail)


def require_passed(finding: GateFinding) -> None:
    """Raise `CampaignError` for an invariant that does not hold."""
    if not finding.passed:
        raise CampaignError(f"gate {finding.gate}: {finding.detail}")


def _wrong(desk: Desk, epoch: Epoch, report: CollectionReport) -> str:
    """What does not fit, in words; empty when all does."""
    environment = report.environment
    desk.episodes.forget(epoch.episodes_path(environment))
    tasks = {task.task_id for task in epoch_tasks(desk, epoch, environment)}
    reported = {
        EpisodeRole.ACTIVE: report.episodes,
        EpisodeRole.COUNTERPART: report.reference_episodes,
    }
    for role, count in reported.items():
        episodes = desk.episodes.of_epoch(epoch.name.campaign, epoch.name.epoch, role, environment)
        wrong = _side(episodes, count, tasks)
        if wrong:
            return f"{environment}, {role.value}: {wrong}"
    return ""


def _side(episodes: Sequence[Episode], count: int, tasks: set[str]) -> str:
    if len(episodes) != count:
        return f"{len(episodes)} episodes are stored, {count} were reported"
    strange = next((e.task_id for e in episodes if e.task_id not in tasks), None)
    if strange is not None:
        return f"task {strange} is none of the epoch's"
    if len({(e.task_id, e.attempt) for e in episodes}) != len(episodes):
        return "a task was played twice in one attempt"
    return ""
