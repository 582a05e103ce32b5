"""An episode's place in its file is its row, in files of the first release the rank of its byte offset."""

from alembic import op
from sqlalchemy import Column, Integer, text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Replace offset and length by place."""
    op.add_column("episodes", Column("place", Integer, nullable=True))
    op.execute(
        text(
            "UPDATE episodes SET place = ranked.place FROM (SELECT episode_id, "
            'row_number() OVER (PARTITION BY path ORDER BY "offset") - 1 AS place FROM episodes) AS ranked '
            "WHERE ranked.episode_id = episodes.episode_id"
        )
    )
    with op.batch_alter_table("episodes") as episodes:
        episodes.alter_column("place", existing_type=Integer(), nullable=False)
        episodes.drop_column("offset")
        episodes.drop_column("length")
