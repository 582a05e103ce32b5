"""The project templates the bugs are put into, read from the package's folders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rlaios_core.environments.shell.syntax import parse

from .errors import BenchmarkError

PROJECTS = Path(__file__).resolve().parent.parent / "projects"
"""Where the templates are: `train/`, `held_out/` and `final/`, one folder for each project."""

FOLDERS = ("train", "held_out", "final")
_REINSTALL = "restore it from the repository or reinstall rlaios"


@dataclass(frozen=True)
class Project:
    """One project: what it is, its sources, the tests the student may run and the hidden ones."""

    name: str
    split: str
    description: str
    files: Mapping[str, str]
    tests: Mapping[str, str]
    hidden: Mapping[str, str]


def load_project(folder: Path) -> Project:
    """Read one project folder."""
    described = folder / "project.json"
    try:
        data = json.loads(described.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BenchmarkError(f"{described} is missing: {_REINSTALL}") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BenchmarkError(f"{described} cannot be read ({error}): {_REINSTALL}") from error
    if not isinstance(data, dict) or not all(
        isinstance(data.get(key), str) for key in ("name", "description")
    ):
        raise BenchmarkError(
            f"{described} must be an object with the texts `name` and `description`: {_REINSTALL}"
        )
    files: dict[str, dict[str, str]] = {"files": {}, "tests": {}, "hidden": {}}
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        if "__pycache__" in relative.parts:
            continue
        part = relative.parts[0] if relative.parts[0] in ("tests", "hidden") else "files"
        files[part][relative.as_posix()] = _source(path)
    for part, meaning in (("files", "module"), ("tests", "test in tests/"), ("hidden", "test in hidden/")):
        if not files[part]:
            raise BenchmarkError(f"{folder} has no {meaning}: {_REINSTALL}")
    return Project(
        name=data["name"], split=folder.parent.name, description=data["description"],
        files=files["files"], tests=files["tests"], hidden=files["hidden"],
    )  # fmt: skip


def _source(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8")
        parse(text)
    except (OSError, UnicodeDecodeError, SyntaxError, ValueError) as error:
        raise BenchmarkError(f"{path} cannot be read as Python ({error}): {_REINSTALL}") from error
    return text


def load_projects(split: str, root: Path = PROJECTS) -> tuple[Project, ...]:
    """Every project of a folder (`train`, `held_out` or `final`), by name."""
    folder = root / split
    if not folder.is_dir():
        raise BenchmarkError(f"{folder} is missing: {_REINSTALL}")
    found = tuple(
        load_project(path)
        for path in sorted(folder.iterdir())
        if path.is_dir() and not path.name.startswith(("_", "."))
    )
    if not found:
        raise BenchmarkError(f"{folder} holds no project: {_REINSTALL}")
    return found


@lru_cache(maxsize=8)
def bundled_projects(split: str) -> tuple[Project, ...]:
    """The projects that come with the package, read once."""
    return load_projects(split)
