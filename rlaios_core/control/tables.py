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

STORE_VERSION = "1"
"""Written into a new store; another version must be migrated."""

metadata = MetaData()

meta = Table("meta", metadata, Column("name", String(40), primary_key=True), Column("value", Text))

campaigns = Table(
    "campaigns",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("settings", Text, nullable=False),
    Column("opened_at", Float, nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("campaign", String(64), primary_key=True),
    Column("token", String(200), nullable=False),
    Column("owner", String(300), nullable=False),
    Column("host", String(200), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("started", String(40), nullable=False),
    Column("expires_at", Float, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("event_id", String(40), primary_key=True),
    Column("campaign", String(64), nullable=False),
    Column("position", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("type", String(40), nullable=False),
    Column("payload", Text, nullable=False),
    Column("recorded_at", Float, nullable=False),
    UniqueConstraint("campaign", "position"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("campaign", String(64), primary_key=True),
    Column("position", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("digest", String(64), nullable=False),
)

pointer_moves = Table(
    "pointer_moves",
    metadata,
    Column("move_id", Integer, primary_key=True, autoincrement=True),
    Column("event_id", String(40), nullable=False),
    Column("campaign", String(64), nullable=False),
    Column("pointer", String(20), nullable=False),
    Column("previous", String(64)),
    Column("checkpoint_id", String(64)),
    Column("epoch", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("recorded_at", Float, nullable=False),
    Index("pointer_moves_by_campaign", "campaign", "move_id"),
    Index("pointer_moves_by_checkpoint", "campaign", "checkpoint_id"),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("checkpoint_id", String(64), primary_key=True),
    Column("campaign", String(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("record", Text, nullable=False),
    Column("pinned", Boolean, nullable=False, default=False),
    Column("file_kept", Boolean, nullable=False, default=True),
    Index("checkpoints_by_campaign", "campaign", "file_kept", "epoch"),
)

epochs = Table(
    "epochs",
    metadata,
    Column("key", String(80), primary_key=True),
    Column("campaign", String(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("status", String(20), nullable=False),
    Column("record", Text, nullable=False),
    UniqueConstraint("campaign", "epoch"),
)

stages = Table(
    "stages",
    metadata,
    Column("key", String(80), primary_key=True),
    Column("stage", String(20), primary_key=True),
    Column("part", String(80), primary_key=True),
    Column("report", Text, nullable=False),
)

files = Table(
    "files",
    metadata,
    Column("path", String(300), primary_key=True),
    Column("campaign", String(64), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("items", Integer, nullable=False),
)

episodes = Table(
    "episodes",
    metadata,
    Column("episode_id", String(80), primary_key=True),
    Column("campaign", String(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("environment", String(80), nullable=False),
    Column("role", String(20), nullable=False),
    Column("task_id", String(200), nullable=False),
    Column("family", String(200), nullable=False),
    Column("outcome", String(20), nullable=False),
    Column("success", Boolean, nullable=False),
    Column("synthetic", Boolean, nullable=False),
    Column("lane", String(20)),
    Column("diversity_key", String(200), nullable=False, default=""),
    Column("reward", Float, nullable=False),
    Column("pair", Text),
    Column("random_key", BigInteger, nullable=False),
    Column("batch_id", String(64)),
    Column("path", String(300), nullable=False),
    Column("offset", BigInteger, nullable=False),
    Column("length", Integer, nullable=False),
    Index(
        "episodes_by_pool", "campaign", "role", "lane", "synthetic", "diversity_key", "random_key", "epoch"
    ),
    Index("episodes_by_epoch", "campaign", "role", "epoch", "environment"),
    Index("episodes_by_batch", "batch_id"),
)

faults = Table(
    "faults",
    metadata,
    Column("fault_id", String(80), primary_key=True),
    Column("campaign", String(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("environment", String(80), nullable=False),
    Column("role", String(20), nullable=False),
    Column("boundary", String(20), nullable=False),
    Column("task_id", String(200), nullable=False),
    Column("record", Text, nullable=False),
    Index("faults_by_epoch", "campaign", "epoch"),
)

comparisons = Table(
    "comparisons",
    metadata,
    Column("campaign", String(64), primary_key=True),
    Column("epoch", Integer, primary_key=True),
    Column("against", String(20), primary_key=True),
    Column("repetition", Integer, primary_key=True),
    Column("result", Text, nullable=False),
    Column("pairs", Text, nullable=False),
)

batches = Table(
    "batches",
    metadata,
    Column("batch_id", String(64), primary_key=True),
    Column("campaign", String(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("mark", String(20), nullable=False),
    Column("produced", String(64)),
    Column("record", Text, nullable=False),
    Index("batches_by_campaign", "campaign", "epoch"),
)

rollbacks = Table(
    "rollbacks",
    metadata,
    Column("rollback_id", String(64), primary_key=True),
    Column("campaign", String(64), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("recorded_at", Float, nullable=False),
    Column("record", Text, nullable=False),
    Index("rollbacks_by_campaign", "campaign", "recorded_at"),
)

held_out = Table(
    "held_out",
    metadata,
    Column("campaign", String(64), primary_key=True),
    Column("environment", String(80), primary_key=True),
    Column("arm", String(80), primary_key=True),
    Column("split", String(40), primary_key=True),
    Column("checkpoint_id", String(64), primary_key=True),
    Column("tasks", Integer, primary_key=True),
    Column("recorded_at", Float, nullable=False),
    Column("score", Text, nullable=False),
)
