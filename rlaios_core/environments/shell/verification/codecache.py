"""Compiled code kept between runs: a file that has not changed need not be compiled again.

Test files are compiled by the server, with pytest's assertion rewriting, before the fork: they come from the
task. Project files are compiled by the server only after a run has survived them, because a hostile text
could take the compiler down, and then it must be the run that dies.
"""

from __future__ import annotations

import importlib.machinery
import sys
import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

_ENTRIES = 512
_LARGEST_CHARACTERS = 200_000


class CodeCache:
    """Code of workspace files by (path, text), least recently used dropped first."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], Any] = OrderedDict()

    def get(self, path: str, text: str) -> Any:
        """What `put` stored for this very text, or None."""
        entry = self._known.get((path, text))
        if entry is not None:
            self._known.move_to_end((path, text))
        return entry

    def put(self, path: str, text: str, entry: Any) -> None:
        """Remember ``entry``."""
        self._known[path, text] = entry
        while len(self._known) > _ENTRIES:
            self._known.popitem(last=False)


class ProjectCode:
    """Serves cached code to imports from the workspace."""

    def __init__(self) -> None:
        self._cache = CodeCache()
        self.current: dict[str, tuple[bytes, CodeType]] = {}

    def offer(self, workspace: str, sources: Mapping[str, str]) -> None:
        """Choose the code this run may use."""
        self.current = {}
        for path, text in sources.items():
            code = self._cache.get(path, text)
            if code is not None:
                self.current[f"{workspace}/{path}"] = (text.encode("utf-8", "surrogatepass"), code)

    def learn(self, workspace: str, sources: Mapping[str, str]) -> None:
        """Compile what a run has survived."""
        for path, text in sources.items():
            if (
                not path.endswith(".py")
                or len(text) > _LARGEST_CHARACTERS
                or self._cache.get(path, text) is not None
            ):
                continue
            try:
                with warnings.catch_warnings(action="ignore"):
                    code = compile(text.encode(), f"{workspace}/{path}", "exec", dont_inherit=True)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            self._cache.put(path, text, code)

    def install(self, workspace: str) -> None:
        """Let imports from the workspace look here first."""
        project = self

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname: str) -> CodeType | None:
                known = project.current.get(self.path)
                # Tested code may have rewritten the file since.
                if known is not None and self.get_data(self.path) == known[0]:
                    return known[1]
                return super().get_code(fullname)

        finder = importlib.machinery.FileFinder.path_hook((Loader, importlib.machinery.SOURCE_SUFFIXES))

        def only_workspace(path: str) -> Any:
            if path != workspace and not path.startswith(f"{workspace}/"):
                raise ImportError
            return finder(path)

        sys.path_hooks.insert(0, only_workspace)


class TestCode:
    """Test files with rewritten assertions, made by pytest's own rewriter."""

    __test__ = False

    def __init__(self) -> None:
        self._cache = CodeCache()
        self._current: dict[str, Any] = {}
        self._rewrite: Callable[[Path, Any], Any] | None = None

    def install(self) -> None:
        """Hook into pytest's rewriter; without that (it is private) files are just rewritten in every run."""
        from _pytest.assertion import rewrite

        original = getattr(rewrite, "_rewrite_test", None)
        if original is None:
            return
        self._rewrite = original

        def rewritten(path: Path, config: Any) -> Any:
            return self._current.get(str(path)) or original(path, config)

        rewrite._rewrite_test = rewritten  # type: ignore[assignment]

    def offer(self, workspace: str, tests: Mapping[str, str], config: Any) -> None:
        """Rewrite what is new and choose the code this run uses; the files must be in the workspace."""
        self._current = {}
        if self._rewrite is None:
            return
        for path, text in tests.items():
            if not path.endswith(".py"):
                continue
            entry = self._cache.get(path, text)
            if entry is None:
                try:
                    with warnings.catch_warnings(action="ignore"):
                        entry = self._rewrite(Path(workspace, path), config)
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    continue  # the run reports it as a file that cannot be collected
                self._cache.put(path, text, entry)
            self._current[f"{workspace}/{path}"] = entry
