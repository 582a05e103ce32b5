"""Control decisions of an agent orchestrator: really carried out, judged by the world they leave behind."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlaios_core.environments.orchestrator.environment import OrchestratorEnvironment
    from rlaios_core.schema import Policy


def create(
    workers: int = 2, steps: int = 12, items: str | None = None, subagent: "Policy | None" = None
) -> "OrchestratorEnvironment":
    """The orchestrator environment with `workers` work servers and at most `steps` decisions per episode.

    `items`: a YAML file with work items of one's own, instead of the generated ones. `subagent`: who repairs
    code for the sub-agent, any policy that plays shell episodes (default: the scripted one). Raises
    `UnavailableError` where no sufficient isolation can be had, and for a file that cannot be used.
    """
    # Imported here so that the work server's own processes do not load all of it.
    from pathlib import Path

    from rlaios_core.environments.base import UnavailableError
    from rlaios_core.environments.orchestrator.environment import OrchestratorEnvironment
    from rlaios_core.environments.orchestrator.own_items import OwnItems
    from rlaios_core.environments.orchestrator.process_harness import ProcessHarness
    from rlaios_core.environments.orchestrator.repairing import Repairer
    from rlaios_core.environments.orchestrator.sources import GeneratedItems
    from rlaios_core.environments.orchestrator.work.client import WorkPool
    from rlaios_core.environments.sandbox import SandboxError

    source = GeneratedItems() if items is None else OwnItems(Path(items))
    try:
        pool = WorkPool(workers)
    except SandboxError as error:
        raise UnavailableError(str(error)) from error
    repairer = Repairer(subagent)

    def close() -> None:
        pool.close()
        repairer.close()

    return OrchestratorEnvironment(
        lambda: ProcessHarness(pool, repairer),
        source,
        steps=steps,
        level=str(pool.level),
        on_close=close,
    )
