"""What `/proc` tells of processes: their state, their parents, and who lives below one."""

from pathlib import Path


def pids() -> list[int]:
    """Ids of all processes; empty where `/proc` does not tell."""
    return [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]


def stat_fields(pid: int) -> list[str] | None:
    """Fields of /proc/PID/stat from the state on (the name before it may hold blanks and brackets).

    None when the process has ended or `/proc` does not tell.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    return text.rpartition(")")[2].split()


def parent(pid: int) -> int | None:
    """Id of a process's parent; none when it has ended or `/proc` does not tell."""
    fields = stat_fields(pid)
    return int(fields[1]) if fields is not None else None


def descendants(root: int) -> list[int]:
    """Process ids below ``root``, parents first, the dead included; empty where `/proc` does not tell.

    Read from each process's parent, not from the threads' lists of children: a thread that ends hands its
    children to another one, and a reader of the lists can come too early for one and too late for the other.
    """
    below: dict[int | None, list[int]] = {}
    for pid in pids():
        below.setdefault(parent(pid), []).append(pid)
    found = list(below.get(root, ()))
    for pid in found:  # grows while we go
        found += below.get(pid, ())
    return found
