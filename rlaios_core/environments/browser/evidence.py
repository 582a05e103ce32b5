"""Evidence of a step and of an episode: what was there, what was done, what came of it."""

import json
from collections.abc import Sequence

from pydantic import Field

from rlaios_core.environments.browser.candidates import Offer, target_of
from rlaios_core.environments.browser.describe import page_kind, sensitive_page, walled
from rlaios_core.environments.browser.driver import Look, StepView
from rlaios_core.environments.browser.human_checks import challenged
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.rules import Rules, is_sensitive
from rlaios_core.schema import Action, Model

_KEY_CONTROLS = 6


class FormState(Model):
    """How the fields stand to the payload: `open` still lack what is meant for them."""

    filled: int = Field(ge=0)
    open: int = Field(ge=0)


class StepEvidence(Model):
    """One step: the page before the action, the action, and what it led to.

    `authentication` is wall (a password is asked for that nobody gave), door (asked for, given) or none.
    `terminal` says why the episode ended with this step, if it did.
    """

    page: str
    kind: str
    controls: tuple[str, ...]
    form: FormState
    action: str
    result: str
    navigation: str
    http_status: int = 0
    errors: tuple[str, ...] = ()
    authentication: str = "none"
    challenge: bool = False
    sensitive: bool = False
    terminal: str = ""


def step_evidence(
    before: Look, offer: Offer, action: Action, after: StepView, rules: Rules, memory: Memory, terminal: str
) -> StepEvidence:
    """The record of one step."""
    name = action.target.split('"')[1] if action.target.count('"') >= 2 else ""
    return StepEvidence(
        page=before.path,
        kind=str(page_kind(before, memory)),
        controls=tuple(target_of(c) for c in before.controls if not c.disabled and not c.covered)[
            :_KEY_CONTROLS
        ],
        form=FormState(filled=offer.filled_fields, open=offer.open_fields),
        action=" ".join(part for part in (action.verb, action.target, action.argument) if part),
        result=after.status.value,
        navigation=_navigation(before, after.look),
        http_status=after.http_status,
        errors=tuple(c.invalid for c in after.look.controls if c.invalid)
        + tuple(line.text for line in after.look.lines if line.kind == "alert"),
        authentication="wall" if walled(before, rules) else _door(before),
        challenge=challenged(before),
        sensitive=is_sensitive(name, rules) or sensitive_page(before, rules),
        terminal=terminal,
    )


def steps_text(steps: Sequence[StepEvidence]) -> str:
    """The steps as one JSON text: an episode's evidence holds plain values only."""
    return json.dumps([step.to_json() for step in steps], ensure_ascii=False, separators=(",", ":"))


def read_steps(text: str) -> list[StepEvidence]:
    """The steps back from an episode's evidence."""
    return [StepEvidence.model_validate(step) for step in json.loads(text)]


def _door(look: Look) -> str:
    return "door" if any(control.secret for control in look.controls) else "none"


def _navigation(before: Look, after: Look) -> str:
    if after.url.startswith("chrome-error:"):
        return "failed"
    return f"to {after.path}" if after.url != before.url else "same"
