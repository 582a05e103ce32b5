"""Episodes on disk: small, quick, and each readable without the others.

A file is a sequence of gzip members, one JSON line each, so `zcat` shows it. The first line holds what
the episodes share, each distinct thing once: strings, actions, observations' parts. Every other line is
one episode, whose steps refer to the first line by number. Probabilities are packed numbers, exact.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rlaios_core.schema import SCHEMA_VERSION, Action, Episode, Observation, Step, StepResult, StepStatus

_LEVEL = 1
"""Compression: most of the bytes are probabilities, which no level makes much smaller."""
_GZIP = 16 + zlib.MAX_WBITS
_ACTIONS = 2
"""Position of the actions' numbers in a step's row."""


class Place(NamedTuple):
    """Where an episode's line lies in its file, in bytes."""

    offset: int
    length: int


class Packed(NamedTuple):
    """A file's content and the place of each episode in it, in order."""

    content: bytes
    places: tuple[Place, ...]


def pack(episodes: Sequence[Episode]) -> Packed:
    """The content of a file that holds `episodes`."""
    shared = _Shared()
    lines = [_compressed(_episode_line(episode, shared)) for episode in episodes]
    header = {
        "schemaVersion": SCHEMA_VERSION,
        "strings": shared.strings,
        "actions": shared.actions,
        "contexts": shared.contexts,
    }
    members = [_compressed(header), *lines]
    places = []
    offset = len(members[0])
    for line in lines:
        places.append(Place(offset, len(line)))
        offset += len(line)
    return Packed(b"".join(members), tuple(places))


def unpack(content: bytes, places: Iterable[Place]) -> list[Episode]:
    """The episodes at `places` of a verified file's content; equal actions are one object.

    What the file holds is trusted (its hash was checked), so steps are built without validation.
    """
    header = _line(content)
    if header["schemaVersion"] != SCHEMA_VERSION:
        raise ValueError(f"episodes of schema version {header['schemaVersion']}, not {SCHEMA_VERSION}")
    reader = _Reader(header)
    return [reader.episode(_line(content[p.offset : p.offset + p.length])) for p in places]


class _Shared:
    """What the episodes of one file have in common, each distinct thing under a number."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self.actions: list[list[int]] = []
        self.contexts: list[list[int]] = []
        self._strings: dict[str, int] = {}
        self._actions: dict[tuple[int, ...], int] = {}
        self._contexts: dict[tuple[int, ...], int] = {}
        self._seen: dict[int, int] = {}
        self._keep: list[object] = []  # an id is only an identity while its object lives

    def string(self, text: str) -> int:
        number = self._strings.get(text)
        if number is None:
            number = self._strings[text] = len(self.strings)
            self.strings.append(text)
        return number

    def numbers(self, actions: tuple[Action, ...]) -> list[int]:
        """The numbers of an observation's actions, most of which were seen before."""
        seen = self._seen
        known = [seen.get(id(action), -1) for action in actions]
        if -1 in known:
            return [self._action(action) if n < 0 else n for action, n in zip(actions, known, strict=True)]
        return known

    def _action(self, action: Action) -> int:
        string = self.string
        payload = -1 if action.payload is None else self._payload(action.payload)
        content = (
            string(action.verb),
            string(action.target),
            string(action.argument),
            string(action.notes),
            payload,
        )
        number = self._actions.get(content)
        if number is None:
            number = self._actions[content] = len(self.actions)
            self.actions.append(list(content))
        self._remember(action, number)
        return number

    def _payload(self, payload: dict[str, Any]) -> int:
        number = self._seen.get(id(payload))
        if number is None:
            number = self.string(json.dumps(payload, ensure_ascii=False, allow_nan=False))
            self._remember(payload, number)
        return number

    def _remember(self, thing: object, number: int) -> None:
        self._seen[id(thing)] = number
        self._keep.append(thing)

    def context(self, lines: tuple[str, ...]) -> int:
        content = tuple(map(self.string, lines))
        number = self._contexts.get(content)
        if number is None:
            number = self._contexts[content] = len(self.contexts)
            self.contexts.append(list(content))
        return number


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


def _episode_line(episode: Episode, shared: _Shared) -> dict[str, Any]:
    rest = episode.model_dump(mode="json", by_alias=True, exclude={"trajectory"})
    return {"episode": rest, "steps": [_step_row(step, shared) for step in episode.trajectory]}


def _step_row(step: Step, shared: _Shared) -> list[Any]:
    seen = step.observation
    return [
        shared.string(seen.instruction),
        shared.context(seen.context),
        shared.numbers(seen.actions),
        seen.steps_left,
        step.chosen,
        [step.log_probability, step.value],
        _pack_numbers(step.probabilities),
        step.result.status.value,
        shared.string(step.result.text),
        step.duration_seconds,
    ]


def _pack_numbers(numbers: Sequence[float]) -> str:
    """Base64 of little-endian floats: 32 bits where that loses nothing (a network's output), else 64."""
    exact = np.asarray(numbers, dtype="<f8")
    with np.errstate(over="ignore"):
        single = exact.astype("<f4")
    kind, values = ("f", single) if np.array_equal(single.astype("<f8"), exact) else ("d", exact)
    return kind + base64.b64encode(values.tobytes()).decode()


def _unpack_numbers(text: str) -> tuple[float, ...]:
    values = np.frombuffer(base64.b64decode(text[1:]), dtype="<f4" if text[0] == "f" else "<f8")
    return tuple(values.astype("<f8").tolist())


def _compressed(data: dict[str, Any]) -> bytes:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(text.encode("utf-8", "surrogatepass")) + packer.flush()


def _line(content: bytes) -> dict[str, Any]:
    """The line in the first member of `content`."""
    text = zlib.decompressobj(_GZIP).decompress(content)
    data: dict[str, Any] = json.loads(text.decode("utf-8", "surrogatepass"))
    return data
