"""The known repair as actions: from the start, or from where a student went wrong."""

from collections.abc import Callable, Sequence

from rlaios_core.environments.base import Solution
from rlaios_core.environments.shell.bugs import ShellTask
from rlaios_core.environments.shell.candidates import PATCH, READ, Candidate, read_key, reference_edits
from rlaios_core.environments.shell.session import REVERT, Budgets, Verdict
from rlaios_core.schema import STOP, VERIFY, Action, Episode, Step, derive_seed

_HELPFUL = (Verdict.ALL_PASS, Verdict.IMPROVED)


def recovery(
    task: ShellTask,
    candidates: Callable[[frozenset[str]], list[Candidate]],
    failed: Episode | None,
    budgets: Budgets,
) -> Solution:
    """A solution of the task, starting as the failed episode did up to one of its failed verifications.

    Where it takes over, the start included, is drawn by the episode's id, so that references show every
    stage of an episode. None when the reference's edits are not among the candidates then.
    """
    own = _prefix(failed, budgets.verifications - len(task.reference)) if failed else ()
    opened = {step.action.target for step in own if step.action.verb == READ}
    wanted = {edit.path for edit in task.reference}
    edits = reference_edits(task, candidates(frozenset(opened | wanted)))
    if not edits:
        return Solution()
    undo = [action.key for action in _undo(own)]
    reads = [read_key(path) for path in sorted(wanted - opened)]
    repair = [key for edit in edits for key in (edit, Action(verb=VERIFY).key)]
    keys = (*(step.action.key for step in own), *undo, *reads, *repair, Action(verb=STOP).key)
    if len(keys) > budgets.steps:
        return recovery(task, candidates, None, budgets)
    return Solution(keys, own_steps=len(own))


def _prefix(episode: Episode, verifications: int) -> Sequence[Step]:
    """The episode's steps up to one of its first `verifications` that did not help; maybe none."""
    verified = [at for at, step in enumerate(episode.trajectory) if step.action.verb == VERIFY]
    ends = [0] + [
        at + 1
        for at in verified[:verifications]
        if not episode.trajectory[at].result.text.startswith(_HELPFUL)
    ]
    return episode.trajectory[: ends[derive_seed(episode.episode_id) % len(ends)]]


def _undo(own: Sequence[Step]) -> list[Action]:
    """The reverts that empty the stack of patches, newest first."""
    patches: list[str] = []
    for step in own:
        if step.action.verb == PATCH:
            patches.append(step.action.target)
        elif step.action.verb == REVERT:
            patches.pop()
    return [Action(verb=REVERT, target=target) for target in reversed(patches)]
