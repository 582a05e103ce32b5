"""A small campaign record, made by hand, with numbers that can be looked for."""

from rlaios_core.control import CandidateReport, CandidateStatus, CollectionReport, LaneReport, PointerMove
from rlaios_core.control.events import GateFinding
from rlaios_core.reporting import CampaignRecord
from rlaios_core.schema import (
    CampaignSummary,
    ComparisonResult,
    ComparisonStatus,
    EnvironmentBreakdown,
    EpochKind,
    EpochRecord,
    EpochStatus,
    HeldOutScore,
    Lane,
    Lineage,
    Pointer,
    RelativeOutcome,
)

GATES = (GateFinding(gate="coverage", passed=True, detail="shell compared"),)


def score(success: float) -> HeldOutScore:
    return HeldOutScore(
        success=success,
        low=max(0.0, success - 0.1),
        high=min(1.0, success + 0.1),
        episodes=60,
        success_at={"1": success / 2, "3": success},
        by_family={"off_by_one": (int(success * 10), 10)},
    )


def epoch(number: int) -> EpochRecord:
    return EpochRecord(
        campaign="alpha",
        epoch=number,
        kind=EpochKind.TRAINING,
        status=EpochStatus.CLOSED,
        active_checkpoint=f"c{number - 1}",
        candidate_checkpoint=f"c{number}",
        verdict=RelativeOutcome.BETTER if number > 1 else None,
        episodes=60,
        successes=10 * number,
        mean_reward=0.1,
        seconds={"episodes": 12.5, "candidate": 3.0},
    )


def comparison(number: int = 2) -> ComparisonResult:
    part = EnvironmentBreakdown(
        environment="shell", pairs=60, valid_pairs=60, active_mean=0.4, reference_mean=0.2,
        mean_difference=0.2, better_pairs=15, worse_pairs=3, p_worse=1.0, p_better=0.004,
    )  # fmt: skip
    return ComparisonResult(
        campaign="alpha", epoch=number, active_checkpoint="c1", reference_checkpoint="c0", seed=1,
        status=ComparisonStatus.COMPLETED, relative_outcome=RelativeOutcome.BETTER,
        pairs=60, valid_pairs=60, better_pairs=15, worse_pairs=3,
        mean_difference=0.2, interval_low=0.1, interval_high=0.3, p_worse=1.0, p_better=0.004,
        environments=(part,),
    )  # fmt: skip


def record() -> CampaignRecord:
    arms = {"untrained": score(0.05), "heuristic": score(0.25), "trained": score(0.631), "oracle": score(0.9)}
    summary = CampaignSummary(
        campaign="alpha",
        seed=7,
        environments=("shell",),
        held_out={"shell": arms},
        pointers=Lineage(active="c2", pre_update_ref="c1", last_stable="c0"),
        epochs=(epoch(1), epoch(2)),
        wall_seconds=288.0,
        settings={"seed": 7, "ppo": {"learningRate": 0.001}},
    )
    keys = [item.key for item in summary.epochs]
    return CampaignRecord(
        summary=summary,
        comparisons=(comparison(),),
        moves=tuple(
            PointerMove(
                pointer=Pointer.ACTIVE, previous=f"c{n - 1}" if n else None, checkpoint_id=f"c{n}",
                reason="update completed", event_id=f"ev-{n}", epoch=n,
            )
            for n in range(3)
        ),
        lanes=tuple(
            LaneReport(
                key=key, lanes={Lane.POSITIVE: 12, Lane.NEUTRAL: 40, Lane.NEGATIVE: 8}, by_environment={},
                seconds=0.1,
            )
            for key in keys
        ),
        candidates=tuple(
            CandidateReport(
                key=key, status=CandidateStatus.TRAINED, checkpoint_id=f"c{n}",
                update={"approxKl": 0.0123, "entropy": 1.5, "policyLoss": -0.02, "stoppedEarly": False},
                seconds=3.0,
            )
            for n, key in enumerate(keys, 1)
        ),
        collections=tuple(
            CollectionReport(
                key=key, environment="shell", episodes=60, faults=0, successes=10 * n,
                success_active=n / 6, success_low=n / 6 - 0.1, success_high=n / 6 + 0.1,
                success_reference=None if n == 1 else 0.1, mean_steps=12.0, seconds=12.5,
            )
            for n, key in enumerate(keys, 1)
        ),
    )  # fmt: skip
