"""The first release's tables, which had no revision but a version in `meta`."""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, String, Text, UniqueConstraint

revision = "0001"
down_revision = None


def _word(length: int) -> String:
    return String(length).with_variant(Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make every table and index."""
    op.create_table("meta", Column("name", _word(40), primary_key=True), Column("value", Text))
    op.create_table(
        "campaigns",
        Column("name", _word(64), primary_key=True),
        Column("settings", Text, nullable=False),
        Column("opened_at", Float, nullable=False),
    )
    op.create_table(
        "leases",
        Column("campaign", _word(64), primary_key=True),
        Column("token", _word(200), nullable=False),
        Column("owner", _word(300), nullable=False),
        Column("host", _word(200), nullable=False),
        Column("pid", Integer, nullable=False),
        Column("started", _word(40), nullable=False),
        Column("expires_at", Float, nullable=False),
    )
    op.create_table(
        "events",
        Column("event_id", _word(40), primary_key=True),
        Column("campaign", _word(64), nullable=False),
        Column("position", Integer, nullable=False),
        Column("epoch", Integer, nullable=False),
        Column("type", _word(40), nullable=False),
        Column("payload", Text, nullable=False),
        Column("recorded_at", Float, nullable=False),
        UniqueConstraint("campaign", "position"),
    )
    op.create_table(
        "snapshots",
        Column("campaign", _word(64), primary_key=True),
        Column("position", Integer, nullable=False),
        Column("state", Text, nullable=False),
        Column("digest", _word(64), nullable=False),
    )
    op.create_table(
        "pointer_moves",
        Column("move_id", Integer, primary_key=True, autoincrement=True),
        Column("event_id", _word(40), nullable=False),
        Column("campaign", _word(64), nullable=False),
        Column("pointer", _word(20), nullable=False),
        Column("previous", _word(64)),
        Column("checkpoint_id", _word(64)),
        Column("epoch", Integer, nullable=False),
        Column("reason", Text, nullable=False),
        Column("recorded_at", Float, nullable=False),
    )
    op.create_table(
        "checkpoints",
        Column("checkpoint_id", _word(64), primary_key=True),
        Column("campaign", _word(64), nullable=False),
        Column("epoch", Integer, nullable=False),
        Column("record", Text, nullable=False),
        Column("pinned", Boolean, nullable=False, default=False),
        Column("file_kept", Boolean, nullable=False, default=True),
    )
    op.create_table(
        "epochs",
        Column("key", _word(80), primary_key=True),
        Column("campaign", _word(64), nullable=False),
        Column("epoch", Integer, nullable=False),
        Column("status", _word(20), nullable=False),
        Column("record", Text, nullable=False),
        UniqueConstraint("campaign", "epoch"),
    )
    op.create_table(
        "stages",
        Column("key", _word(80), primary_key=True),
        Column("stage", _word(20), primary_key=True),
        Column("part", _word(80), primary_key=True),
        Column("report", Text, nullable=False),
    )
    op.create_table(
        "files",
        Column("path", _word(300), primary_key=True),
        Column("campaign", _word(64), nullable=False),
        Column("digest", _word(64), nullable=False),
        Column("size_bytes", BigInteger, nullable=False),
        Column("items", Integer, nullable=False),
    )
    op.create_table(
        "episodes",
        Column("episode_id", _word(80), primary_key=True),
        Column("campaign", _word(64), nullable=False),
        Column("epoch", Integer, nullable=False),
        Column("environment", _word(80), nullable=False),
        Column("role", _word(20), nullable=False),
        Column("task_id", _word(200), nullable=False),
        Column("family", _word(200), nullable=False),
        Column("outcome", _word(20), nullable=False),
        Column("success", Boolean, nullable=False),
        Column("synthetic", Boolean, nullable=False),
        Column("lane", _word(20)),
        Column("diversity_key", _word(200), nullable=False, default=""),
        Column("reward", Float, nullable=False),
        Column("pair", Text),
        Column("random_key", BigInteger, nullable=False),
        Column("batch_id", _word(64)),
        Column("path", _word(300), nullable=False),
        Column("offset", BigInteger, nullable=False),
        Column("length", Integer, nullable=False),
    )
    op.create_table(
        "faults",
        Column("fault_id", _word(80), primary_key=True),
        Column("campaign", _word(64), nullable=False),
        Column("epoch", Integer, nullable=False),
        Column("environment", _word(80), nullable=False),
        Column("role", _word(20), nullable=False),
        Column("boundary", _word(20), nullable=False),
        Column("task_id", _word(200), nullable=False),
        Column("record", Text, nullable=False),
    )
    op.create_table(
        "comparisons",
        Column("campaign", _word(64), primary_key=True),
        Column("epoch", Integer, primary_key=True),
        Column("against", _word(20), primary_key=True),
        Column("repetition", Integer, primary_key=True),
        Column("result", Text, nullable=False),
        Column("pairs", Text, nullable=False),
    )
    op.create_table(
        "batches",
        Column("batch_id", _word(64), primary_key=True),
        Column("campaign", _word(64), nullable=False),
        Column("epoch", Integer, nullable=False),
        Column("mark", _word(20), nullable=False),
        Column("produced", _word(64)),
        Column("record", Text, nullable=False),
    )
    op.create_table(
        "rollbacks",
        Column("rollback_id", _word(64), primary_key=True),
        Column("campaign", _word(64), nullable=False),
        Column("epoch", Integer, nullable=False),
        Column("recorded_at", Float, nullable=False),
        Column("record", Text, nullable=False),
    )
    op.create_table(
        "held_out",
        Column("campaign", _word(64), primary_key=True),
        Column("environment", _word(80), primary_key=True),
        Column("arm", _word(80), primary_key=True),
        Column("split", _word(40), primary_key=True),
        Column("checkpoint_id", _word(64), primary_key=True),
        Column("tasks", Integer, primary_key=True),
        Column("recorded_at", Float, nullable=False),
        Column("score", Text, nullable=False),
    )
    op.create_index("pointer_moves_by_campaign", "pointer_moves", ["campaign", "move_id"])
    op.create_index("pointer_moves_by_checkpoint", "pointer_moves", ["campaign", "checkpoint_id"])
    op.create_index("checkpoints_by_campaign", "checkpoints", ["campaign", "file_kept", "epoch"])
    op.create_index(
        "episodes_by_pool",
        "episodes",
        ["campaign", "role", "lane", "synthetic", "diversity_key", "random_key", "epoch"],
    )
    op.create_index("episodes_by_epoch", "episodes", ["campaign", "role", "epoch", "environment"])
    op.create_index("episodes_by_batch", "episodes", ["batch_id"])
    op.create_index("faults_by_epoch", "faults", ["campaign", "epoch"])
    op.create_index("batches_by_campaign", "batches", ["campaign", "epoch"])
    op.create_index("rollbacks_by_campaign", "rollbacks", ["campaign", "recorded_at"])
