"""Differences between two configurations."""

from confmerge.paths import delete_path, flatten, set_path


def diff(old, new):
    """Sorted list of (path, kind, value) with kind add, change or drop."""
    before, after = flatten(old), flatten(new)
    steps = []
    for path in sorted(set(before) | set(after)):
        if path not in after:
            steps.append((path, "drop", before[path]))
        elif path not in before:
            steps.append((path, "add", after[path]))
        elif before[path] != after[path]:
            steps.append((path, "change", after[path]))
    return steps


def apply_diff(config, steps):
    result = dict(config)
    for path, kind, value in steps:
        if kind == "drop":
            result = delete_path(result, path)
        else:
            result = set_path(result, path, value)
    return result


def count_kinds(steps):
    counts = {}
    for _, kind, _ in steps:
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def touched_sections(steps, level=1):
    """Distinct path prefixes of the given length, in order of appearance."""
    sections = []
    for path, _, _ in steps:
        section = ".".join(path.split(".")[:level])
        if section not in sections:
            sections.append(section)
    return sections
