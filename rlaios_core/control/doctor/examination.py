"""The examination as a whole: database first, for without it nothing else can be judged."""

from pathlib import Path

from sqlalchemy import Connection, make_url, select

from rlaios_core.control import tables
from rlaios_core.control.artifacts import Artifacts
from rlaios_core.control.checkpoint_files import CheckpointFiles
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.database import make_engine, reading
from rlaios_core.control.database_errors import plain_errors, shown
from rlaios_core.control.doctor.campaign_checks import CampaignChecks
from rlaios_core.control.doctor.database_checks import check_database, check_leases, check_schema
from rlaios_core.control.doctor.file_checks import check_files, check_leftovers, check_temporary_files
from rlaios_core.control.doctor.findings import Check, Diagnosis, Findings
from rlaios_core.control.errors import StoreError
from rlaios_core.control.learner import Learner, StudentLearner
from rlaios_core.control.schema_revision import revision_of
from rlaios_core.control.workspace import Workspace

_RESTORE = "restore the store from a backup"


def examine(workspace: Workspace, learner: Learner | None = None) -> Diagnosis:
    """Examine a store. Raises `StoreError` only for a URL that cannot be used at all."""
    findings, where = Findings(), shown(workspace.database_url)
    artifacts = Artifacts(workspace.artifacts_url)
    with plain_errors(workspace.database_url):
        engine = make_engine(workspace.database_url)
    revision, campaigns = None, tuple[str, ...]()
    try:
        if _missing(workspace.database_url):
            raise StoreError(f"there is no file {where}: {_RESTORE}, or open a campaign to make one")
        with reading(engine) as connection:
            revision = revision_of(connection)
            check_database(connection, where, findings)
            if check_schema(connection, where, findings):
                check_leases(connection, findings)
                campaigns = _check_contents(connection, workspace, artifacts, learner, findings)
    except StoreError as error:
        what, _, mend = str(error).rpartition(": ")
        findings.fault(Check.DATABASE, where, what, mend)
    finally:
        engine.dispose()
    check_temporary_files(workspace, artifacts, findings)
    return Diagnosis(
        store=where,
        artifacts=workspace.artifacts_url,
        revision=revision,
        campaigns=campaigns,
        examined=findings.examined,
        faults=tuple(findings.faults),
    )


def _missing(url: str) -> bool:
    """SQLite would make the file, which an examination must not."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return False
    return not Path(parsed.database).exists()


def _check_contents(
    connection: Connection,
    workspace: Workspace,
    artifacts: Artifacts,
    learner: Learner | None,
    findings: Findings,
) -> tuple[str, ...]:
    files = CheckpointFiles(workspace.checkpoints, artifacts)
    checks = CampaignChecks(
        connection, ControlStateStore(workspace.database_url), files, learner or StudentLearner(), findings
    )
    names = tuple(connection.scalars(select(tables.campaigns.c.name).order_by(tables.campaigns.c.name)))
    for name in names:
        checks.check(name)
    check_files(connection, artifacts, findings)
    check_leftovers(connection, files, findings)
    return names
