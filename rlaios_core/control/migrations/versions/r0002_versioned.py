"""The version in `meta` gives way to Alembic's own table."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Drop `meta`: it held nothing else."""
    op.drop_table("meta")
