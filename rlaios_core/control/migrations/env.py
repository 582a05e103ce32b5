"""Alembic's entry point: runs the revisions on the connection and in the transaction it is given."""

from alembic import context

from rlaios_core.control import tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=tables.metadata,
    version_table=tables.VERSION_TABLE,
)
context.run_migrations()
