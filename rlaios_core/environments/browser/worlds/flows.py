"""Tasks on a person's own site, as a flow file describes them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rlaios_core.environments.browser.candidates import FILL, SELECT, find_payload
from rlaios_core.environments.browser.describe import walled
from rlaios_core.environments.browser.driver import (
    DriverError,
    DriverFailure,
    EpisodePage,
    Look,
    Seat,
    StepView,
)
from rlaios_core.environments.browser.flows.files import load_flows, payload_of, read_state, storage_script
from rlaios_core.environments.browser.flows.model import Flow, FlowStep
from rlaios_core.environments.browser.flows.predicates import met
from rlaios_core.environments.browser.human_checks import challenged
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.rules import SENSITIVE, Leave, Rules
from rlaios_core.environments.browser.worlds.base import Run, Standing
from rlaios_core.schema import HANDOFF, STOP, Action, Split, Task, content_hash


class FlowWorld:
    """One episode of a flow. Its predicates are read after every step, without touching the page."""

    wants_handoff = None

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._state = read_state(flow)
        self._done = (0, 1)
        self._violated = False
        self._handoff = False
        self._authentication = "none"
        self.budget = flow.steps
        payload = payload_of(flow)
        shown = [
            f"{name} = {'(secret)' if entry.secret else entry.value};" for name, entry in payload.items()
        ]
        self.rules = Rules(
            instruction=" ".join([flow.task, *shown]),
            payload=payload,
            origins=flow.origins,
            leave=Leave.GIVEN if flow.leave else Leave.KEPT,
            sensitive=SENSITIVE | {word.lower() for word in flow.sensitive},
        )

    @property
    def start_url(self) -> str:
        """As the file says."""
        return self._flow.start

    @property
    def authentication(self) -> str:
        """none without a state file, else valid or expired as seen at the start."""
        return self._authentication

    def seat(self) -> Seat:
        """A context of its own with the stored state."""
        flow, state = self._flow, self._state
        return Seat(
            origins=flow.origins,
            viewport=flow.viewport,
            locale=flow.locale,
            time_zone=flow.time_zone,
            clock=int(flow.clock.timestamp() * 1000) if flow.clock else None,
            cookies=tuple(tuple(sorted(cookie.items())) for cookie in state["cookies"]) if state else (),
            scripts=(storage_script(state),) if state else (),
        )

    def pins(self) -> Mapping[str, str]:
        """Flow, start, payload, clock and the class of the authentication state."""
        return {
            "flow": content_hash(self._flow.to_json()),
            "seed": "none",
            "startUrl": self._flow.start,
            "authentication": self._authentication,
            "payload": content_hash({n: "" if e.secret else e.value for n, e in self.rules.payload.items()}),
            "clock": str(self._flow.clock),
        }

    def started(self, page: EpisodePage, view: StepView, run: "Run[Any]") -> StepView:
        """See that the authentication state is still valid. Raises `DriverError` (start) when it is not."""
        condition = self._flow.authenticated
        if self._state is not None or not condition.empty:
            held, asked = met(condition, page, view.look, run)
            expired = held < asked or walled(view.look, self.rules)
            self._authentication = "expired" if expired else "valid"
            if expired:
                raise DriverError(
                    DriverFailure.START,
                    f"flow {self._flow.name}: the authentication has expired; a person must sign in again "
                    "and store a new state (rlaios browser record --state)",
                )
        self.observed(page, view, run)
        return view

    def observed(self, page: EpisodePage, view: StepView, run: "Run[Any]") -> None:
        """Read the predicates."""
        flow, look = self._flow, view.look
        self._done = met(flow.success, page, look, run)
        if not flow.forbidden.empty:
            held, asked = met(flow.forbidden, page, look, run)
            self._violated = self._violated or held >= asked
        if flow.handoff.empty:
            self._handoff = walled(look, self.rules) or challenged(look)
        else:
            held, asked = met(flow.handoff, page, look, run)
            self._handoff = held >= asked

    def standing(self) -> Standing:
        """What the predicates say."""
        done, total = self._done
        violations = ("a forbidden predicate held",) if self._violated else ()
        return Standing(done, total, violations, handoff_due=self._handoff and done < total)

    def right_action(
        self, look: Look, actions: Sequence[Action], memory: Memory,  # noqa: ARG002
    ) -> int | None:  # fmt: skip
        """The next step of the recorded way; at its end stop, or a hand-off where one is due."""
        taken = self._taken(memory)
        if taken >= len(self._flow.reference):
            verb = HANDOFF if self._handoff else STOP
            return next((i for i, action in enumerate(actions) if action.verb == verb), None)
        step = self._flow.reference[taken]
        return next((i for i, action in enumerate(actions) if _fits(step, action)), None)

    def next_step(self, memory: Memory) -> str:
        """The recorded step that comes next, in words."""
        step = self._flow.reference[self._taken(memory)]
        return " ".join(part for part in (step.do, step.on, step.use) if part)

    def _taken(self, memory: Memory) -> int:
        """How many of the recorded steps were taken, in their order."""
        taken = 0
        for event in memory.events:
            if taken < len(self._flow.reference) and _is(self._flow.reference[taken], event):
                taken += 1
        return taken


class FlowSource:
    """The enabled flows of a folder; every split has all of them."""

    name = "flow"

    def __init__(self, flows: Sequence[Flow]) -> None:
        self._flows = {flow.name: flow for flow in flows}

    @classmethod
    def of(cls, folder: Path) -> "FlowSource":
        """The enabled flows in a folder. Raises `FlowError`."""
        return cls(load_flows(folder))

    def hosts(self) -> tuple[str, ...]:
        """The hosts of all flows."""
        every = [urlsplit(origin).hostname or "" for flow in self._flows.values() for origin in flow.origins]
        return tuple(dict.fromkeys(every))

    def sample(self, split: Split, index: int, seed: int) -> Task:
        """The flows in turn. The file's content is part of the task; secrets are not."""
        flow = list(self._flows.values())[index % len(self._flows)]
        payload = {"source": self.name, "flow": flow.to_json()}
        return Task(
            task_id=f"browser-{content_hash(payload)}",
            environment="browser",
            family=flow.name,
            split=split,
            seed=seed,
            index=index,
            instruction=flow.task,
            payload=payload,
        )

    @contextmanager
    def world(self, task: Task) -> Iterator[FlowWorld]:
        """The flow as it stood when the task was made."""
        yield FlowWorld(Flow.model_validate(task.payload["flow"]))

    def close(self) -> None:
        """Nothing was started."""


def _fits(step: FlowStep, action: Action) -> bool:
    if action.verb != step.do or not action.target.startswith(step.on):
        return False
    data = find_payload(action)
    if step.do == FILL:
        return data.get("entry") == step.use
    return step.do != SELECT or data.get("option") == step.use


def _is(step: FlowStep, event: str) -> bool:
    return event.startswith(f"did {step.do} {step.on}".rstrip()) and (not step.use or step.use in event)
