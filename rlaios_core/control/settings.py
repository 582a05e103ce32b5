"""Everything a campaign may be told, with its default and the reason for it."""

from typing import Self

from pydantic import Field, model_validator

from rlaios_core.schema import Model, StoredModel
from rlaios_core.student import StudentSettings
from rlaios_core.teachers import TeacherSettings
from rlaios_core.trainer import PpoSettings

CAMPAIGN_NAME = r"^[a-z0-9][a-z0-9-]{0,40}$"
"""Names are parts of file paths and of partition keys."""


class ComparisonSettings(Model):
    """Thresholds of verdicts, rollback and promotion.

    Probabilities are in [0, 1]; losses and margins are differences of verified outcomes: success points
    where outcomes are two-valued, reward units where they are graded. Error rates of the defaults are
    simulated in `tests/control/test_error_rates.py`.
    """

    alpha_worse: float = Field(
        default=0.05,
        gt=0.0,
        lt=1.0,
        description="p-value for `worse`; at 0.10 false rollbacks triple (design section 5).",
    )
    alpha_better: float = Field(default=0.05, gt=0.0, lt=1.0, description="p-value for `better`.")
    margin: float = Field(
        default=0.03,
        ge=0.0,
        le=2.0,
        description="Smallest mean difference that counts: what is significant but tiny is `same`.",
    )
    guard_alpha: float = Field(
        default=0.05,
        gt=0.0,
        lt=1.0,
        description="p-value at which one environment alone makes the round `worse`.",
    )
    guard_loss: float = Field(
        default=0.20,
        ge=0.0,
        le=2.0,
        description="Loss in one environment that a gain elsewhere may not hide.",
    )
    min_valid_share: float = Field(
        default=0.9,
        gt=0.0,
        le=1.0,
        description="Share of pairs that both sides must have finished; below it there is no verdict.",
    )
    failure_alpha: float = Field(
        default=0.01,
        ge=0.0,
        lt=1.0,
        description="p-value (Fisher) at which unlike failure rates of the two sides void a round.",
    )
    streak_limit: int = Field(
        default=3,
        ge=1,
        description="Worse rounds on one frozen pair that call for a rollback: one alone is often chance.",
    )
    sharp_loss: float = Field(
        default=0.20, ge=0.0, le=2.0, description="Loss in one round that calls for a rollback at once."
    )
    sharp_alpha: float = Field(
        default=0.01, gt=0.0, lt=1.0, description="p-value that such a sharp loss needs."
    )
    max_rounds: int = Field(
        default=5,
        ge=1,
        description="Rounds on one pair before it is released: doubt may not stop training for ever.",
    )
    sequential: bool = Field(
        default=False,
        description="Whether rounds on a pair in doubt are pooled by a sequential test, which may decide "
        "before the streak or `max_rounds` does.",
    )
    sequential_share: float = Field(
        default=0.7,
        gt=0.5,
        lt=1.0,
        description="Share of worse pairs, among those that differ, of a policy that is worse enough to "
        "matter; 0.5 is no difference.",
    )
    sequential_alpha: float = Field(
        default=0.001,
        gt=0.0,
        lt=0.5,
        description="Chance that the sequential test rolls an equal policy back. Small: a pair is only in "
        "doubt because its first round looked bad.",
    )
    sequential_beta: float = Field(
        default=0.1, gt=0.0, lt=0.5, description="Chance that it releases a policy that is worse."
    )
    count_failed_comparisons: bool = Field(
        default=False,
        description="Whether comparison_failed lengthens the streak: a fault says nothing of the student.",
    )
    failed_limit: int = Field(
        default=4, ge=1, description="comparison_failed rounds in a row that pause the campaign."
    )
    stable_rounds: int = Field(
        default=3,
        ge=1,
        description="Rounds in a row that are not worse before `last_stable` may move; also how often "
        "the active policy is held against it.",
    )
    confirmation_pairs: int = Field(
        default=120,
        ge=0,
        description="Held-out pairs of active and last_stable; 0: never, and `last_stable` stays.",
    )
    drift_alpha: float = Field(
        default=0.03,
        gt=0.0,
        lt=1.0,
        description="p-value, twice on fresh pairs, at which active has drifted below last_stable.",
    )
    gate_tolerance: float = Field(
        default=0.05,
        ge=0.0,
        le=1.0,
        description="How far safety and each environment's own gate may lie below last_stable's.",
    )


class RewardSettings(Model):
    """Bounds of the fused reward, in units of the terminal reward ([-1, 1])."""

    teacher_bound: float = Field(
        default=0.2, ge=0.0, le=1.0, description="Largest teacher term: a teacher may shade, not decide."
    )
    sign_floor: float = Field(
        default=0.05,
        ge=0.0,
        le=1.0,
        description="A verified gain stays at least this much above zero, a verified loss below.",
    )


class ReplaySettings(Model):
    """What is replayed beside the live batch."""

    positive_episodes: int = Field(
        default=10, ge=0, description="Earlier episodes of the positive lane per update."
    )
    neutral_episodes: int = Field(
        default=10, ge=0, description="Earlier episodes of the neutral lane per update, rare kinds first."
    )
    negative_episodes: int = Field(
        default=10, ge=0, description="Episodes on whose states the policy is held to the reference."
    )
    max_age: int = Field(
        default=3,
        ge=1,
        description="Epochs after which an episode is too far off-policy to be replayed.",
    )
    learn_from_worse: bool = Field(
        default=True,
        description="Whether the live batch keeps episodes that lost their pair: on-policy learning "
        "needs its failures. They are never imitated or replayed.",
    )
    imitate_successes: bool = Field(
        default=True,
        description="Whether own successes that beat their counterpart are imitated beside references.",
    )
    reference_episodes: int = Field(
        default=300, ge=0, description="Verified references of earlier epochs to rehearse, newest first."
    )
    real_share: float = Field(
        default=0.6, ge=0.0, le=1.0, description="Wanted share of real (not generated) tasks in replay."
    )
    minimum_real: int = Field(
        default=20,
        ge=0,
        description="Real episodes that must be there before the share is sought: no heavy duplication.",
    )
    borderline_confidence: float = Field(
        default=0.5,
        ge=0.0,
        le=1.0,
        description="A boundary episode whose teacher is less sure than this is only analysed.",
    )


class RolloutLimits(Model):
    """How episodes are run at once."""

    concurrency: int = Field(
        default=64, ge=1, le=1024, description="Episodes in one wave; part of what makes a run equal."
    )
    deadline_seconds: float = Field(
        default=900.0, gt=0.0, description="Past it, what is missing of a batch becomes faults."
    )


class RetentionSettings(Model):
    """Which checkpoint files are kept; pointed-to and pinned ones always are."""

    checkpoints: int = Field(default=20, ge=1, description="Newest checkpoint files kept per campaign.")


class CampaignSettings(StoredModel):
    """A campaign: a named, seeded sequence of epochs over a set of active environments.

    `episodes_per_epoch` counts tasks: each is one live episode, and one matched pair once there is a
    reference. Shares of the environments are equal; odd totals go to the first in the list.
    """

    name: str = Field(pattern=CAMPAIGN_NAME)
    seed: int = Field(default=0, ge=0)
    environments: tuple[str, ...] = Field(default=("shell",), min_length=1)
    epochs: int = Field(default=8, ge=1, description="Epochs of the campaign; more may be added later.")
    episodes_per_epoch: int = Field(
        default=40,
        ge=1,
        description="Ten minutes on two cores with eight epochs; 60 pairs tell a loss of 20 points sooner.",
    )
    workers: int = Field(default=2, ge=1, le=256, description="Threads that make tasks.")
    held_out_episodes: int = Field(default=60, ge=1, description="Held-out tasks per measured policy.")
    comparison: ComparisonSettings = ComparisonSettings()
    reward: RewardSettings = RewardSettings()
    replay: ReplaySettings = ReplaySettings()
    rollout: RolloutLimits = RolloutLimits()
    retention: RetentionSettings = RetentionSettings()
    ppo: PpoSettings = PpoSettings()
    student: StudentSettings = StudentSettings()
    teacher: TeacherSettings = TeacherSettings()
    environment_options: dict[str, dict[str, object]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _environments_are_usable(self) -> Self:
        if len(set(self.environments)) != len(self.environments):
            raise ValueError("each environment is named once")
        unknown = set(self.environment_options) - set(self.environments)
        if unknown:
            raise ValueError(f"options for environments that are not active: {', '.join(sorted(unknown))}")
        if self.episodes_per_epoch < len(self.environments):
            raise ValueError("episodes_per_epoch gives every environment at least one episode")
        return self


def quotas(total: int, environments: tuple[str, ...]) -> dict[str, int]:
    """Exact shares of `total` per environment: equal, the remainder to the first ones."""
    share, remainder = divmod(total, len(environments))
    return {name: share + (place < remainder) for place, name in enumerate(environments)}
