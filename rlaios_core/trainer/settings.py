"""Every number of the update, with the reason for its default."""

from pydantic import Field

from rlaios_core.schema import Model


class PpoSettings(Model):
    """Settings of one PPO update (Schulman et al. 2017, arXiv 1707.06347) with distillation."""

    learning_rate: float = Field(default=3e-4, ge=0.0, le=1.0, description="Adam's step; 0 is a control arm.")
    sparse_learning_rate: float = Field(
        default=1e-2,
        ge=0.0,
        le=1.0,
        description="Adam's step for the linear tables, whose rows are seen rarely.",
    )
    warmup_updates: int = Field(
        default=3,
        ge=0,
        description="First updates that only imitate and learn values: from failures alone a policy learns "
        "that giving up is safest. Without distillation there is no warm-up.",
    )
    passes: int = Field(default=4, ge=1, le=50, description="Passes over the live batch.")
    minibatch: int = Field(default=32, ge=1, description="Steps per gradient step.")
    discount: float = Field(
        default=0.99, gt=0.0, le=1.0, description="Per step: an early success is worth a little more."
    )
    gae_lambda: float = Field(
        default=0.8,
        ge=0.0,
        le=1.0,
        description="Short traces: what a try was worth shows at the verdict right after it.",
    )
    clip: float = Field(default=0.2, gt=0.0, lt=1.0, description="Clip range of the probability ratio.")
    value_clip: float | None = Field(
        default=None, gt=0.0, description="Clip range of the value; none by default."
    )
    policy_weight: float = Field(default=1.0, ge=0.0, description="0 leaves distillation alone: an ablation.")
    value_weight: float = Field(default=0.5, ge=0.0)
    entropy_weight: float = Field(default=0.01, ge=0.0)
    distillation_weight: float = Field(
        default=0.2, ge=0.0, description="0 leaves reinforcement alone: an ablation."
    )
    distillation_minibatch: int = Field(
        default=32,
        ge=1,
        description="Reference steps per gradient step: references are few, so steps of few are many.",
    )
    distillation_passes: int = Field(
        default=8,
        ge=0,
        le=100,
        description="Passes over the new references after those over the live batch.",
    )
    distillation_rehearsal: float = Field(
        default=1.0,
        ge=0.0,
        description="Earlier references in each pass, for each new one: more passes over them overfit.",
    )
    feature_dropout: float = Field(
        default=0.3,
        ge=0.0,
        lt=1.0,
        description="Share of hashed features dropped while imitating: the same references come again.",
    )
    kl_weight: float = Field(
        default=0.1, ge=0.0, description="Weight of KL(current || reference) on negative states."
    )
    target_kl: float = Field(
        default=0.05, gt=0.0, description="Passes stop when the live batch's KL exceeds it."
    )
    max_gradient_norm: float = Field(default=1.0, gt=0.0)
    first_ratio_tolerance: float = Field(
        default=1e-3, gt=0.0, description="Largest |ratio - 1| allowed before the first gradient step."
    )
    threads: int = Field(
        default=1,
        ge=1,
        le=256,
        description="Equal hashes need equal thread counts; one thread does not suffer from a busy machine.",
    )
