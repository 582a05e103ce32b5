"""Reads the episode files of the first release, which stores brought up from it still have.

A file is a sequence of gzip members, one JSON line each. The first line holds what the episodes share;
every other line is an episode, whose steps refer to the first line by number.
"""

import base64
import gzip
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from rlaios_core.schema import SCHEMA_VERSION, Action, Episode, Observation, Step, StepResult, StepStatus

_ACTIONS = 2
"""Position of the actions' numbers in a step's row."""


def unpack_first(content: bytes, places: Sequence[int]) -> list[Episode]:
    """The episodes at `places` of a verified file's content; equal actions are one object.

    Raises `ValueError` for a file of another schema version.
    """
    header, *lines = gzip.decompress(content).split(b"\n")[:-1]
    shared = _line(header)
    if shared["schemaVersion"] != SCHEMA_VERSION:
        raise ValueError(f"episodes of schema version {shared['schemaVersion']}, not {SCHEMA_VERSION}")
    reader = _Reader(shared)
    return [reader.episode(_line(lines[place])) for place in places]


class _Reader:
    """Rebuilds episodes from a file's first line."""

    def __init__(self, header: dict[str, Any]) -> None:
        self._strings: list[str] = header["strings"]
        self._rows: list[list[int]] = header["actions"]
        self._contexts: list[list[int]] = header["contexts"]
        self._actions: dict[int, Action] = {}
        self._lines: dict[int, tuple[str, ...]] = {}

    def episode(self, line: dict[str, Any]) -> Episode:
        for number in set[int]().union(*(step[_ACTIONS] for step in line["steps"])):
            if number not in self._actions:
                self._actions[number] = self._action(number)
        shell = Episode.model_validate({**line["episode"], "trajectory": ()})
        return shell.model_copy(update={"trajectory": tuple(self._step(step) for step in line["steps"])})

    def _step(self, row: list[Any]) -> Step:
        instruction, context, actions, steps_left, chosen, numbers, packed, status, text, seconds = row
        log_probability, value = numbers
        known = self._actions
        observation = Observation.model_construct(
            instruction=self._strings[instruction],
            context=self._context(context),
            actions=tuple([known[number] for number in actions]),
            steps_left=steps_left,
        )
        return Step.model_construct(
            observation=observation,
            chosen=chosen,
            log_probability=log_probability,
            probabilities=_unpack_numbers(packed),
            value=value,
            result=StepResult.model_construct(status=StepStatus(status), text=self._strings[text]),
            duration_seconds=seconds,
        )

    def _action(self, number: int) -> Action:
        verb, target, argument, notes, payload = self._rows[number]
        return Action.model_construct(
            verb=self._strings[verb],
            target=self._strings[target],
            argument=self._strings[argument],
            notes=self._strings[notes],
            payload=None if payload < 0 else json.loads(self._strings[payload]),
        )

    def _context(self, number: int) -> tuple[str, ...]:
        lines = self._lines.get(number)
        if lines is None:
            lines = self._lines[number] = tuple(self._strings[text] for text in self._contexts[number])
        return lines


def _unpack_numbers(text: str) -> tuple[float, ...]:
    values = np.frombuffer(base64.b64decode(text[1:]), dtype="<f4" if text[0] == "f" else "<f8")
    return tuple(values.astype("<f8").tolist())


def _line(line: bytes) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(line.decode("utf-8", "surrogatepass"))
    return data
