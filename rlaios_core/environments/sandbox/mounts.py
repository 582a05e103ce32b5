"""A private file tree: the interpreter, its libraries and one workspace; no other file exists."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rlaios_core.environments.sandbox import syscalls
from rlaios_core.environments.sandbox.levels import SandboxError

_NOSUID, _NODEV, _REC, _PRIVATE = 2, 4, 1 << 14, 1 << 18
_AT_FDCWD = -100
_RECURSIVE = 0x8000
_CLONE_TREE = 0x1 | 0x80000 | _RECURSIVE
_FROM_DESCRIPTOR = 0x4
_ATTR_READ_ONLY, _ATTR_NOSUID, _ATTR_NODEV = 0x1, 0x2, 0x4
_STAGE = "/tmp"


def _clone(path: str) -> int:
    return syscalls.syscall(
        syscalls.SYS_OPEN_TREE, _AT_FDCWD, os.fsencode(path), _CLONE_TREE, what=f"open tree {path}"
    )


def _attach(tree: int, target: str) -> None:
    syscalls.syscall(
        syscalls.SYS_MOVE_MOUNT, tree, b"", _AT_FDCWD, os.fsencode(target), _FROM_DESCRIPTOR,
        what=f"attach {target}",
    )  # fmt: skip
    os.close(tree)


def _restrict(target: str, attributes: int, depth: int = _RECURSIVE) -> None:
    wanted = struct.pack("=QQQQ", attributes, 0, 0, 0)
    syscalls.syscall(
        syscalls.SYS_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(target), depth, wanted, len(wanted),
        what=f"restrict {target}",
    )  # fmt: skip


@dataclass(frozen=True)
class _Tree:
    """A detached copy of one mount, waiting to be attached somewhere."""

    descriptor: int
    folder: bool

    @classmethod
    def of(cls, path: str) -> _Tree:
        return cls(_clone(path), Path(path).is_dir())

    def attach(self, target: Path, attributes: int | None = None) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        if self.folder:
            target.mkdir(exist_ok=True)
        else:
            target.touch()
        _attach(self.descriptor, str(target))
        if attributes is not None:
            _restrict(str(target), attributes)


def _outermost(paths: Iterable[str]) -> list[str]:
    """Drop paths that lie below another one: they come along with it."""
    every = sorted(set(paths))
    return [path for path in every if not any(path.startswith(f"{other}/") for other in every)]


def make_private() -> None:
    """Keep every later mount of this process from the rest of the machine."""
    syscalls.mount("none", "/", None, _REC | _PRIVATE)


def enter_private_tree(
    readable: tuple[str, ...], devices: tuple[str, ...], box: str, box_bytes: int, owner: int
) -> None:
    """Replace the root directory by one holding ``readable`` (read only), ``devices`` and an empty ``box``.

    ``box`` is a memory file system of ``box_bytes`` owned by user ``owner``; it vanishes with the process.
    """
    make_private()
    links = {path: Path(path).readlink() for path in readable if Path(path).is_symlink()}
    kept = _outermost(path for path in readable if path not in links and Path(path).exists())
    trees = {path: _Tree.of(path) for path in kept}
    nodes = {path: _Tree.of(path) for path in devices if Path(path).exists()}
    syscalls.mount("rlaios", _STAGE, "tmpfs", _NOSUID | _NODEV, "mode=0755,size=1m")
    root = Path(_STAGE)
    for path, tree in trees.items():
        tree.attach(root / path.lstrip("/"), _ATTR_NOSUID | _ATTR_NODEV | _ATTR_READ_ONLY)
    for path, tree in nodes.items():
        tree.attach(root / path.lstrip("/"), _ATTR_NOSUID)
    for path, destination in links.items():
        (root / path.lstrip("/")).symlink_to(destination)
    target = root / box.lstrip("/")
    target.mkdir()
    options = f"mode=0700,size={box_bytes},nr_inodes=20000,uid={owner},gid={owner}"
    syscalls.mount("rlaios", str(target), "tmpfs", _NOSUID | _NODEV, options)
    os.chdir(_STAGE)
    # The old root is stacked under the new one and taken away: no path leads to it any more.
    syscalls.syscall(syscalls.SYS_PIVOT_ROOT, b".", b".", what="pivot root")
    syscalls.detach(".")
    os.chdir("/")
    _restrict("/", _ATTR_READ_ONLY, depth=0)


def open_way(blocked: dict[str, list[str]]) -> None:
    """Make paths behind directories that other users may not enter reachable, in this process's view only.

    Each such directory is covered by an empty one that holds nothing but those paths.
    """
    try:
        syscalls.unshare(syscalls.CLONE_NEWNS)
        make_private()
        for directory, paths in blocked.items():
            trees = {path: _Tree.of(path) for path in _outermost(paths)}
            syscalls.mount("rlaios", directory, "tmpfs", _NOSUID | _NODEV, "mode=0755,size=1m")
            for path, tree in trees.items():
                tree.attach(Path(path))
    except OSError as error:
        names = ", ".join(sorted(blocked))
        raise SandboxError(
            f"the sandbox runs as an unprivileged user, who may not enter {names}, "
            f"where this Python is; run `chmod o+x {names}` or move project and Python elsewhere ({error})"
        ) from error
