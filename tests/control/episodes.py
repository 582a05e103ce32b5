"""Small episodes for tests."""

from rlaios_core.schema import (
    Action,
    Episode,
    Observation,
    Outcome,
    Split,
    Step,
    StepResult,
    StepStatus,
    StopReason,
)


def step(value: float = 0.0) -> Step:
    return Step(
        observation=Observation(
            instruction="do it", actions=(Action(verb="go"), Action(verb="stop")), steps_left=1
        ),
        chosen=0,
        log_probability=-0.5,
        probabilities=(0.6, 0.4),
        value=value,
        result=StepResult(status=StepStatus.OK, text="went"),
        duration_seconds=0.1,
    )


def episode(episode_id: str = "ep-1", *, success: bool = True, **changes: object) -> Episode:
    fields: dict[str, object] = {
        "episode_id": episode_id,
        "campaign": "alpha",
        "epoch": 1,
        "environment": "fake",
        "task_id": f"task-{episode_id}",
        "family": "family-0",
        "split": Split.TRAIN,
        "seed": 7,
        "checkpoint_id": "ck-1",
        "trajectory": (step(),),
        "outcome": Outcome.SUCCESS if success else Outcome.FAILURE,
        "stop_reason": StopReason.STOPPED,
        "terminal_reward": 1.0 if success else -1.0,
        "reward": 1.0 if success else -1.0,
    }
    return Episode.model_validate({**fields, **changes})
