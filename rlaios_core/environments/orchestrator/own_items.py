"""A person's own work items from a YAML file: jobs, checks, executors and what must hold at the end.

See docs/orchestrator.md for the format. Everything wrong is refused with one line that says where.
"""

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, ValidationError

from rlaios_core.environments.base import UnavailableError
from rlaios_core.environments.orchestrator.items import (
    Ability,
    Check,
    Criterion,
    Executor,
    Job,
    Need,
    WorkItem,
)
from rlaios_core.environments.orchestrator.tasks.generate import CHECKS, EXECUTORS
from rlaios_core.environments.orchestrator.work.tree import MAX_BYTES, MAX_FILES
from rlaios_core.environments.orchestrator.worlds import world_files
from rlaios_core.schema import Model, Split, derive_seed


class ItemFileError(UnavailableError):
    """A file of work items that cannot be used; one line says where and why."""


class _Command(Model):
    name: str = Field(min_length=1)
    run: str | tuple[str, ...]
    needs: tuple[str, ...] = ()
    environment: dict[str, str] = Field(default_factory=dict)

    def job(self) -> Job:
        return Job(name=self.name, run=_words(self.run), needs=self.needs, environment=self.environment)


class _CheckCommand(Model):
    name: str = Field(min_length=1)
    run: str | tuple[str, ...]
    cost: float = Field(default=0.5, ge=0.0)


class _ExecutorSettings(Model):
    name: str = Field(min_length=1)
    ability: Ability
    cost: float = Field(ge=0.0)
    environment: dict[str, str] = Field(default_factory=dict)


class _Done(Model):
    tests: tuple[str | tuple[str, ...], ...] = ()
    criteria: tuple[Criterion, ...] = ()


class _Item(Model):
    name: str = Field(min_length=1)
    instruction: str = Field(min_length=1)
    split: Literal["train", "held_out", "final"] = "train"
    intake: tuple[str, ...] = ()
    folder: str | None = None
    files: dict[str, str] = Field(default_factory=dict)
    databases: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    service: dict[str, Any] | None = None
    jobs: tuple[_Command, ...] = Field(min_length=1)
    checks: tuple[str, ...] = ()
    executors: tuple[str, ...] = ("local", "dry-run", "subagent", "human")
    done: _Done
    protected: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()
    source: tuple[str, ...] = ()
    budget: float = Field(default=9.0, gt=0.0)
    wall_seconds: float = Field(default=10.0, gt=0.0, le=120.0)


class _File(Model):
    version: Literal[1]
    executors: tuple[_ExecutorSettings, ...] = ()
    checks: tuple[_CheckCommand, ...] = ()
    items: tuple[_Item, ...] = Field(min_length=1)


class OwnItems:
    """The items of a file, by split; positions beyond their number begin again."""

    def __init__(self, path: Path) -> None:
        self._items: dict[Split, list[WorkItem]] = {}
        for split, item in load_items(path):
            self._items.setdefault(split, []).append(item)

    def item(self, split: Split, index: int, seed: int) -> WorkItem:
        """An item of the split; the order goes by seed. Raises `KeyError` for a split without items."""
        items = self._items[split]
        turn, place = divmod(index, len(items))
        order = sorted(range(len(items)), key=lambda i: derive_seed("own items", seed, turn, i))
        return items[order[place]]


def load_items(path: Path) -> list[tuple[Split, WorkItem]]:
    """Every item of a file with its split. Raises `ItemFileError`."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ItemFileError(f"{path}: cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ItemFileError(f"{path}: is no YAML ({' '.join(str(error).split())})") from error
    try:
        file = _File.model_validate(content)
    except ValidationError as error:
        raise ItemFileError(f"{path}: {_where(error, content)}") from error
    names = [item.name for item in file.items]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ItemFileError(f"{path}: two items are called {twice!r}")
    return [(Split(item.split), _work_item(path, file, item)) for item in file.items]


def _work_item(path: Path, file: _File, item: _Item) -> WorkItem:
    where = f"{path}: item {item.name!r}"
    executors = {executor.name: executor for executor in EXECUTORS}
    executors |= {e.name: Executor.model_validate(e.model_dump()) for e in file.executors}
    checks = {check.name: check for check in CHECKS}
    checks |= {c.name: Check(name=c.name, run=_words(c.run), cost=c.cost) for c in file.checks}
    try:
        work = WorkItem(
            name=item.name,
            template=item.name,
            family=item.name,
            instruction=item.instruction,
            intake=item.intake or (f"jobs:{len(item.jobs)} {' '.join(job.name for job in item.jobs)}",),
            files={**_folder(path, item, where), **item.files},
            databases=item.databases,
            service=item.service,
            jobs=tuple(job.job() for job in item.jobs),
            checks=_picked(checks, item.checks or tuple(c.name for c in file.checks), where, "check"),
            executors=_picked(executors, item.executors, where, "executor"),
            expect=item.done.criteria,
            tests=tuple(Job(name=f"test {n}", run=_words(run)) for n, run in enumerate(item.done.tests, 1)),
            needs=item.needs,
            source=item.source,
            budget=item.budget,
            wall_seconds=item.wall_seconds,
            order=derive_seed("own item", item.name) % 2**31,
        )
        return work.model_copy(update={"guards": _guards(work, item.protected, where)})
    except ValidationError as error:
        raise ItemFileError(f"{where}: {error.errors()[0]['msg'].removeprefix('Value error, ')}") from error


def _guards(work: WorkItem, protected: Sequence[str], where: str) -> tuple[Criterion, ...]:
    """One guard for each protected file; an approval at the gate allows its change."""
    files = world_files(work)
    if len(files) > MAX_FILES or sum(map(len, files.values())) > MAX_BYTES:
        raise ItemFileError(f"{where}: more than {MAX_FILES} files or {MAX_BYTES >> 20} MiB")
    missing = [name for name in protected if name not in files]
    if missing:
        raise ItemFileError(f"{where}: protected file {missing[0]!r} is not among its files")
    approvals = [need.id for need in work.needs if need.kind == "approval"]
    return tuple(
        Criterion(
            name=name,
            kind="digest",
            path=name,
            equals=hashlib.sha256(files[name]).hexdigest(),
            need=approvals[0] if approvals else "approval",
        )
        for name in protected
    )


def _folder(path: Path, item: _Item, where: str) -> dict[str, str]:
    if item.folder is None:
        return {}
    folder = (path.parent / item.folder).resolve()
    if not folder.is_dir():
        raise ItemFileError(f"{where}: there is no folder {folder}")
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.is_symlink():
            try:
                found[file.relative_to(folder).as_posix()] = file.read_text(encoding="utf-8")
            except UnicodeDecodeError as error:
                raise ItemFileError(f"{where}: {file} is no UTF-8 text") from error
    return found


def _picked(known: Mapping[str, Any], names: Sequence[str], where: str, kind: str) -> tuple[Any, ...]:
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise ItemFileError(
            f"{where}: there is no {kind} called {unknown!r}; known: {', '.join(sorted(known))}"
        )
    return tuple(known[name] for name in names)


def _words(run: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(shlex.split(run)) if isinstance(run, str) else run


def _where(error: ValidationError, content: object) -> str:
    """The first problem, by item name and field."""
    first = error.errors(include_url=False)[0]
    place = [str(part) for part in first["loc"]]
    if len(place) > 1 and place[0] == "items" and isinstance(content, dict):
        item = content["items"][int(place[1])]
        name = item.get("name") if isinstance(item, dict) else None
        place[:2] = [f"item {name!r}" if name else f"item {int(place[1]) + 1}"]
    problem = {"missing": "is missing", "extra_forbidden": "is not a field that is known here"}
    return f"{': '.join(place) or 'the file'} {problem.get(first['type'], first['msg'])}"
