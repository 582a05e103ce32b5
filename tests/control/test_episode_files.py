import gzip
import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlaios_core.control import StoreError
from rlaios_core.control.episode_files import pack, unpack
from rlaios_core.control.whole_files import read_whole, write_whole
from rlaios_core.schema import Action, Episode, Observation, Step, StepResult, StepStatus
from tests.control.episodes import episode
from tests.schema.test_round_trip import episodes


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(st.lists(episodes(), max_size=4))
def test_loading_gives_equal_episodes(given_episodes: list[Episode]) -> None:
    packed = pack(given_episodes)
    assert unpack(packed.content, packed.places) == given_episodes
    assert unpack(packed.content, packed.places[1:2]) == given_episodes[1:2]


def big(number: int, *, steps: int, actions: int) -> Episode:
    rng = np.random.default_rng(number)
    shared = tuple(
        Action(verb="patch", target=f"m.py:{i}", argument=f"a{i} => b{i} of {number}", payload={"i": i})
        for i in range(actions)
    )
    trajectory = tuple(
        Step(
            observation=Observation(
                instruction=f"repair {number}",
                context=tuple(f"line {k}" for k in range(t)),
                actions=shared,
                steps_left=steps - t,
            ),
            chosen=t % actions,
            log_probability=-1.25,
            probabilities=tuple(rng.dirichlet(np.ones(actions)).astype("f4").tolist()),
            value=0.1,
            result=StepResult(status=StepStatus.OK, text=f"result {t}"),
            duration_seconds=0.5,
        )
        for t in range(steps)
    )
    return episode(f"ep-{number}", trajectory=trajectory)


def test_a_file_is_small_quick_and_shares_its_actions() -> None:
    played = [big(number, steps=30, actions=256) for number in range(16)]
    started = time.process_time()
    packed = pack(played)
    loaded = unpack(packed.content, packed.places)
    seconds = time.process_time() - started
    assert loaded == played
    first = loaded[0].trajectory
    assert first[0].observation.actions[7] is first[9].observation.actions[7]
    numbers = sum(len(step.probabilities) for e in played for step in e.trajectory)
    assert len(packed.content) < 6 * numbers
    assert seconds < 3.0


def test_a_file_reads_as_compressed_json_lines() -> None:
    lines = gzip.decompress(pack([episode("a"), episode("b")]).content).splitlines()
    assert [json.loads(line)["episode"]["episodeId"] for line in lines[1:]] == ["a", "b"]
    assert json.loads(lines[0])["strings"]


def test_whole_files_are_verified(tmp_path: Path) -> None:
    stored = write_whole(tmp_path, "a/b.gz", b"content", 1)
    assert read_whole(tmp_path, stored) == b"content"
    assert not list(tmp_path.rglob("*.tmp"))
    (tmp_path / "a/b.gz").write_bytes(b"contenT")
    with pytest.raises(StoreError, match=r"b\.gz is corrupt"):
        read_whole(tmp_path, stored)
    (tmp_path / "a/b.gz").unlink()
    with pytest.raises(StoreError, match="restore the file"):
        read_whole(tmp_path, stored)


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file where a folder should be")
    with pytest.raises(StoreError, match="cannot write"):
        write_whole(tmp_path, "a/b.gz", b"content", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
