"""Repairing broken projects in an isolated shell: real edits, real tests."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlaios_core.environments.shell.environment import ShellEnvironment


def create(
    workers: int = 2, steps: int = 30, verifications: int = 10, candidates: int = 256
) -> "ShellEnvironment":
    """The shell environment with `workers` verification servers and an episode's budgets.

    Raises `UnavailableError` where no sufficient isolation can be had.
    """
    # Imported here so that the verification server's own processes do not load all of it.
    from rlaios_core.environments.base import UnavailableError
    from rlaios_core.environments.sandbox import SandboxError
    from rlaios_core.environments.shell.environment import ShellEnvironment
    from rlaios_core.environments.shell.session import Budgets
    from rlaios_core.environments.shell.verification import VerificationPool

    budgets = Budgets(steps=steps, verifications=verifications, candidates=candidates)
    try:
        pool = VerificationPool(workers)
    except SandboxError as error:
        raise UnavailableError(str(error)) from error
    return ShellEnvironment(pool, budgets)
