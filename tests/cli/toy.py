"""The button world under the name of an installed environment, with baselines."""

from collections.abc import Callable, Mapping, Sequence

from rlaios_core.schema import STOP, Decision, Observation, Policy, Task
from tests.worlds import ButtonWorld


class Scripted:
    """Presses the first button, or the named one, and stops."""

    def __init__(self, pick: Callable[[Observation], str]) -> None:
        self._pick = pick

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        return [self._decide(observation) for observation in observations]

    def _decide(self, observation: Observation) -> Decision:
        targets = [action.target for action in observation.actions]
        verbs = [action.verb for action in observation.actions]
        chosen = verbs.index(STOP) if observation.context else targets.index(self._pick(observation))
        certain = tuple(float(index == chosen) for index in range(len(targets)))
        return Decision(chosen, 0.0, certain, 0.0)


class ToyShell(ButtonWorld):
    """Plays like the button world, and takes any options."""

    def __init__(self, name: str = "shell", **_: object) -> None:
        super().__init__()
        self.name = name

    def baselines(self, training_tasks: Sequence[Task]) -> Mapping[str, Policy]:
        return {
            "heuristic": Scripted(lambda observation: observation.actions[0].target),
            "oracle": Scripted(lambda observation: observation.instruction.split()[-1]),
        }
