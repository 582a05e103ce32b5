"""What the caller asks for, checked before any process sees it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

_STEERING_NAMES = {
    "conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "setup.cfg", "tox.ini",
    "pyproject.toml", "sitecustomize.py", "usercustomize.py",
}  # fmt: skip
_STEERING_SUFFIXES = (".pth", ".pyc", ".egg-link")


def workspace_of(files: Mapping[str, str], tests: Mapping[str, str]) -> dict[str, str]:
    """The tree a run starts from: the project's files, then the tests over them.

    Files that would steer the grader (pytest or interpreter configuration) are dropped from ``files``. Raises
    ValueError for a path that could leave the workspace, for one that is both a file and a folder, and when
    there is no test file.
    """
    tree = {path: text for path, text in files.items() if not _steers(_checked(path))}
    tree |= {_checked(path): text for path, text in tests.items()}
    if not any(path.endswith(".py") for path in tests):
        raise ValueError("nothing to verify: no Python file among the tests")
    folders = {str(parent) for path in tree for parent in PurePosixPath(path).parents}
    clash = folders & tree.keys()
    if clash:
        raise ValueError(f"{min(clash)} is both a file and a folder")
    return tree


def _steers(path: str) -> bool:
    name = PurePosixPath(path).name.lower()
    return name in _STEERING_NAMES or name.endswith(_STEERING_SUFFIXES)


def _checked(path: str) -> str:
    parts = path.split("/")
    if "\0" in path or "\\" in path or any(part in {"", ".", ".."} for part in parts) or len(path) > 300:
        raise ValueError(f"not a relative path inside the workspace: {path!r}")
    return path
