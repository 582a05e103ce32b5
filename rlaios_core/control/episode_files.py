"""Episodes on disk: one Parquet file per batch, columns compressed with zstd, read by any tool for tables.

A row is an episode. What it shares with others is kept once: texts by Parquet's dictionaries, actions by
number (`trajectory_columns`). What has no fixed shape (evidence, payloads) is JSON.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from rlaios_core.control.trajectory_columns import PROBABILITIES, TEXTS, trajectories, trajectory_columns
from rlaios_core.schema import SCHEMA_VERSION, Episode

_VERSION = b"rlaios.schema_version"
_ZSTD_LEVEL = 3
_DICTIONARY_BYTES = 16 << 20
"""More than the texts of a large batch, so that repeated ones stay numbers."""
_COLUMNS = {
    "episode_id": pa.string(),
    "campaign": pa.string(),
    "epoch": pa.int64(),
    "environment": pa.string(),
    "task_id": pa.string(),
    "family": pa.string(),
    "split": pa.string(),
    "seed": pa.int64(),
    "attempt": pa.int64(),
    "checkpoint_id": pa.string(),
    "outcome": pa.string(),
    "stop_reason": pa.string(),
    "terminal_reward": pa.float64(),
    "reward": pa.float64(),
    "teacher_trigger": pa.string(),
    "lane": pa.string(),
    "safety_violation": pa.bool_(),
    "synthetic": pa.bool_(),
    "duration_seconds": pa.float64(),
}
_JSON_COLUMNS = ("teacher_signal", "comparison", "evidence", "artifacts")


class Filed(NamedTuple):
    """An episode and the side of the work it shows, such as `active`."""

    role: str
    episode: Episode


def pack(batch: Sequence[Filed]) -> bytes:
    """The content of a file with the batch's episodes in this order.

    Whole numbers must fit 64 bits, as a campaign's do; raises `OverflowError` otherwise.
    """
    episodes = [filed.episode for filed in batch]
    rows = [episode.model_dump(mode="json", exclude={"trajectory"}) for episode in episodes]
    columns = {
        "role": pa.array([filed.role for filed in batch], pa.string()),
        **{name: pa.array([row[name] for row in rows], kind) for name, kind in _COLUMNS.items()},
        **{name: pa.array([_json(row[name]) for row in rows], pa.string()) for name in _JSON_COLUMNS},
        **trajectory_columns(episodes),
    }
    sink = pa.BufferOutputStream()
    pq.write_table(
        pa.table(columns).replace_schema_metadata({_VERSION: str(SCHEMA_VERSION)}),
        sink,
        compression="zstd",
        compression_level=_ZSTD_LEVEL,
        use_dictionary=["role", *_COLUMNS, *_JSON_COLUMNS, *TEXTS],
        column_encoding={PROBABILITIES: "BYTE_STREAM_SPLIT"},
        dictionary_pagesize_limit=_DICTIONARY_BYTES,
    )
    content: bytes = sink.getvalue().to_pybytes()
    return content


def unpack(content: bytes, places: Sequence[int]) -> list[Episode]:
    """The episodes at `places` of a verified file's content; equal actions are one object.

    Raises `ValueError` for a file of another schema version.
    """
    table = pq.read_table(pa.BufferReader(content), use_threads=False)
    version = (table.schema.metadata or {}).get(_VERSION, b"none").decode()
    if version != str(SCHEMA_VERSION):
        raise ValueError(f"episodes of schema version {version}, not {SCHEMA_VERSION}")
    wanted = table.take(pa.array(places, pa.int64()))
    played = trajectories(*(_one(wanted[name]) for name in ("actions", "steps")))
    rows = wanted.select([*_COLUMNS, *_JSON_COLUMNS]).to_pylist()
    return [
        Episode.model_validate({**_parsed(row), "trajectory": ()}).model_copy(update={"trajectory": steps})
        for row, steps in zip(rows, played, strict=True)
    ]


def _one(column: pa.ChunkedArray) -> pa.Array:
    """The column's values in one piece."""
    return pa.concat_arrays([pa.array([], column.type), *column.chunks])


def _json(value: object) -> str | None:
    return None if value is None else json.dumps(value, allow_nan=False)


def _parsed(row: dict[str, Any]) -> dict[str, Any]:
    nested = {name: json.loads(row[name]) for name in _JSON_COLUMNS if row[name] is not None}
    return {**row, **dict.fromkeys(_JSON_COLUMNS), **nested}
