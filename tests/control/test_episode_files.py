import io

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlaios_core.control.episode_files import Filed, pack, unpack
from rlaios_core.schema import Action, Episode, Observation, Step, StepResult, StepStatus
from tests.control.episodes import episode
from tests.schema.test_round_trip import episodes


def filed(episodes: list[Episode]) -> list[Filed]:
    return [Filed("active", episode) for episode in episodes]


def with_64_bits(episode: Episode) -> Episode:
    """The episode with whole numbers that a campaign may have."""
    trajectory = tuple(
        step.model_copy(
            update={
                "observation": step.observation.model_copy(
                    update={"steps_left": step.observation.steps_left % 2**63}
                )
            }
        )
        for step in episode.trajectory
    )
    numbers = {name: getattr(episode, name) % 2**63 for name in ("epoch", "seed", "attempt")}
    return episode.model_copy(update={**numbers, "trajectory": trajectory})


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(st.lists(episodes().map(with_64_bits), max_size=4))
def test_loading_gives_equal_episodes(given_episodes: list[Episode]) -> None:
    content = pack(filed(given_episodes))
    assert unpack(content, range(len(given_episodes))) == given_episodes
    assert unpack(content, range(len(given_episodes) - 1, 0, -1)) == given_episodes[:0:-1]


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


def test_a_file_is_small_and_shares_its_actions() -> None:
    played = [big(number, steps=30, actions=256) for number in range(16)]
    content = pack(filed(played))
    loaded = unpack(content, range(len(played)))
    assert loaded == played
    first = loaded[0].trajectory
    assert first[0].observation.actions[7] is first[9].observation.actions[7]
    numbers = sum(len(step.probabilities) for e in played for step in e.trajectory)
    assert len(content) < 5 * numbers


def test_equal_batches_give_equal_files() -> None:
    first, again = ([big(number, steps=3, actions=8) for number in range(2)] for _ in range(2))
    assert pack(filed(first)) == pack(filed(again))


def test_a_file_is_a_table_for_any_tool() -> None:
    content = pack([Filed("active", episode("a", success=False)), Filed("reference", episode("b"))])
    table = pq.read_table(io.BytesIO(content))
    assert table["episode_id"].to_pylist() == ["a", "b"]
    assert table["role"].to_pylist() == ["active", "reference"]
    assert table["outcome"].to_pylist() == ["failure", "success"]
    assert table["steps"].to_pylist()[0][0]["text"] == "went"
    group = pq.ParquetFile(io.BytesIO(content)).metadata.row_group(0)
    assert {group.column(place).compression for place in range(group.num_columns)} == {"ZSTD"}


def test_a_file_of_another_version_is_refused() -> None:
    table = pq.read_table(io.BytesIO(pack(filed([episode()]))))
    sink = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"rlaios.schema_version": "999"}), sink)
    with pytest.raises(ValueError, match="schema version 999"):
        unpack(sink.getvalue(), [0])
