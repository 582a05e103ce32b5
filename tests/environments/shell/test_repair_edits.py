"""Splices, their order, and how an edit is named."""

import pytest

from rlaios_core.environments.shell.repair import Edit, RepairTemplate, apply_edit, apply_edits
from rlaios_core.environments.shell.repair.edit import one_line, splice


def edit(start: int, end: int, replacement: str, path: str = "a.py") -> Edit:
    return Edit(path, start, end, replacement, 1, RepairTemplate.CONSTANT, "", "", 0.5)


def test_offsets_are_bytes_not_characters() -> None:
    source = "x = 'ä' + y\n"
    at = source.encode().index(b"y")
    assert apply_edit(source, edit(at, at + 1, "z")) == "x = 'ä' + z\n"


def test_an_edit_outside_the_source_is_refused() -> None:
    with pytest.raises(ValueError, match="outside a source of 3 bytes"):
        splice("abc", 2, 5, "")


def test_edits_are_made_one_after_the_other() -> None:
    made = apply_edits({"a.py": "ab", "b.py": "c"}, [edit(1, 2, "xy"), edit(0, 1, "")])
    assert made == {"a.py": "xy", "b.py": "c"}


def test_equal_splices_have_equal_keys() -> None:
    assert edit(1, 2, "x").key == "a.py:1-2:x"
    assert edit(1, 2, "x").key != edit(1, 2, "x", "b.py").key


def test_what_is_shown_fits_on_one_line() -> None:
    assert one_line("f(\n    a,\n    b)") == "f( a, b)"
    assert len(one_line("x" * 500)) == 120
