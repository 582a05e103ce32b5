"""The database itself: its own integrity check, its schema, its leases."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, select, text

from rlaios_core.control import tables
from rlaios_core.control.database import now, on_postgresql
from rlaios_core.control.doctor.findings import Check, Findings
from rlaios_core.control.schema_revision import known_revisions, newest_revision, revision_of
from rlaios_core.processes import died, this_process

_RESTORE = "restore the store from a backup"


def check_database(connection: Connection, where: str, findings: Findings) -> None:
    """SQLite: `PRAGMA integrity_check`. PostgreSQL: every row read, and indexes by amcheck if installed."""
    if not on_postgresql(connection):
        findings.count(Check.DATABASE)
        for line in connection.scalars(text("PRAGMA integrity_check(20)")):
            if line != "ok":
                findings.fault(Check.DATABASE, where, " ".join(str(line).split()), _RESTORE)
        return
    there = set(inspect(connection).get_table_names())
    for name in sorted(there & set(tables.metadata.tables)):
        # The whole row as text: that reads what is stored out of line as well.
        connection.execute(text(f"SELECT max(length(whole::text)) FROM {name} AS whole")).one()
        findings.count(Check.DATABASE)
    if connection.scalar(text("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'")):
        query = "SELECT bt_index_check(indexrelid, true) FROM pg_index WHERE indrelid = to_regclass(:name)"
        for name in sorted(there & set(tables.metadata.tables)):
            connection.execute(text(query), {"name": name})


def check_schema(connection: Connection, where: str, findings: Findings) -> bool:
    """Whether the schema is this program's, so that the rest can be examined."""
    findings.count(Check.SCHEMA)
    revision = revision_of(connection)
    if revision is None:
        findings.fault(
            Check.SCHEMA, where, "holds no store", f"{_RESTORE}, or open a campaign to make a new one"
        )
    elif revision not in known_revisions():
        what = f"has revision {revision}, this program knows {newest_revision()} and older"
        findings.fault(Check.SCHEMA, where, what, "update rlaios")
    elif revision != newest_revision():
        what = f"has revision {revision}, this program's is {newest_revision()}"
        findings.fault(Check.SCHEMA, where, what, "back it up, then `rlaios status` brings it up")
    else:
        return _complete(connection, where, findings)
    return False


def _complete(connection: Connection, where: str, findings: Findings) -> bool:
    options = {"version_table": tables.VERSION_TABLE}
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    lacking = sorted(set(tables.metadata.tables) - there)
    for name in lacking:
        findings.fault(Check.SCHEMA, where, f"lacks the table {name}", _RESTORE)
    if lacking:
        return False
    context = MigrationContext.configure(connection, opts=options)
    for difference in compare_metadata(context, tables.metadata):
        kind, thing = difference[0], difference[-1]
        if str(kind) == "remove_table":
            continue  # another program's table
        findings.fault(Check.SCHEMA, where, f"differs from its revision ({kind} {thing})", _RESTORE)
    return True


def check_leases(connection: Connection, findings: Findings) -> None:
    """A lease that outlived its owner does no harm, but says that a process was killed."""
    here, moment = this_process().host, now(connection)
    for row in connection.execute(select(tables.leases)):
        findings.count(Check.LEASES)
        gone = died(row.host, row.pid, row.started, here)
        if gone or row.expires_at < moment:
            why = "is gone" if gone else "gave no sign of life since its lease expired"
            findings.fault(
                Check.LEASES,
                f"campaign {row.campaign}",
                f"is held by {row.owner}, which {why}",
                "start the campaign again: the next writer takes the lease over",
            )
