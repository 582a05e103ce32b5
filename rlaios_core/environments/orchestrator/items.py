"""A work item: everything one episode of orchestration needs, as data.

What the student may see are the instruction, the intake lines and the menu; the rest is the world and how
its end is judged.
"""

from enum import StrEnum
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from rlaios_core.schema import Model, StoredModel, content_hash


class Ability(StrEnum):
    """What an executor can do."""

    PLAIN = "plain"
    """Runs the jobs."""
    CAPABLE = "capable"
    """Runs the jobs, and mends what stands in their way where it can."""
    PREVIEW = "preview"
    """Shows what the jobs would change, and changes nothing."""
    PERSON = "person"
    """Decides what only a person may."""


class Job(Model):
    """One job: a command line, run when the jobs it needs have ended well."""

    name: str = Field(min_length=1)
    run: tuple[str, ...] = Field(min_length=1)
    needs: tuple[str, ...] = ()
    environment: dict[str, str] = Field(default_factory=dict)


class Check(Model):
    """One preflight check: a command that looks at the real state."""

    name: str = Field(min_length=1)
    run: tuple[str, ...] = Field(min_length=1)
    cost: float = Field(default=0.5, ge=0.0)


class Executor(Model):
    """One place to dispatch to; `cost` is per dispatch, in units of the item's budget."""

    name: str = Field(min_length=1)
    ability: Ability
    cost: float = Field(ge=0.0)
    environment: dict[str, str] = Field(default_factory=dict)


class Need(Model):
    """Something only a person can settle; `gate`: the person at the gate may, else it takes its owner."""

    id: str
    kind: Literal["approval", "credential", "hold", "access"]
    subject: str = ""
    gate: bool = False


class Criterion(Model):
    """Something measurable of the world and what it must be equal to; kinds: see the `judge` program."""

    name: str
    kind: Literal["file", "digest", "archive", "lines", "rows", "collection"]
    path: str
    query: str = ""
    entry: str = ""
    equals: Any
    need: str = ""
    """For a guard: the need whose settling allows the change."""


class WorkItem(StoredModel):
    """A job graph in a world, with its menu, its budget and how its end is judged."""

    name: str = Field(min_length=1)
    template: str
    family: str
    instruction: str
    intake: tuple[str, ...] = ()
    files: dict[str, str]
    databases: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Statements that make each database, by path."""
    archives: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Members of each zip archive, by path."""
    service: dict[str, Any] | None = None
    jobs: tuple[Job, ...] = Field(min_length=1)
    checks: tuple[Check, ...] = ()
    executors: tuple[Executor, ...] = Field(min_length=1)
    expect: tuple[Criterion, ...] = ()
    tests: tuple[Job, ...] = ()
    """Commands that must end well at the end, beside the criteria."""
    guards: tuple[Criterion, ...] = ()
    needs: tuple[Need, ...] = ()
    budget: float = Field(gt=0.0)
    verify_cost: float = Field(default=0.5, ge=0.0)
    source: tuple[str, ...] = ()
    """Files that a capable executor may repair."""
    wall_seconds: float = Field(default=20.0, gt=0.0, le=120.0)
    """Bound of one program; generous, for on a busy machine a bound that bites would be evidence of that."""
    look_alikes: tuple[dict[str, Any], ...] = ()
    """Other worlds with the same beginning, as changed fields: what the item might be for all one knows."""
    order: int = Field(default=0, ge=0)
    """Seed of the order in which actions are offered."""

    @model_validator(mode="after")
    def _graph_is_sound(self) -> Self:
        self.ordered_jobs()
        if not (self.expect or self.tests):
            raise ValueError("nothing says when the work is done: give it a criterion or a test")
        for kind, names in (
            ("check", [check.name for check in self.checks]),
            ("executor", [executor.name for executor in self.executors]),
        ):
            if len(set(names)) != len(names):
                raise ValueError(f"each {kind} is named once")
        return self

    @property
    def identity(self) -> str:
        """Hash of everything: equal content, equal identity."""
        return content_hash(self.to_json(), 24)

    def ordered_jobs(self) -> tuple[Job, ...]:
        """The jobs so that each comes after what it needs. Raises `ValueError` for a cycle."""
        waiting = {job.name: job for job in self.jobs}
        if len(waiting) < len(self.jobs):
            raise ValueError("each job is named once")
        for job in self.jobs:
            for needed in job.needs:
                if needed not in waiting:
                    raise ValueError(f"job {job.name!r} needs {needed!r}, which is not a job")
        done: list[Job] = []
        while waiting:
            names = {job.name for job in done}
            ready = [job for job in waiting.values() if names.issuperset(job.needs)]
            if not ready:
                raise ValueError(f"the jobs {', '.join(sorted(waiting))} need each other in a circle")
            done += ready
            for job in ready:
                del waiting[job.name]
        return tuple(done)

    def variants(self) -> tuple["WorkItem", ...]:
        """The look-alikes as items of their own."""
        return tuple(self.model_copy(update=self._typed(change)) for change in self.look_alikes)

    def _typed(self, change: dict[str, Any]) -> dict[str, Any]:
        whole = type(self).model_validate({**self.model_dump(), **change, "look_alikes": ()})
        return {name: getattr(whole, name) for name in (*change, "look_alikes")}
