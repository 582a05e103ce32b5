"""Steps and actions of many episodes as Arrow columns, and back.

`actions` [episodes, distinct actions] are the distinct actions of each episode; `steps` [episodes, steps]
refer to them by number. Equal actions become one object when they are read.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from rlaios_core.schema import Action, Episode, Observation, Step, StepResult, StepStatus

TEXTS = (
    *(f"actions.list.element.{name}" for name in ("verb", "target", "argument", "notes", "payload")),
    *(f"steps.list.element.{name}" for name in ("instruction", "status", "text")),
    "steps.list.element.context.list.element",
    "steps.list.element.actions.list.element",
)
"""Parquet's paths of the columns whose values occur again and again."""
PROBABILITIES = "steps.list.element.probabilities.list.element"

_Row = tuple[str, str, str, str, str | None]
_ACTION = ("verb", "target", "argument", "notes", "payload")


def trajectory_columns(episodes: Sequence[Episode]) -> dict[str, pa.Array]:
    """The columns `actions` and `steps`. Raises `OverflowError` for a number above 64 bits."""
    packers = [_Actions() for _ in episodes]
    numbers = [
        packer.numbers(step.observation.actions)
        for episode, packer in zip(episodes, packers, strict=True)
        for step in episode.trajectory
    ]
    rows = [row for packer in packers for row in packer.rows]
    fields = [pa.array([row[place] for row in rows], pa.string()) for place in range(len(_ACTION))]
    actions = pa.StructArray.from_arrays(fields, _ACTION)
    return {
        "actions": _listed([len(packer.rows) for packer in packers], actions),
        "steps": _listed([len(e.trajectory) for e in episodes], _steps(episodes, numbers)),
    }


def trajectories(actions: pa.ListArray, steps: pa.ListArray) -> list[tuple[Step, ...]]:
    """The trajectory of each row. What the file holds is trusted, so nothing is validated again."""
    known: dict[_Row, Action] = {}
    rows = actions.flatten().flatten()
    fields = [column.to_pylist() for column in rows] or [[] for _ in _ACTION]
    all_actions = [_action(row, known) for row in zip(*fields, strict=True)]
    ends = iter(np.cumsum(steps.value_lengths().to_numpy(zero_copy_only=False)).tolist())
    first_action = np.concatenate([[0], np.cumsum(actions.value_lengths().to_numpy(zero_copy_only=False))])
    owners = np.repeat(np.arange(len(steps)), steps.value_lengths().to_numpy(zero_copy_only=False))
    read = _read_steps(steps.flatten(), all_actions, first_action[owners].tolist())
    found, start = [], 0
    for end in ends:
        found.append(tuple(read[start:end]))
        start = end
    return found


class _Actions:
    """The distinct actions of one episode, each under a number."""

    def __init__(self) -> None:
        self.rows: list[_Row] = []
        self._numbers: dict[_Row, int] = {}
        self._seen: dict[int, int] = {}
        self._payloads: dict[int, str] = {}

    def numbers(self, actions: tuple[Action, ...]) -> list[int]:
        """The numbers of an observation's actions, most of which were seen before.

        Objects are told apart by identity: the episode keeps all of them alive meanwhile.
        """
        known = [self._seen.get(id(action), -1) for action in actions]
        if -1 in known:
            return [self._number(action) if n < 0 else n for action, n in zip(actions, known, strict=True)]
        return known

    def _number(self, action: Action) -> int:
        payload = None if action.payload is None else self._payload(action.payload)
        row = (action.verb, action.target, action.argument, action.notes, payload)
        number = self._numbers.setdefault(row, len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
        self._seen[id(action)] = number
        return number

    def _payload(self, payload: dict[str, Any]) -> str:
        text = self._payloads.get(id(payload))
        if text is None:
            text = self._payloads[id(payload)] = json.dumps(payload, allow_nan=False)
        return text


def _steps(episodes: Sequence[Episode], numbers: Sequence[list[int]]) -> pa.StructArray:
    steps = [step for episode in episodes for step in episode.trajectory]
    seen = [step.observation for step in steps]
    widths = [len(step.probabilities) for step in steps]
    fields = {
        "instruction": pa.array([observation.instruction for observation in seen], pa.string()),
        "context": _listed(
            [len(observation.context) for observation in seen],
            pa.array([line for observation in seen for line in observation.context], pa.string()),
        ),
        "actions": _listed(widths, pa.array(_flat(numbers, "i4"))),
        "steps_left": pa.array([observation.steps_left for observation in seen], pa.int64()),
        "chosen": pa.array([step.chosen for step in steps], pa.int32()),
        "log_probability": pa.array([step.log_probability for step in steps], pa.float64()),
        "probabilities": _listed(widths, pa.array(_exact([step.probabilities for step in steps]))),
        "value": pa.array([step.value for step in steps], pa.float64()),
        "status": pa.array([step.result.status.value for step in steps], pa.string()),
        "text": pa.array([step.result.text for step in steps], pa.string()),
        "duration_seconds": pa.array([step.duration_seconds for step in steps], pa.float64()),
    }
    return pa.StructArray.from_arrays(list(fields.values()), list(fields))


def _read_steps(rows: pa.StructArray, actions: list[Action], first_action: list[int]) -> list[Step]:
    fields = dict(zip((field.name for field in rows.type), rows.flatten(), strict=True))
    contexts = _slices(fields["context"], fields["context"].flatten().to_pylist())
    numbers = _slices(fields["actions"], fields["actions"].flatten().to_pylist())
    packed = fields["probabilities"].flatten().to_numpy(zero_copy_only=False)
    probabilities = _slices(fields["probabilities"], packed.astype("f8").tolist())
    plain = [
        fields[name].to_pylist()
        for name in ("instruction", "steps_left", "chosen", "log_probability", "value", "status", "text")
    ]
    return [
        Step.model_construct(
            observation=Observation.model_construct(
                instruction=instruction,
                context=tuple(context),
                actions=tuple([actions[first + number] for number in numbers_]),
                steps_left=steps_left,
            ),
            chosen=chosen,
            log_probability=log_probability,
            probabilities=tuple(probabilities_),
            value=value,
            result=StepResult.model_construct(status=StepStatus(status), text=text),
            duration_seconds=seconds,
        )
        for (
            (instruction, steps_left, chosen, log_probability, value, status, text),
            context,
            numbers_,
            probabilities_,
            seconds,
            first,
        ) in zip(
            zip(*plain, strict=True),
            contexts,
            numbers,
            probabilities,
            fields["duration_seconds"].to_pylist(),
            first_action,
            strict=True,
        )
    ]


def _action(row: _Row, known: dict[_Row, Action]) -> Action:
    action = known.get(row)
    if action is None:
        verb, target, argument, notes, payload = row
        action = known[row] = Action.model_construct(
            verb=verb,
            target=target,
            argument=argument,
            notes=notes,
            payload=None if payload is None else json.loads(payload),
        )
    return action


def _exact(rows: Sequence[tuple[float, ...]]) -> np.ndarray[Any, Any]:
    """The numbers in 32 bits where that loses nothing (a network's output), else in 64."""
    exact = _flat(rows, "f8")
    with np.errstate(over="ignore"):
        single = exact.astype("f4")
    return single if np.array_equal(single.astype("f8"), exact) else exact


def _flat(rows: Iterable[Sequence[float]], kind: str) -> np.ndarray[Any, Any]:
    return np.array([value for row in rows for value in row], kind)


def _listed(lengths: Sequence[int], values: pa.Array) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(np.cumsum([0, *lengths], dtype="i4")), values)


def _slices(lists: pa.ListArray, values: list[Any]) -> list[list[Any]]:
    """The flat `values` of a column of lists, list by list."""
    ends = np.cumsum(lists.value_lengths().to_numpy(zero_copy_only=False)).tolist()
    return [values[start:end] for start, end in zip([0, *ends], ends, strict=False)]
