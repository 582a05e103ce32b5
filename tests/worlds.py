"""A very small world for tests: press the button that the instruction names, then stop."""

from collections.abc import Mapping, Sequence

import numpy as np

from rlaios_core.environments import EnvironmentFault, MatchedPair, Play, ReplayCandidate, Solution
from rlaios_core.schema import (
    STOP,
    Action,
    Decision,
    Episode,
    FaultBoundary,
    Observation,
    Outcome,
    Policy,
    Split,
    Step,
    StepResult,
    StepStatus,
    StopReason,
    Task,
    content_hash,
    derive_seed,
    episode_id,
)

COLOURS = ("amber", "blue", "coral", "green", "ivory", "lilac", "ochre", "violet")


class ButtonWorld:
    """Success is pressing the named button and stopping within three steps."""

    name = "buttons"

    def __init__(self, *, broken_tasks: frozenset[int] = frozenset()) -> None:
        self.broken_tasks = broken_tasks

    def sample_task(self, split: Split, index: int, seed: int) -> Task:
        rng = np.random.default_rng(derive_seed(split.value, index, seed))
        shown = [str(colour) for colour in rng.choice(COLOURS, size=4, replace=False)]
        payload = {"shown": shown, "wanted": str(rng.choice(shown))}
        return Task(
            task_id="task-" + content_hash([split.value, index, seed, payload]),
            environment=self.name,
            family=payload["wanted"],
            split=split,
            seed=seed,
            index=index,
            instruction=f"press {payload['wanted']}",
            payload=payload,
        )

    def run_episode(self, task: Task, policy: Policy, play: Play) -> Episode:
        if task.index in self.broken_tasks:
            raise EnvironmentFault(FaultBoundary.SANDBOX, "the world is down")
        pressed: list[str] = []
        steps: list[Step] = []
        while len(steps) < 3 and not (steps and steps[-1].action.verb == STOP):
            buttons = tuple(Action(verb="press", target=colour) for colour in task.payload["shown"])
            observation = Observation(
                instruction=task.instruction,
                context=tuple(f"pressed {colour} #pressed" for colour in pressed),
                actions=(*buttons, Action(verb=STOP)),
                steps_left=3 - len(steps),
            )
            decision = policy.act([observation], [derive_seed(play.seed, play.attempt, len(steps))])[0]
            action = observation.actions[decision.chosen]
            if action.verb == "press":
                pressed.append(action.target)
            steps.append(make_step(observation, decision))
        return make_episode(self.name, task, play, tuple(steps), pressed == [task.payload["wanted"]])

    def compare(self, pair: MatchedPair) -> tuple[float | None, float | None]:
        return (
            None if pair.active is None else pair.active.terminal_reward,
            None if pair.reference is None else pair.reference.terminal_reward,
        )

    def replay_candidate(self, episode: Episode) -> ReplayCandidate:
        return ReplayCandidate(True, "", episode.family)

    def summarize(self, episodes: Sequence[Episode]) -> Mapping[str, float]:
        return {"success": float(np.mean([e.success for e in episodes]))} if episodes else {}

    def reference_solution(self, task: Task, failed: Episode | None = None) -> Solution:
        return Solution((Action(verb="press", target=task.payload["wanted"]).key, Action(verb=STOP).key))

    def close(self) -> None:
        pass


def make_step(observation: Observation, decision: Decision) -> Step:
    return Step(
        observation=observation,
        chosen=decision.chosen,
        log_probability=decision.log_probability,
        probabilities=decision.probabilities,
        value=decision.value,
        result=StepResult(status=StepStatus.OK),
        duration_seconds=0.0,
    )


def make_episode(name: str, task: Task, play: Play, steps: tuple[Step, ...], success: bool) -> Episode:
    reward = 1.0 if success else -1.0
    return Episode(
        episode_id=episode_id(
            play.campaign, play.epoch, name, task.index, play.attempt, f"{play.checkpoint_id}:{task.task_id}"
        ),
        campaign=play.campaign,
        epoch=play.epoch,
        environment=name,
        task_id=task.task_id,
        family=task.family,
        split=task.split,
        seed=play.seed,
        attempt=play.attempt,
        checkpoint_id=play.checkpoint_id,
        trajectory=steps,
        outcome=Outcome.SUCCESS if success else Outcome.FAILURE,
        stop_reason=StopReason.STOPPED if steps[-1].action.verb == STOP else StopReason.OUT_OF_STEPS,
        terminal_reward=reward,
        reward=reward,
        evidence={"verifications": len(steps)},
    )
