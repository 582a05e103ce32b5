"""A repair task: a broken project, what its tests say, and the repair that is known to be right."""

from __future__ import annotations

from rlaios_core.environments.shell.repair import Edit, RepairTemplate
from rlaios_core.schema import Model, Split, StoredModel, content_hash

_HASH_LENGTH = 24


class FailingReport(Model):
    """One failing test as the verification reported it; the meaning of each part is the same there."""

    node_id: str
    exception: str
    message: str
    expected: str
    actual: str
    frames: tuple[str, ...]


class InjectedBug(Model):
    """What was broken, and where: for grading and baselines, never for the student."""

    operator: str
    template: RepairTemplate
    path: str
    line: int
    """The line of the repair, which is the one its candidates stand on."""
    function: str


class ReferenceEdit(Model):
    """One edit of the known repair; the parts are those of `Edit`."""

    path: str
    start: int
    end: int
    replacement: str
    line: int
    template: RepairTemplate
    before: str
    after: str

    @property
    def key(self) -> str:
        """The same name an equal `Edit` has."""
        return f"{self.path}:{self.start}-{self.end}:{self.replacement}"

    @classmethod
    def of(cls, edit: Edit) -> ReferenceEdit:
        """The stored form of an edit."""
        return cls(
            path=edit.path,
            start=edit.start,
            end=edit.end,
            replacement=edit.replacement,
            line=edit.line,
            template=edit.template,
            before=edit.before,
            after=edit.after,
        )


class ShellTask(StoredModel):
    """Everything an episode needs, and nothing that depends on the machine except `level`."""

    project: str
    split: Split
    seed: int
    index: int
    variant_seed: int
    family: str
    """The repair template, or two joined by `+`."""
    instruction: str
    files: dict[str, str]
    tests: dict[str, str]
    hidden: dict[str, str]
    baseline: dict[str, str]
    """Outcome of each visible test before any repair."""
    hidden_baseline: dict[str, str]
    """Outcome of each hidden test before any repair."""
    failing: tuple[FailingReport, ...]
    suspicion: dict[str, dict[int, float]]
    """Ochiai's coefficient by path and line, of lines that failing tests run."""
    covered: dict[str, dict[int, tuple[int, int]]]
    """How many failing and passing tests run a line."""
    bugs: tuple[InjectedBug, ...]
    reference: tuple[ReferenceEdit, ...]
    """Ordered from the end of a file to its start, so every span also holds in the files as they are."""
    level: str
    """The isolation the baseline was measured in; no part of the task's identity."""

    @property
    def content_hash(self) -> str:
        """The task's identity: equal content, equal hash."""
        # Not cached on the object: a changed copy would carry the hash of what it was copied from.
        return content_hash(self.model_dump(mode="json", by_alias=True, exclude={"level"}), _HASH_LENGTH)
