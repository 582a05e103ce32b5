"""The tables of the store. Events are the authority; everything else is an index, a cache or a report."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

VERSION_TABLE = "rlaios_schema"
"""Where Alembic notes the schema's revision; named so that Dagster's may be in the same database."""

metadata = MetaData()


def _word(length: int) -> String:
    """Text that is compared and ordered byte by byte on every database, whatever its locale."""
    return String(length).with_variant(Text(collation="C"), "postgresql")


campaigns = Table(
    "campaigns",
    metadata,
    Column("name", _word(64), primary_key=True),
    Column("settings", Text, nullable=False),
    Column("opened_at", Float, nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("campaign", _word(64), primary_key=True),
    Column("token", _word(200), nullable=False),
    Column("owner", _word(300), nullable=False),
    Column("host", _word(200), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("started", _word(40), nullable=False),
    Column("expires_at", Float, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("event_id", _word(40), primary_key=True),
    Column("campaign", _word(64), nullable=False),
    Column("position", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("type", _word(40), nullable=False),
    Column("payload", Text, nullable=False),
    Column("recorded_at", Float, nullable=False),
    UniqueConstraint("campaign", "position"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("campaign", _word(64), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("digest", _word(64), nullable=False),
)

pointer_moves = Table(
    "pointer_moves",
    metadata,
    Column("move_id", Integer, primary_key=True, autoincrement=True),
    Column("event_id", _word(40), nullable=False),
    Column("campaign", _word(64), nullable=False),
    Column("pointer", _word(20), nullable=False),
    Column("previous", _word(64)),
    Column("checkpoint_id", _word(64)),
    Column("epoch", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("recorded_at", Float, nullable=False),
    Index("pointer_moves_by_campaign", "campaign", "move_id"),
    Index("pointer_moves_by_checkpoint", "campaign", "checkpoint_id"),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("checkpoint_id", _word(64), primary_key=True),
    Column("campaign", _word(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("record", Text, nullable=False),
    Column("pinned", Boolean, nullable=False, default=False),
    Column("file_kept", Boolean, nullable=False, default=True),
    Index("checkpoints_by_campaign", "campaign", "file_kept", "epoch"),
)

epochs = Table(
    "epochs",
    metadata,
    Column("key", _word(80), primary_key=True),
    Column("campaign", _word(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("status", _word(20), nullable=False),
    Column("record", Text, nullable=False),
    UniqueConstraint("campaign", "epoch"),
)

stages = Table(
    "stages",
    metadata,
    Column("key", _word(80), primary_key=True),
    Column("stage", _word(20), primary_key=True),
    Column("part", _word(80), primary_key=True),
    Column("report", Text, nullable=False),
)

files = Table(
    "files",
    metadata,
    Column("path", _word(300), primary_key=True),
    Column("campaign", _word(64), nullable=False),
    Column("digest", _word(64), nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("items", Integer, nullable=False),
)

episodes = Table(
    "episodes",
    metadata,
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
    Column("place", Integer, nullable=False),
    Index(
        "episodes_by_pool", "campaign", "role", "lane", "synthetic", "diversity_key", "random_key", "epoch"
    ),
    Index("episodes_by_epoch", "campaign", "role", "epoch", "environment"),
    Index("episodes_by_batch", "batch_id"),
)

faults = Table(
    "faults",
    metadata,
    Column("fault_id", _word(80), primary_key=True),
    Column("campaign", _word(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("environment", _word(80), nullable=False),
    Column("role", _word(20), nullable=False),
    Column("boundary", _word(20), nullable=False),
    Column("task_id", _word(200), nullable=False),
    Column("record", Text, nullable=False),
    Index("faults_by_epoch", "campaign", "epoch"),
)

comparisons = Table(
    "comparisons",
    metadata,
    Column("campaign", _word(64), primary_key=True),
    Column("epoch", Integer, primary_key=True),
    Column("against", _word(20), primary_key=True),
    Column("repetition", Integer, primary_key=True),
    Column("result", Text, nullable=False),
    Column("pairs", Text, nullable=False),
)

batches = Table(
    "batches",
    metadata,
    Column("batch_id", _word(64), primary_key=True),
    Column("campaign", _word(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("mark", _word(20), nullable=False),
    Column("produced", _word(64)),
    Column("record", Text, nullable=False),
    Index("batches_by_campaign", "campaign", "epoch"),
)

rollbacks = Table(
    "rollbacks",
    metadata,
    Column("rollback_id", _word(64), primary_key=True),
    Column("campaign", _word(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("recorded_at", Float, nullable=False),
    Column("record", Text, nullable=False),
    Index("rollbacks_by_campaign", "campaign", "recorded_at"),
)

held_out = Table(
    "held_out",
    metadata,
    Column("campaign", _word(64), primary_key=True),
    Column("environment", _word(80), primary_key=True),
    Column("arm", _word(80), primary_key=True),
    Column("split", _word(40), primary_key=True),
    Column("checkpoint_id", _word(64), primary_key=True),
    Column("tasks", Integer, primary_key=True),
    Column("recorded_at", Float, nullable=False),
    Column("score", Text, nullable=False),
)
