"""Tasks on the bundled site, judged by its server."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rlaios_core.environments.browser.driver import EpisodePage, Look, Seat, StepView
from rlaios_core.environments.browser.matching import Entry
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.rules import Leave, Rules
from rlaios_core.environments.browser.site import (
    HEADER,
    SHARES,
    Scenario,
    SiteServer,
    SiteSpec,
    draw_spec,
    open_scenario,
)
from rlaios_core.environments.browser.worlds.base import Run, Standing
from rlaios_core.environments.browser.worlds.guide import guided
from rlaios_core.schema import Action, Split, Task, content_hash

_CLOCK = 1_767_225_600_000
"""2026-01-01T00:00:00Z: every page of the bundled site lives on that day."""


class SiteWorld:
    """One scenario, hosted under a token of its own."""

    def __init__(self, scenario: Scenario, server: SiteServer, token: str, *, reuse: bool = False) -> None:
        self.scenario = scenario
        self._reuse = reuse
        self._server = server
        self._token = token
        self.budget = scenario.budget
        self.rules = Rules(
            instruction=scenario.instruction,
            payload={name: Entry(entry.value, entry.secret) for name, entry in scenario.payload.items()},
            origins=(server.origin, server.partner),
            leave=_leave(scenario),
            reserved=scenario.act_without_leave,
            about_leave=scenario.about_leave,
        )

    @property
    def start_url(self) -> str:
        """The site's front page."""
        return f"{self._server.origin}/"

    @property
    def authentication(self) -> str:
        """Sessions of the bundled site are part of its scenarios."""
        return "none"

    @property
    def wants_handoff(self) -> bool:
        """As the task was drawn."""
        return self.scenario.spec.handoff

    def seat(self) -> Seat:
        """The site's two origins, and the header that leads to the scenario."""
        return Seat(
            origins=self.rules.origins, headers=((HEADER, self._token),), clock=_CLOCK, reuse=self._reuse
        )

    def pins(self) -> Mapping[str, str]:
        """The spec stands for the flow; ports differ from run to run and do not count."""
        return {
            "flow": content_hash(self.scenario.spec.to_json()),
            "seed": str(self.scenario.spec.seed),
            "startUrl": "/",
            "authentication": self.authentication,
            "payload": content_hash({n: "" if e.secret else e.value for n, e in self.rules.payload.items()}),
            "clock": str(_CLOCK),
        }

    def started(self, page: EpisodePage, view: StepView, run: "Run[Any]") -> StepView:  # noqa: ARG002
        """Nothing more to do."""
        return view

    def observed(self, page: EpisodePage, view: StepView, run: "Run[Any]") -> None:
        """The server saw everything already."""

    def standing(self) -> Standing:
        """What the server knows."""
        done, total = self.scenario.progress()
        return Standing(
            done=done,
            total=total,
            violations=tuple(self.scenario.violations),
            handoff_due=self.scenario.handoff_due(),
            stop_is_right=self.scenario.stop_is_right(),
        )

    def right_action(self, look: Look, actions: Sequence[Action], memory: Memory) -> int | None:
        """What the scenario's plan calls for."""
        return guided(self.scenario, look, actions, memory)


def _leave(scenario: Scenario) -> Leave:
    if not scenario.leave:
        return Leave.KEPT
    return Leave.GIVEN if scenario.about_leave else Leave.UNSAID


class SiteSource:
    """Samples specs by position; one server for all episodes, started with the first.

    With `reuse`, training episodes may share contexts that are emptied in between.
    """

    name = "site"

    def __init__(self, *, reuse: bool = False) -> None:
        self._reuse = reuse
        self._server: SiteServer | None = None
        self._lock = threading.Lock()

    def hosts(self) -> tuple[str, ...]:
        """Loopback only."""
        return ("127.0.0.1",)

    def sample(self, split: Split, index: int, seed: int) -> Task:
        """The spec at this position as a task."""
        spec = draw_spec(SHARES, split, index, seed)
        scenario = open_scenario(spec)
        payload = {"source": self.name, "spec": spec.to_json()}
        return Task(
            task_id=f"browser-{content_hash(payload)}",
            environment="browser",
            family=spec.family,
            split=split,
            seed=seed,
            index=index,
            instruction=scenario.instruction,
            payload=payload,
        )

    @contextmanager
    def world(self, task: Task) -> Iterator[SiteWorld]:
        """A fresh scenario, served as long as the episode lasts."""
        scenario = open_scenario(SiteSpec.model_validate(task.payload["spec"]))
        with self._lock:
            server = self._server = self._server or SiteServer()
        with server.hosting(scenario) as token:
            yield SiteWorld(scenario, server, token, reuse=self._reuse and task.split is Split.TRAIN)

    def close(self) -> None:
        """Stop the server."""
        with self._lock:
            if self._server is not None:
                self._server.close()
                self._server = None
