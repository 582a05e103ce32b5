"""A dry run of a flow: its start, its recorded way, a picture per step, and what its predicates say."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from rlaios_core.environments.base import EnvironmentFault
from rlaios_core.environments.browser.driver import (
    BrowserMissingError,
    BrowserWorker,
    DriverError,
    WorkerSettings,
)
from rlaios_core.environments.browser.flows.files import FlowError
from rlaios_core.environments.browser.flows.model import Flow
from rlaios_core.environments.browser.session import Session
from rlaios_core.environments.browser.worlds.flows import FlowSource, FlowWorld
from rlaios_core.files import write_whole
from rlaios_core.schema import HANDOFF, STOP

_SHOT_SECONDS = 6.0


class CheckedStep(NamedTuple):
    """One step of the dry run."""

    page: str
    action: str
    result: str
    offered: int
    picture: str


class Checked(NamedTuple):
    """What the dry run found. `success` says that the success predicates held at its end."""

    steps: tuple[CheckedStep, ...]
    success: bool
    forbidden: bool
    handoff_due: bool
    withheld: tuple[str, ...]
    authentication: str
    problem: str


def check_flow(flow: Flow, screens: Path, on_step: Callable[[CheckedStep], None] = lambda _: None) -> Checked:
    """Play the recorded way once. Sensitive buttons are not pressed without leave. Raises `FlowError`."""
    source = FlowSource([flow])
    worker = BrowserWorker(WorkerSettings(hosts=source.hosts()))
    try:
        world = FlowWorld(flow)
        with worker.seat(world.seat()) as page:
            return _walk(world, Session(world, worker, page), worker, screens, on_step)
    except BrowserMissingError as error:
        raise FlowError(str(error)) from error
    except (DriverError, EnvironmentFault) as error:
        raise FlowError(f"flow {flow.name}: {error}") from error
    finally:
        worker.close()


def _walk(
    world: FlowWorld,
    session: Session,
    worker: BrowserWorker,
    screens: Path,
    on_step: Callable[[CheckedStep], None],
) -> Checked:
    steps: list[CheckedStep] = []
    withheld: tuple[str, ...] = ()
    problem = ""
    while session.stop_reason is None:
        observation = session.observe()
        withheld = tuple(line for line in observation.context if line.startswith("withheld"))
        right = world.right_action(session.view.look, observation.actions, session.memory)
        if right is None:
            wanted = world.next_step(session.memory)
            problem = f"the page does not offer the recorded step {wanted}"
            break
        action = observation.actions[right]
        if action.verb in (STOP, HANDOFF):
            break
        path = session.view.look.path
        result = session.take(action)
        picture = screens / f"{len(steps) + 1:02d}.png"
        write_whole(picture, worker.run(session.page.screenshot(), _SHOT_SECONDS))
        text = " ".join(part for part in (action.verb, action.target, action.argument) if part)
        steps.append(CheckedStep(path, text, result.text, len(observation.actions), str(picture)))
        on_step(steps[-1])
    standing = session.standing
    return Checked(
        steps=tuple(steps),
        success=standing.achieved,
        forbidden=bool(standing.violations),
        handoff_due=standing.handoff_due,
        withheld=withheld,
        authentication=world.authentication,
        problem=problem,
    )
