"""Tasks and episodes of a campaign: files for their content, an index in the database for finding them.

A file is immutable once written. What is decided later (lane, fused reward, the pair's outcome) lives
in the index and is laid over an episode when it is loaded.
"""

import gzip
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, RowMapping, Select, insert, select, update

from rlaios_core.control import tables
from rlaios_core.control.artifacts import Artifacts, StoredFile
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.database import upsert
from rlaios_core.control.episode_files import Filed, pack, unpack
from rlaios_core.control.episode_files_first import unpack_first
from rlaios_core.control.errors import StoreError
from rlaios_core.schema import Episode, EpisodeFault, Lane, PairOutcome, Task, derive_seed

_EPISODES, _FILES, _FAULTS = tables.episodes, tables.files, tables.faults
_CACHED_FILES = 6


class EpisodeRole(StrEnum):
    """Which side of the work an episode shows."""

    ACTIVE = "active"
    """Played by the active policy: the live data."""
    COUNTERPART = "counterpart"
    """Played by `pre_update_ref` on the same task: only compared with."""
    REFERENCE = "reference"
    """A teacher's solution, executed and verified: imitated."""


@dataclass(frozen=True)
class EpisodeFile:
    """Episodes that are on disk and not yet in the index, in the file's order."""

    stored: StoredFile
    batch: tuple[Filed, ...]


class EpisodeStore:
    """Writes, indexes and loads tasks and episodes of a store."""

    def __init__(self, store: ControlStateStore, artifacts: Artifacts) -> None:
        self._store = store
        self._artifacts = artifacts
        self._cache: OrderedDict[str, dict[int, Episode]] = OrderedDict()

    def write_tasks(self, path: str, tasks: Sequence[Task]) -> StoredFile:
        """Write a file of tasks; `record_file` makes it known."""
        lines = "".join(task.model_dump_json(by_alias=True) + "\n" for task in tasks)
        return self._artifacts.write(path, gzip.compress(lines.encode(), 6, mtime=0), len(tasks))

    def read_tasks(self, path: str) -> list[Task] | None:
        """The tasks of a recorded file; null when none was recorded at `path`."""
        stored = self._stored(path)
        if stored is None:
            return None
        lines = gzip.decompress(self._artifacts.read_stored(stored)).splitlines()
        return [Task.model_validate_json(line) for line in lines]

    def record_file(self, connection: Connection, campaign: str, stored: StoredFile) -> None:
        """Note a written file and its hash."""
        upsert(connection, _FILES, {**stored._asdict(), "campaign": campaign})

    def write_episodes(
        self, path: str, episodes: Mapping[EpisodeRole, Sequence[Episode]]
    ) -> EpisodeFile | None:
        """Write a batch's file, role by role; `record_episodes` makes it known. Null without an episode."""
        batch = tuple(Filed(role.value, episode) for role, played in episodes.items() for episode in played)
        if not batch:
            return None
        stored = self._artifacts.write(path, pack(batch), len(batch))
        self._remember(path, {place: filed.episode for place, filed in enumerate(batch)})
        return EpisodeFile(stored, batch)

    def record_episodes(self, connection: Connection, campaign: str, file: EpisodeFile) -> None:
        """Index a written file's episodes."""
        self.record_file(connection, campaign, file.stored)
        rows = [_index_row(filed, file.stored.path, place) for place, filed in enumerate(file.batch)]
        connection.execute(insert(_EPISODES), rows)

    def record_faults(
        self, connection: Connection, role: EpisodeRole, faults: Iterable[EpisodeFault]
    ) -> None:
        """Note what was recorded instead of episodes."""
        for fault in faults:
            upsert(
                connection,
                _FAULTS,
                {
                    "fault_id": fault.fault_id,
                    "campaign": fault.campaign,
                    "epoch": fault.epoch,
                    "environment": fault.environment,
                    "role": role.value,
                    "boundary": fault.boundary.value,
                    "task_id": fault.task_id,
                    "record": fault.model_dump_json(by_alias=True),
                },
            )

    def of_epoch(
        self, campaign: str, epoch: int, role: EpisodeRole, environment: str | None = None
    ) -> list[Episode]:
        """An epoch's episodes of one role, in the order they were assigned."""
        query = select(_EPISODES).where(
            _EPISODES.c.campaign == campaign,
            _EPISODES.c.role == role.value,
            _EPISODES.c.epoch == epoch,
        )
        if environment is not None:
            query = query.where(_EPISODES.c.environment == environment)
        return self._load(query.order_by(_EPISODES.c.path, _EPISODES.c.place))

    def forget(self, path: str) -> None:
        """Keep a file's episodes in memory no longer: the next reading is of what is stored."""
        self._cache.pop(path, None)

    def by_id(self, episode_ids: Sequence[str]) -> list[Episode]:
        """Episodes in the order of their ids. Raises `StoreError` when one is not there."""
        found: dict[str, Episode] = {}
        for start in range(0, len(episode_ids), 500):
            part = list(episode_ids[start : start + 500])
            query = select(_EPISODES).where(_EPISODES.c.episode_id.in_(part))
            for episode in self._load(query.order_by(_EPISODES.c.path, _EPISODES.c.place)):
                found[episode.episode_id] = episode
        missing = [episode_id for episode_id in episode_ids if episode_id not in found]
        if missing:
            raise StoreError(f"episode {missing[0]} is not in the store: restore it from a backup")
        return [found[episode_id] for episode_id in episode_ids]

    def set_lane(
        self,
        connection: Connection,
        episode_id: str,
        *,
        lane: Lane,
        reward: float,
        diversity_key: str,
        pair: PairOutcome | None,
    ) -> None:
        """Lay the decisions of the routing stage over an episode."""
        connection.execute(
            update(_EPISODES)
            .where(_EPISODES.c.episode_id == episode_id)
            .values(
                lane=lane.value,
                reward=reward,
                diversity_key=diversity_key,
                pair=None if pair is None else pair.model_dump_json(by_alias=True),
            )
        )

    def _load(self, query: Select[Any]) -> list[Episode]:
        with self._store.reading() as connection:
            rows = connection.execute(query).all()
        paths: OrderedDict[str, list[Row[Any]]] = OrderedDict()
        for row in rows:
            paths.setdefault(row.path, []).append(row)
        return [
            _with_decisions(episode, row._mapping)
            for path, wanted in paths.items()
            for episode, row in zip(self._read(path, wanted), wanted, strict=True)
        ]

    def _read(self, path: str, rows: Sequence[Row[Any]]) -> list[Episode]:
        cached = self._cache.get(path, {})
        if all(row.place in cached for row in rows):
            return [cached[row.place] for row in rows]
        stored = self._stored(path)
        if stored is None:
            raise StoreError(f"the file {path} is not recorded in the store: restore the store from a backup")
        content = self._artifacts.read_stored(stored)
        unpacked = unpack_first if path.endswith(".gz") else unpack
        try:
            episodes = unpacked(content, [row.place for row in rows])
        except ValueError as error:
            raise StoreError(
                f"{self._artifacts.where(path)} cannot be read ({error}): use the rlaios that wrote it"
            ) from error
        if len(rows) == stored.items:
            self._remember(path, {row.place: e for row, e in zip(rows, episodes, strict=True)})
        return episodes

    def _stored(self, path: str) -> StoredFile | None:
        with self._store.reading() as connection:
            row = connection.execute(select(_FILES).where(_FILES.c.path == path)).one_or_none()
        return None if row is None else StoredFile(row.path, row.digest, row.size_bytes, row.items)

    def _remember(self, path: str, episodes: dict[int, Episode]) -> None:
        """The files of the epoch under way are read again by its next stages: keep a few."""
        self._cache[path] = episodes
        self._cache.move_to_end(path)
        while len(self._cache) > _CACHED_FILES:
            self._cache.popitem(last=False)


def move_batch(connection: Connection, batch_id: str, lane: Lane) -> int:
    """Send a batch's episodes to another lane, but those that never train; how many moved."""
    moved = connection.execute(
        update(_EPISODES)
        .where(_EPISODES.c.batch_id == batch_id, _EPISODES.c.lane != Lane.DIAGNOSTIC_ONLY.value)
        .values(lane=lane.value)
    )
    return moved.rowcount


def _index_row(filed: Filed, path: str, place: int) -> dict[str, object]:
    episode = filed.episode
    return {
        "episode_id": episode.episode_id,
        "campaign": episode.campaign,
        "epoch": episode.epoch,
        "environment": episode.environment,
        "role": filed.role,
        "task_id": episode.task_id,
        "family": episode.family,
        "outcome": episode.outcome.value,
        "success": episode.success,
        "synthetic": episode.synthetic,
        "lane": None,
        "reward": episode.reward,
        "random_key": derive_seed("replay", episode.episode_id),
        "path": path,
        "place": place,
    }


def _with_decisions(episode: Episode, row: RowMapping) -> Episode:
    pair = row["pair"]
    return episode.model_copy(
        update={
            "lane": None if row["lane"] is None else Lane(row["lane"]),
            "reward": row["reward"],
            "comparison": None if pair is None else PairOutcome.model_validate_json(pair),
        }
    )
