"""Source trees as edits against the files at the start."""

from collections.abc import Mapping, Sequence

from rlaios_core.environments.shell.repair import Edit
from rlaios_core.schema import content_hash


def tree_files(files: Mapping[str, str], edits: Sequence[Edit]) -> dict[str, str]:
    """The files with edits in place, whose spans all refer to `files` and do not overlap."""
    result = {path: text.encode() for path, text in files.items()}
    for edit in sorted(edits, key=lambda e: -e.start):
        source = result[edit.path]
        result[edit.path] = source[: edit.start] + edit.replacement.encode() + source[edit.end :]
    return {path: content.decode() for path, content in result.items()}


def overlap(first: Edit, second: Edit) -> bool:
    """Whether both cannot be in place together: one line, or spans that touch."""
    if first.path != second.path:
        return False
    return first.line == second.line or (first.start <= second.end and second.start <= first.end)


def tree_hash(files: Mapping[str, str]) -> str:
    """Hash of all files' names and contents."""
    return content_hash(dict(files), 24)
