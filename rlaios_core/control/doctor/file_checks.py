"""Files: those that are recorded, and those that nothing knows."""

import re
from pathlib import Path

from sqlalchemy import Connection, func, select

from rlaios_core.control import tables
from rlaios_core.control.artifacts import Artifacts, StoredFile
from rlaios_core.control.checkpoint_files import FOLDER, CheckpointFiles
from rlaios_core.control.doctor.findings import Check, Findings
from rlaios_core.control.errors import StoreError
from rlaios_core.control.workspace import Workspace
from rlaios_core.processes import process_start
from rlaios_core.schema import CheckpointRecord, EpochStatus

_TEMPORARY = re.compile(r"^\..+\.(?P<pid>\d+)\.tmp$")
_RESTORE = "restore the store from a backup"


def check_files(connection: Connection, artifacts: Artifacts, findings: Findings) -> None:
    """Recorded files are what was recorded, and the index has as many episodes of each as it holds."""
    files, episodes = tables.files, tables.episodes
    counts = connection.execute(select(episodes.c.path, func.count()).group_by(episodes.c.path))
    indexed: dict[str, int] = {row[0]: row[1] for row in counts}
    for row in connection.execute(select(files).order_by(files.c.path)).all():
        findings.count(Check.FILES)
        stored = StoredFile(row.path, row.digest, row.size_bytes, row.items)
        try:
            artifacts.read_stored(stored)
        except StoreError as error:
            what, _, mend = str(error).rpartition(": ")
            findings.fault(Check.FILES, row.path, what, mend)
        number = indexed.pop(row.path, None)
        if number is not None and number != row.items:
            what = f"holds {row.items} episodes, {number} are indexed"
            findings.fault(Check.FILES, row.path, what, _RESTORE)
        elif number is None and not row.path.endswith(".tasks.gz"):
            findings.fault(Check.FILES, row.path, "holds episodes, none is indexed", _RESTORE)
    for path, number in sorted(indexed.items()):
        findings.fault(Check.FILES, path, f"is not recorded, {number} episodes in it are indexed", _RESTORE)


def check_leftovers(connection: Connection, files: CheckpointFiles, findings: Findings) -> None:
    """Files that a killed process left. Those of an epoch under way are its own, and are used again."""
    epochs, checkpoints = tables.epochs, tables.checkpoints
    open_keys = set(connection.scalars(select(epochs.c.key).where(epochs.c.status == EpochStatus.OPEN.value)))
    recorded = set(connection.scalars(select(tables.files.c.path)))
    for path in files.artifacts.below("episodes"):
        findings.count(Check.LEFTOVERS)
        if path not in recorded and not open_keys & set(Path(path).parts) and not _temporary(path):
            findings.fault(Check.LEFTOVERS, path, "is not recorded", f"remove {files.artifacts.where(path)}")
    kept: dict[str, bool] = {}
    owners: dict[str, str] = {}
    for row in connection.execute(select(checkpoints)):
        key = files.key(CheckpointRecord.model_validate_json(row.record))
        kept[key], owners[key] = row.file_kept, row.campaign
    for path in files.artifacts.below(FOLDER):
        findings.count(Check.LEFTOVERS)
        if path in kept and not kept[path]:
            what = "was given up by retention and is still there"
            findings.fault(Check.LEFTOVERS, path, what, f"rlaios prune --campaign {owners[path]}")
        elif path not in kept and not open_keys and not _temporary(path):
            findings.fault(Check.LEFTOVERS, path, "is not recorded", f"remove {files.artifacts.where(path)}")


def check_temporary_files(workspace: Workspace, artifacts: Artifacts, findings: Findings) -> None:
    """Files that were being written by a process that is gone."""
    roots = {workspace.root}
    if artifacts.local:
        roots.add(Path(artifacts.where("")))
    for path in sorted({path for root in roots for path in root.rglob(".*.tmp")}):
        found = _TEMPORARY.match(path.name)
        if found is not None and process_start(int(found["pid"])) is None:
            what = f"was being written by process {found['pid']}, which is gone"
            findings.fault(Check.LEFTOVERS, str(path), what, f"remove {path}")


def _temporary(path: str) -> bool:
    return _TEMPORARY.match(Path(path).name) is not None
