"""Edits that turn one list of lines into another."""

from collections import namedtuple

from matching import matching_blocks

# lines a_start..a_end of the old text become lines b_start..b_end of the new one
Edit = namedtuple("Edit", "tag a_start a_end b_start b_end")


def tag_for(removed, added):
    if removed and added:
        return "replace"
    return "delete" if removed else "insert"


def edits_between(a, b):
    """Edits that cover both texts from start to end without gaps."""
    edits = []
    i = j = 0
    for start_a, start_b, size in matching_blocks(a, b) + [(len(a), len(b), 0)]:
        if i < start_a or j < start_b:
            edits.append(Edit(tag_for(start_a - i, start_b - j), i, start_a, j, start_b))
        i, j = start_a + size, start_b + size
        if size:
            edits.append(Edit("equal", start_a, i, start_b, j))
    return edits


def invert(edits):
    """Edits for the way back from the new text to the old one."""
    opposite = {"insert": "delete", "delete": "insert"}
    return [
        Edit(opposite.get(edit.tag, edit.tag), edit.b_start, edit.b_end, edit.a_start, edit.a_end)
        for edit in edits
    ]


def apply_edits(edits, a, b):
    """Build the new text; lines of `b` are used only where it differs."""
    result = []
    for tag, a_start, a_end, b_start, b_end in edits:
        result += a[a_start:a_end] if tag == "equal" else b[b_start:b_end]
    return result


def count_changes(edits):
    """Numbers of added and removed lines."""
    changed = [edit for edit in edits if edit.tag != "equal"]
    added = sum(edit.b_end - edit.b_start for edit in changed)
    removed = sum(edit.a_end - edit.a_start for edit in changed)
    return added, removed


def map_line(edits, number):
    """Where an old line index ends up; for a changed line, where the change starts."""
    for edit in edits:
        if edit.a_start <= number < edit.a_end:
            return edit.b_start + (number - edit.a_start if edit.tag == "equal" else 0)
    raise IndexError(f"no line {number}")


def cluster(edits, context):
    """Group the changes that lie at most 2 * context unchanged lines apart."""
    groups = []
    for edit in edits:
        if edit.tag == "equal":
            continue
        if groups and edit.a_start - groups[-1][-1].a_end <= 2 * context:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    return groups
