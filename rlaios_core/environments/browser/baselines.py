"""Scripted policies to measure the student against: they play by the same rules, on the same actions."""

import random
import re
from collections.abc import Sequence

from rlaios_core.environments.browser.candidates import (
    ACCEPT,
    CLICK,
    FILL,
    SCROLL,
    SELECT,
    WAIT,
    find_payload,
)
from rlaios_core.schema import HANDOFF, RETRY, STOP, Action, Decision, Observation

_FIRST_TROUBLE = re.compile(r"#trouble_\d+_0")


class RandomPolicy:
    """Every admissible action is as likely as another."""

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """A draw for each observation, fixed by its seed."""
        return [self._draw(o, seed) for o, seed in zip(observations, seeds, strict=True)]

    def _draw(self, observation: Observation, seed: int) -> Decision:
        count = len(observation.actions)
        return _decided(random.Random(seed).randrange(count), count)


class HeuristicPolicy:
    """What a careful form filler would do without learning.

    Fills fields by words and types, chooses options that are in the payload, presses the submit button,
    retries once, hands over where a check or a wall shows, and stops when nothing is left to press.
    """

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """The script's move for each observation, with probability 1."""
        return [
            _decided(self._choose(o.context, o.actions), len(o.actions))
            for o, _ in zip(observations, seeds, strict=True)
        ]

    def _choose(self, context: Sequence[str], actions: Sequence[Action]) -> int:
        state = context[-1]
        verbs = {action.verb: i for i, action in enumerate(actions)}
        person_needed = any(tag in state for tag in ("#challenge", "#wall", "_withheld"))
        if person_needed and HANDOFF in verbs and "_open" not in state:
            return verbs[HANDOFF]
        if ACCEPT in verbs:
            return verbs[ACCEPT]
        if RETRY in verbs:
            return verbs[RETRY] if _FIRST_TROUBLE.search(state) else verbs.get(HANDOFF, verbs[RETRY])
        if "_status_" in state and STOP in verbs and "open:0.0" in state:
            return verbs[STOP]
        scored = [(_promise(action), -i) for i, action in enumerate(actions)]
        best, place = max(scored)
        return -place if best > 0 else verbs.get(STOP, verbs.get(HANDOFF, 0))


class OraclePolicy:
    """The world's own reference."""

    def act(self, observations: Sequence[Observation], seeds: Sequence[int]) -> list[Decision]:
        """The action marked as right, else a hand-off."""
        return [self._marked(o) for o, _ in zip(observations, seeds, strict=True)]

    def _marked(self, observation: Observation) -> Decision:
        actions = observation.actions
        right = [i for i, action in enumerate(actions) if find_payload(action).get("right")]
        away = [i for i, action in enumerate(actions) if action.verb == HANDOFF]
        return _decided((right or away or [len(actions) - 1])[0], len(actions))


def _promise(action: Action) -> float:
    """How promising an action is, from its notes; not above 0: not worth trying."""
    notes = action.notes
    if "again" in notes.rpartition("#")[2]:
        return 0.0
    if action.verb == FILL:
        guess = "#fill_alike" in notes and "_empty_unused" in notes
        return 3.0 if "#fill_meant" in notes else 1.2 if guess else 0.0
    if action.verb == SELECT:
        return 2.5 if "#select_hit_open" in notes else 0.0
    if action.verb == CLICK:
        return _press_promise(notes)
    return {SCROLL: 0.3, WAIT: 0.1}.get(action.verb, 0.0)


def _press_promise(notes: str) -> float:
    said = float(notes.partition("said:")[2].split()[0])
    tag = notes.rpartition("#")[2]
    marks = set(tag.split("_"))
    if "named" in marks:
        return 2.8
    if "wholehit" in marks:
        return 2.0 + said
    if "besthit" in marks:
        return 0.2  # when nothing is left to scroll
    if marks & {"lesshit", "nohit", "nav"}:
        return 0.0
    if "check" in marks:
        return 1.8 if "off" in marks and marks & {"spoken", "mostsaid"} else 0.0
    if tag.startswith(("press_submit_ready", "press_submit_left")):
        return 1.5 + said
    if tag.startswith("press_button_modal"):
        # What a press has opened is agreed to; what came by itself is closed.
        return 1.4 if ("asked" in marks) != ("refusing" in marks) else 0.0
    return 0.5 * said if "link" in tag else 0.6 + said if "button" in tag else 0.0


def _decided(chosen: int, count: int) -> Decision:
    return Decision(chosen, 0.0, tuple(1.0 if i == chosen else 0.0 for i in range(count)), 0.0)
