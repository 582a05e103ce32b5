"""One small replacement in one source file, described for the student."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .templates import RepairTemplate


@dataclass(frozen=True)
class Edit:
    """Replace the bytes `start:end` of `path` (utf-8) by `replacement`."""

    path: str
    start: int
    end: int
    replacement: str
    line: int
    template: RepairTemplate
    before: str
    after: str
    prior: float
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A stable name for the change, equal for equal splices."""
        return f"{self.path}:{self.start}-{self.end}:{self.replacement}"


def splice(source: str, start: int, end: int, replacement: str) -> str:
    """Replace a span of bytes and keep everything else as it is."""
    raw = source.encode("utf-8")
    if not 0 <= start <= end <= len(raw):
        raise ValueError(f"the span {start}-{end} is outside a source of {len(raw)} bytes")
    return (raw[:start] + replacement.encode("utf-8") + raw[end:]).decode("utf-8")


def apply_edit(source: str, edit: Edit) -> str:
    """The source after the edit."""
    return splice(source, edit.start, edit.end, edit.replacement)


def apply_edits(files: Mapping[str, str], edits: Iterable[Edit]) -> dict[str, str]:
    """The files after the edits, each made on the result of the one before."""
    result = dict(files)
    for edit in edits:
        result[edit.path] = apply_edit(result[edit.path], edit)
    return result


def one_line(text: str, limit: int = 120) -> str:
    """The text on one line, cut at the limit."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
