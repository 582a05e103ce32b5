"""One episode as a state machine: what may be done, what it does, what is known afterwards."""

from collections.abc import Coroutine
from typing import Any

from rlaios_core.environments.browser.candidates import (
    CLICK,
    FILL,
    SELECT,
    WAIT,
    Offer,
    clean,
    find_payload,
    offer,
)
from rlaios_core.environments.browser.describe import context_lines, result_word
from rlaios_core.environments.browser.driver import (
    ActStatus,
    BrowserWorker,
    Control,
    EpisodePage,
    Look,
    StepView,
)
from rlaios_core.environments.browser.evidence import StepEvidence, step_evidence
from rlaios_core.environments.browser.memory import Memory
from rlaios_core.environments.browser.rules import FIELDS, entries_of
from rlaios_core.environments.browser.worlds import Standing, World
from rlaios_core.schema import (
    HANDOFF,
    RETRY,
    STOP,
    VERIFY,
    Action,
    Observation,
    StepResult,
    StepStatus,
    StopReason,
)

STEP_SECONDS = 25.0
"""The outermost bound of one step; the driver's own bounds add up to less."""
_WAITS = (0.25, 1.0, 1.0)
_NOT_DONE = (ActStatus.ABSENT, ActStatus.STALE, ActStatus.DISABLED, ActStatus.COVERED, ActStatus.OFFSCREEN)


class Session:
    """The state of one episode on one page."""

    def __init__(self, world: World, worker: BrowserWorker, page: EpisodePage) -> None:
        self._world = world
        self._worker = worker
        self._page = page
        self._memory = Memory()
        self._view = world.started(page, self._run(page.open(world.start_url)), self._run)
        self._memory.http_status = 0
        self._offer: Offer | None = None
        self._steps = 0
        self.evidence: list[StepEvidence] = []
        self.stop_reason: StopReason | None = None
        self.handed_off_rightly = False

    @property
    def page(self) -> EpisodePage:
        """The page in play."""
        return self._page

    @property
    def memory(self) -> Memory:
        """What the episode remembers."""
        return self._memory

    @property
    def steps(self) -> int:
        """Steps taken."""
        return self._steps

    @property
    def view(self) -> StepView:
        """The newest look."""
        return self._view

    @property
    def standing(self) -> Standing:
        """What is verified of the world now."""
        return self._world.standing()

    def observe(self) -> Observation:
        """What the student knows now, and what it may do."""
        rules, left = self._world.rules, self._world.budget - self._steps
        self._offer = found = offer(self._view.look, rules, self._memory)
        right = self._world.right_action(self._view.look, found.actions, self._memory)
        if right is not None:
            known = found.actions[right]
            found.actions[right] = known.model_copy(
                update={"payload": {**find_payload(known), "right": True}}
            )
        return Observation(
            instruction=rules.instruction,
            context=context_lines(self._view.look, rules, self._memory, found, left),
            actions=tuple(found.actions),
            steps_left=left,
        )

    def take(self, action: Action) -> StepResult:
        """Carry out an admissible action."""
        assert self._offer is not None
        self._steps += 1
        before, offered = self._view.look, self._offer
        if action.verb in (STOP, HANDOFF):
            self._end(action.verb)
            self._note_evidence(before, offered, action)
            return StepResult(status=StepStatus.OK)
        self._view = self._run(self._carry_out(action))
        self._world.observed(self._page, self._view, self._run)
        text = self._remember(action, before)
        standing = self._world.standing()
        if standing.violations or standing.ended:
            self.stop_reason = StopReason.WORLD_ENDED
        elif self._steps >= self._world.budget:
            self.stop_reason = StopReason.OUT_OF_STEPS
        self._note_evidence(before, offered, action)
        return StepResult(status=self._status(), text=text)

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._worker.run(work, STEP_SECONDS)

    def _end(self, verb: str) -> None:
        standing = self._world.standing()
        self.stop_reason = StopReason.STOPPED if verb == STOP else StopReason.HANDED_OFF
        self.handed_off_rightly = standing.handoff_due if verb == HANDOFF else standing.stop_is_right

    def _carry_out(self, action: Action) -> Coroutine[Any, Any, StepView]:
        page, data = self._page, find_payload(action)
        match action.verb:
            case "click":
                return page.click(self._control(data))
            case "fill":
                return page.fill(self._control(data), self._world.rules.payload[data["entry"]].value)
            case "clear":
                return page.fill(self._control(data), "")
            case "select":
                return page.select(self._control(data), data["option"])
            case "press":
                return page.press(action.target)
            case "scroll":
                return page.scroll(data["token"], 1 if action.target == "down" else -1)
            case "wait":
                return page.wait(_WAITS[min(self._memory.waits, len(_WAITS) - 1)])
            case "back":
                return page.back()
            case "retry":
                return page.repeat()
            case "verify":
                return page.fetch_again()
            case "accept":
                return page.answer(accept=True)
            case "dismiss":
                return page.answer(accept=False)
            case "answer":
                return page.answer(accept=True, text=self._world.rules.payload[data["entry"]].value)
            case _:
                raise ValueError(f"there is no action {action.verb!r} in the browser environment")

    def _control(self, data: dict[str, Any]) -> Control:
        return next(c for c in self._view.look.controls if c.token == data["token"])

    def _remember(self, action: Action, before: Look) -> str:
        memory, view, data = self._memory, self._view, find_payload(action)
        memory.changed = view.look.digest != before.digest
        memory.asked = action.verb == CLICK and not view.http_status and not before.modal and view.look.modal
        memory.status = view.status
        if view.http_status or action.verb in (RETRY, VERIFY):
            memory.http_status = view.http_status
        memory.troubles += int(memory.trouble)
        memory.retries += int(action.verb == RETRY)
        memory.waits = memory.waits + 1 if action.verb == WAIT else 0
        memory.last = action.verb
        done = view.status is ActStatus.OK
        entered = [data["entry"]] if action.verb == FILL else data.get("entries", ())
        if action.verb == FILL and done:
            memory.filled[data["signature"]] = data["entry"]
        if done:
            memory.entered(entered, data.get("form", -1))
        if action.verb in (FILL, SELECT) or entered:
            memory.unsent, memory.here = True, data["section"]
        elif view.http_status or view.status is ActStatus.TIMEOUT:
            memory.unsent = False
            self._answered(action, before)
        if action.verb == CLICK:
            self._count_press(data, before.digest)
            if done and 0 < view.http_status < 400 and not view.look.complains:
                memory.accepted.add((before.path, str(data["signature"])))
            memory.submitted = memory.submitted or "#press_submit" in action.notes
        word = result_word(view.status, view.http_status, memory.changed)
        said = f" said {clean(' '.join(view.alerts))}" if view.alerts else ""
        more = f" {clean(view.detail)}" if view.detail else ""
        happened = f" {clean(' '.join(view.events))}" if view.events else ""
        event = " ".join(part for part in (action.verb, action.target, action.argument) if part)
        memory.events.append(f"did {event} {word}{more}{said}{happened}")
        return f"{word}{more}{said}{happened}"

    def _answered(self, action: Action, before: Look) -> None:
        memory, form = self._memory, find_payload(action).get("form", -1)
        if memory.trouble:
            fields = {c.signature for c in before.controls if c.form == form and c.role in FIELDS}
            memory.met_trouble(fields, scripted=self._view.scripted)
        else:
            page = {control.signature for control in self._view.look.controls}
            memory.sent(form, page, self._shown(), anew=action.verb in (RETRY, VERIFY))

    def _shown(self) -> set[str]:
        """The entries that stand in a field or a list, or are chosen."""
        texts = (c.name if c.checked else c.value for c in self._view.look.controls)
        return {entry for text in texts for entry in entries_of(text, self._world.rules)}

    def _count_press(self, data: dict[str, Any], before: int) -> None:
        key = (str(data.get("signature", data["token"])), before)
        self._memory.pressed[key] = self._memory.pressed.get(key, 0) + 1

    def _status(self) -> StepStatus:
        if self._view.status in _NOT_DONE:
            return StepStatus.REJECTED
        if self._view.status in (ActStatus.TIMEOUT, ActStatus.BUSY):
            return StepStatus.TIMEOUT
        failed = self._view.status is not ActStatus.OK or self._view.http_status >= 400
        return StepStatus.ERROR if failed else StepStatus.OK

    def _note_evidence(self, before: Any, offered: Offer, action: Action) -> None:
        terminal = self.stop_reason.value if self.stop_reason else ""
        self.evidence.append(
            step_evidence(before, offered, action, self._view, self._world.rules, self._memory, terminal)
        )
