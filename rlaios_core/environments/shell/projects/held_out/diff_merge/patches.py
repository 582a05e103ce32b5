"""Writing differences as a patch with context, and applying patches.

A patch is a list of lines. Each hunk has a header such as "@@ -3,2 +3,4 @@"
followed by lines that start with " ", "-" or "+".
"""

import re

from edits import cluster, edits_between

_HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class PatchError(Exception):
    pass


def format_range(start, length):
    """Line range of a header; lines count from 1 and a length of 1 is left out."""
    if length == 0:
        return f"{start},0"
    return f"{start + 1}" if length == 1 else f"{start + 1},{length}"


def parse_range(first, length):
    """The (start, length) pair that format_range was given."""
    size = 1 if length is None else int(length)
    return (int(first) - 1 if size > 0 else int(first)), size


def hunk_body(group, a, b, context):
    """The prefixed lines of one group of changes."""
    position = max(group[0].a_start - context, 0)
    lines = []
    for edit in group:
        lines += [" " + line for line in a[position:edit.a_start]]
        lines += ["-" + line for line in a[edit.a_start:edit.a_end]]
        lines += ["+" + line for line in b[edit.b_start:edit.b_end]]
        position = edit.a_end
    return lines + [" " + line for line in a[position:position + context]]


def old_lines(body):
    return [line[1:] for line in body if line[0] in " -"]


def new_lines(body):
    return [line[1:] for line in body if line[0] in " +"]


def make_patch(a, b, context=3):
    """Patch that turns `a` into `b`; empty when they are equal."""
    patch = []
    for group in cluster(edits_between(a, b), context):
        body = hunk_body(group, a, b, context)
        lead = min(group[0].a_start, context)
        old = format_range(group[0].a_start - lead, len(old_lines(body)))
        new = format_range(group[0].b_start - lead, len(new_lines(body)))
        patch += [f"@@ -{old} +{new} @@", *body]
    return patch


def split_hunks(patch):
    """Hunks as (old start, new start, body), with the lengths checked."""
    hunks = []
    for line in patch:
        header = _HEADER.fullmatch(line)
        if header:
            old, new = parse_range(*header.groups()[:2]), parse_range(*header.groups()[2:])
            hunks.append((old, new, []))
        elif not hunks or line[:1] not in (" ", "-", "+"):
            raise PatchError(f"unexpected line: {line}")
        else:
            hunks[-1][2].append(line)
    for old, new, body in hunks:
        if len(old_lines(body)) != old[1] or len(new_lines(body)) != new[1]:
            raise PatchError("hunk length does not fit its header")
    return [(old[0], new[0], body) for old, new, body in hunks]


def apply_patch(lines, patch):
    """Apply a patch; every context and removed line must be where it says."""
    result = []
    position = 0
    for start, _, body in split_hunks(patch):
        expected = old_lines(body)
        end = start + len(expected)
        if start < position or lines[start:end] != expected:
            raise PatchError(f"hunk at line {start + 1} does not apply")
        result += lines[position:start] + new_lines(body)
        position = end
    return result + lines[position:]


def reverse_patch(patch):
    """The patch that undoes a patch."""
    swapped = {"-": "+", "+": "-", " ": " "}
    result = []
    for line in patch:
        header = _HEADER.fullmatch(line)
        if header:
            old, new = line[3:-3].split()
            result.append(f"@@ -{new[1:]} +{old[1:]} @@")
        else:
            result.append(swapped[line[0]] + line[1:])
    return result
