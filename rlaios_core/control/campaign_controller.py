"""The campaign controller: one object that opens, advances, judges and explains campaigns.

It holds what is expensive (environments, loaded policies, the database) and hands the work to the
stages. Cheap to make: nothing is opened before it is used.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from rlaios_core.control import opening
from rlaios_core.control.artifacts import Artifacts
from rlaios_core.control.checkpoint_files import CheckpointFiles
from rlaios_core.control.checkpoint_registry import CheckpointRegistry, Retention
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.episode_store import EpisodeStore
from rlaios_core.control.epoch_ledger import EpochLedger
from rlaios_core.control.events import GateFinding
from rlaios_core.control.history import (
    Evidence,
    Reign,
    comparison_results,
    evidence,
    pointer_history,
    reigns,
)
from rlaios_core.control.learner import Learner, StudentLearner
from rlaios_core.control.reports import (
    BenchmarkReport,
    CandidateReport,
    CollectionReport,
    LaneReport,
    PointerMove,
    PromotionReport,
    Stage,
)
from rlaios_core.control.settings import CampaignSettings
from rlaios_core.control.stages import measuring
from rlaios_core.control.stages.benchmark import generate_benchmark
from rlaios_core.control.stages.collection import collect_episodes
from rlaios_core.control.stages.comparing import compare
from rlaios_core.control.stages.desk import Desk, Progress, silent
from rlaios_core.control.stages.promoting import promote
from rlaios_core.control.stages.reading_back import episodes_gate, require_passed
from rlaios_core.control.stages.rolling_back import roll_back, rollback_records
from rlaios_core.control.stages.routing import route_lanes
from rlaios_core.control.stages.updating import train_candidate
from rlaios_core.control.state import ControlState, Mode
from rlaios_core.control.workspace import Workspace
from rlaios_core.environments import Environment, registry
from rlaios_core.schema import (
    CampaignSummary,
    ComparisonResult,
    EpochRecord,
    HeldOutScore,
    Pointer,
    Policy,
    RollbackReason,
    RollbackRecord,
    Split,
)

EnvironmentFactory = Callable[[str, CampaignSettings], Environment]
"""Makes an environment by name for a campaign."""
_LOADED_POLICIES = 4


def registered_environment(name: str, settings: CampaignSettings) -> Environment:
    """The plug-in called `name`, with the campaign's options for it."""
    return registry.create(name, **settings.environment_options.get(name, {}))


class CampaignController:
    """Runs the campaigns of a workspace. Use as a context manager, or call `close`."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        environments: EnvironmentFactory | None = None,
        learner: Learner | None = None,
    ) -> None:
        self._make_environment = environments or registered_environment
        self._environments: dict[tuple[str, str], Environment] = {}
        self._policies: OrderedDict[str, Policy] = OrderedDict()
        learning = learner or StudentLearner()
        store = ControlStateStore(workspace.database_url)
        artifacts = Artifacts(workspace.artifacts_url)
        self._desk = Desk(
            workspace=workspace,
            store=store,
            ledger=EpochLedger(store),
            registry=CheckpointRegistry(store, CheckpointFiles(workspace.checkpoints, artifacts), learning),
            episodes=EpisodeStore(store, artifacts),
            learner=learning,
            environment=self._environment,
            policy=self._policy,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the environments, release the leases, close the database."""
        while self._environments:
            self._environments.popitem()[1].close()
        self._policies.clear()
        self._desk.store.close()

    @property
    def workspace(self) -> Workspace:
        """Where campaigns are kept."""
        return self._desk.workspace

    def open_campaign(self, settings: CampaignSettings) -> ControlState:
        """Open a campaign, or find it open. Raises `CampaignError` when it was opened with other settings.

        The number of epochs alone may differ: it says when to stop, and becomes the new one.
        """
        return opening.open_campaign(self._desk, settings)

    def state(self, campaign: str) -> ControlState:
        """The campaign's control state."""
        return self._desk.store.state(campaign)

    def settings(self, campaign: str) -> CampaignSettings:
        """The settings the campaign was opened with."""
        return self._desk.store.settings(campaign)

    def campaigns(self) -> list[str]:
        """Names of all campaigns, oldest first."""
        return self._desk.store.campaigns()

    def other_writer(self, campaign: str) -> str | None:
        """The other process that writes to the campaign now, by name; null when nobody does."""
        return self._desk.store.other_writer(campaign)

    def finished(self, campaign: str) -> bool:
        """Whether as many epochs are closed as the settings ask for."""
        return self.state(campaign).epoch >= self.settings(campaign).epochs

    def plan_epoch(self, campaign: str, *, monitoring: bool = False) -> EpochRecord:
        """The open epoch, or the next one of the right kind.

        Raises `CampaignError` while the campaign is paused, frozen or has a rollback pending.
        """
        return self._desk.ledger.plan(campaign, monitoring=monitoring)

    def next_epoch(self, campaign: str) -> EpochRecord:
        """The epoch that `plan_epoch` would give, also while the campaign is stopped; writes nothing."""
        return self._desk.ledger.foresee(campaign)

    def epoch(self, key: str) -> EpochRecord:
        """The record of one epoch."""
        return self._desk.ledger.record(key)

    def generate_benchmark(self, key: str, progress: Progress = silent) -> BenchmarkReport:
        """Stage 1: fresh tasks for every environment."""
        return generate_benchmark(self._desk, key, progress)

    def collect_episodes(self, key: str, environment: str, progress: Progress = silent) -> CollectionReport:
        """Stage 2, once per environment: both sides of every pair, teachers consulted."""
        return collect_episodes(self._desk, key, environment, progress)

    def episodes_gate(self, key: str, environment: str) -> GateFinding:
        """Whether what one environment's collection stored is read back as it was reported."""
        return episodes_gate(self._desk, key, environment)

    def compare(self, key: str) -> ComparisonResult | None:
        """Stage 3: the verdict on the last update; null while there is nothing to compare with."""
        return compare(self._desk, key).result

    def route_lanes(self, key: str) -> LaneReport:
        """Stage 4: rewards fused, every live episode sent to its lane."""
        return route_lanes(self._desk, key)

    def train_candidate(self, key: str, progress: Progress = silent) -> CandidateReport:
        """Stage 5: the next checkpoint, when the rules allow an update."""
        return train_candidate(self._desk, key, progress)

    def promote(self, key: str, progress: Progress = silent) -> PromotionReport:
        """Stage 6: gates, pointers, and the epoch's end."""
        return promote(self._desk, key, progress)

    def gates(self, key: str) -> tuple[GateFinding, ...]:
        """What the promotion gates of a closed epoch found, in their order; those not asked are left out."""
        return self._desk.ledger.require(key, Stage.PROMOTION, PromotionReport).gates

    def run_epoch(self, campaign: str, monitoring: bool = False, progress: Progress = silent) -> EpochRecord:
        """All stages of the open or next epoch in order, and any rollback before or after it."""
        if self.pending_rollback(campaign) is not None:
            self.rollback(campaign)
        key = self.plan_epoch(campaign, monitoring=monitoring).key
        self.generate_benchmark(key, progress)
        for environment in self.settings(campaign).environments:
            self.collect_episodes(key, environment, progress)
            require_passed(self.episodes_gate(key, environment))
        self.compare(key)
        self.route_lanes(key)
        self.train_candidate(key, progress)
        self.promote(key, progress)
        if self.pending_rollback(campaign) is not None:
            self.rollback(campaign)
        return self.epoch(key)

    def pending_rollback(self, campaign: str) -> RollbackReason | None:
        """Why a rollback is pending; null when none is."""
        state = self.state(campaign)
        if state.mode is not Mode.ROLLBACK_PENDING or state.pending is None:
            return None
        return state.pending.reason

    def rollback(
        self, campaign: str, *, reason: RollbackReason | None = None, note: str = ""
    ) -> RollbackRecord:
        """Carry out the pending rollback, or with a reason call for one and carry it out.

        `note` says in a person's words why one is called for. `verified` is false in the record when the
        weights could not be restored: the campaign is frozen.
        """
        return roll_back(self._desk, campaign, reason, note)

    def pause(self, campaign: str, reason: str) -> ControlState:
        """Stop the campaign between epochs until `unfreeze`."""
        return opening.pause(self._desk, campaign, reason)

    def unfreeze(self, campaign: str, reason: str, *, retry_rollback: bool = True) -> ControlState:
        """Let a paused or frozen campaign go on; a failed rollback is tried again unless told otherwise."""
        return opening.unfreeze(self._desk, campaign, reason, retry_rollback=retry_rollback)

    def pin(self, campaign: str, checkpoint_id: str, *, pinned: bool = True) -> None:
        """Keep a checkpoint's file whatever its age, or no longer."""
        self._desk.registry.pin(campaign, checkpoint_id, pinned=pinned)

    def prune(self, campaign: str, keep: int, *, dry_run: bool = False) -> Retention:
        """Remove the files of all but the newest `keep` checkpoints, and what a crash left of others.

        What a pointer names and what is pinned stays; with `dry_run` nothing is removed.
        """
        retention = self._desk.registry.retain(campaign, keep, dry_run=dry_run)
        registry = self._desk.registry
        left = registry.leftovers(campaign) if dry_run else registry.remove_leftovers(campaign)
        return Retention((*retention.removed, *left), retention.kept)

    def checkpoint_file(self, checkpoint_id: str) -> Path:
        """A checkpoint's file on this machine, fetched when the artifacts are elsewhere."""
        return self._desk.registry.path(checkpoint_id)

    def held_out(
        self,
        campaign: str,
        *,
        checkpoint_id: str,
        split: Split = Split.FINAL,
        episodes: int,
        arm: str,
        progress: Progress = silent,
        environments: Sequence[str] | None = None,
    ) -> HeldOutScore:
        """A checkpoint's score on held-out tasks, `episodes` in every environment; stored under `arm`.

        `environments` are the campaign's unless given.
        """
        exam = measuring.Exam(self.settings(campaign), split, episodes)
        return measuring.measure_checkpoint(self._desk, exam, checkpoint_id, arm, progress, environments)

    def baselines_held_out(
        self, campaign: str, split: Split, episodes: int, progress: Progress = silent
    ) -> dict[str, dict[str, HeldOutScore]]:
        """Scores of the environments' scripted policies on the same tasks, by environment and arm."""
        exam = measuring.Exam(self.settings(campaign), split, episodes)
        return measuring.measure_baselines(self._desk, exam, progress)

    def lineage_history(self, campaign: str) -> list[PointerMove]:
        """Every move of every pointer, oldest first, with the event that explains it."""
        return pointer_history(self._desk.store, campaign)

    def reigns(self, campaign: str, pointer: Pointer) -> list[Reign]:
        """Whom a pointer named, from when to when, why it began and why it ended; oldest first."""
        return reigns(self.lineage_history(campaign), pointer)

    def evidence(self, campaign: str, event_id: str) -> Evidence:
        """What the pointer moves of an event rest on: verdicts and gates."""
        return evidence(self._desk.store, campaign, event_id)

    def epochs(self, campaign: str) -> list[EpochRecord]:
        """Every epoch, oldest first."""
        return self._desk.ledger.records(campaign)

    def comparisons(self, campaign: str) -> list[ComparisonResult]:
        """Every verdict against `pre_update_ref`, oldest first."""
        return comparison_results(self._desk.store, campaign)

    def rollbacks(self, campaign: str) -> list[RollbackRecord]:
        """Every rollback, oldest first."""
        return rollback_records(self._desk, campaign)

    def collection_reports(self, campaign: str) -> list[CollectionReport]:
        """Every collection report, by epoch and environment."""
        return self._desk.ledger.reports(campaign, Stage.EPISODES, CollectionReport)

    def lane_reports(self, campaign: str) -> list[LaneReport]:
        """Every lane report, oldest first."""
        return self._desk.ledger.reports(campaign, Stage.LANES, LaneReport)

    def candidate_reports(self, campaign: str) -> list[CandidateReport]:
        """Every candidate report, oldest first."""
        return self._desk.ledger.reports(campaign, Stage.CANDIDATE, CandidateReport)

    def promotion_reports(self, campaign: str) -> list[PromotionReport]:
        """Every promotion report, oldest first."""
        return self._desk.ledger.reports(campaign, Stage.PROMOTION, PromotionReport)

    def summary(self, campaign: str, wall_seconds: float) -> CampaignSummary:
        """What the campaign did, as `summary.json` has it."""
        settings = self.settings(campaign)
        return CampaignSummary(
            campaign=campaign,
            seed=settings.seed,
            environments=settings.environments,
            held_out=measuring.held_out_scores(self._desk, campaign),
            pointers=self.state(campaign).lineage,
            epochs=tuple(self.epochs(campaign)),
            rollbacks=tuple(self.rollbacks(campaign)),
            wall_seconds=wall_seconds,
            settings=settings.to_json(),
        )

    def _environment(self, campaign: str, name: str) -> Environment:
        key = (campaign, name)
        if key not in self._environments:
            self._environments[key] = self._make_environment(name, self.settings(campaign))
        return self._environments[key]

    def _policy(self, checkpoint_id: str) -> Policy:
        """The loaded policy; a few are kept, as the same ones play many stages."""
        if checkpoint_id not in self._policies:
            self._policies[checkpoint_id] = self._desk.registry.policy(checkpoint_id)
        self._policies.move_to_end(checkpoint_id)
        while len(self._policies) > _LOADED_POLICIES:
            self._policies.popitem(last=False)
        return self._policies[checkpoint_id]
