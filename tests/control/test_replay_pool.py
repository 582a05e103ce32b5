import pytest
from sqlalchemy import insert, text

from rlaios_core.control import ReplaySettings, tables
from rlaios_core.control.control_state_store import ControlStateStore
from rlaios_core.control.database import on_postgresql
from rlaios_core.control.replay_pool import Pool, RoundContext, admitted, draw, newest_references, route
from rlaios_core.environments import ReplayCandidate
from rlaios_core.schema import (
    Episode,
    Lane,
    PairOutcome,
    RelativeOutcome,
    TeacherSignal,
    TeacherTrigger,
    derive_seed,
)
from tests.control.episodes import episode

SETTINGS = ReplaySettings()
FIT = ReplayCandidate(True, "", "kind")
COMPARED = RoundContext(compared=True, failed=False)


def pair(relative: RelativeOutcome) -> PairOutcome:
    scores = {RelativeOutcome.BETTER: (1, 0), RelativeOutcome.SAME: (1, 1), RelativeOutcome.WORSE: (0, 1)}
    active, reference = scores[relative]
    return PairOutcome(
        task_id="t",
        environment="fake",
        family="f",
        active_score=active,
        reference_score=reference,
        relative=relative,
    )


def judged(confidence: float, trigger: TeacherTrigger = TeacherTrigger.BOUNDARY) -> Episode:
    return episode(teacher_trigger=trigger, teacher_signal=TeacherSignal(teacher="t", confidence=confidence))


BETTER, SAME, WORSE = (pair(relative) for relative in RelativeOutcome)


@pytest.mark.parametrize(
    ("played", "outcome", "candidate", "context", "lane"),
    [
        (episode(), BETTER, FIT, COMPARED, Lane.POSITIVE),
        (episode(), SAME, FIT, COMPARED, Lane.NEUTRAL),
        (episode(), WORSE, FIT, COMPARED, Lane.NEGATIVE),
        (episode(), None, FIT, COMPARED, Lane.DIAGNOSTIC_ONLY),
        (episode(), None, FIT, RoundContext(compared=False, failed=False), Lane.NEUTRAL),
        (episode(), BETTER, FIT, RoundContext(compared=True, failed=True), Lane.DIAGNOSTIC_ONLY),
        (episode(safety_violation=True), BETTER, FIT, COMPARED, Lane.DIAGNOSTIC_ONLY),
        (episode(), BETTER, ReplayCandidate(False, "empty", ""), COMPARED, Lane.DIAGNOSTIC_ONLY),
        (judged(0.4), BETTER, FIT, COMPARED, Lane.DIAGNOSTIC_ONLY),
        (judged(0.5), BETTER, FIT, COMPARED, Lane.POSITIVE),
        (judged(0.1, TeacherTrigger.FAILURE), WORSE, FIT, COMPARED, Lane.NEGATIVE),
    ],
)
def test_routing(
    played: Episode,
    outcome: PairOutcome | None,
    candidate: ReplayCandidate,
    context: RoundContext,
    lane: Lane,
) -> None:
    routed = route(played, outcome, candidate, context, SETTINGS)
    assert routed.lane is lane
    assert routed.reason


def test_what_a_live_batch_admits() -> None:
    kept = [lane for lane in Lane if admitted(lane, SETTINGS)]
    assert kept == [Lane.POSITIVE, Lane.NEUTRAL, Lane.NEGATIVE]
    strict = ReplaySettings(learn_from_worse=False)
    assert [lane for lane in Lane if admitted(lane, strict)] == [Lane.POSITIVE, Lane.NEUTRAL]
    assert not admitted(None, SETTINGS)


@pytest.fixture
def store(database_url: str) -> ControlStateStore:
    return ControlStateStore(database_url)


def fill(store: ControlStateStore, kind: str, count: int, **changes: object) -> None:
    rows = []
    for number in range(count):
        episode_id = f"{kind}-{changes.get('epoch', 1)}-{changes.get('role', 'active')}-{number}"
        rows.append(
            {
                "episode_id": episode_id,
                "campaign": "alpha",
                "epoch": 1,
                "environment": "fake",
                "role": "active",
                "task_id": episode_id,
                "family": kind,
                "outcome": "success",
                "success": True,
                "synthetic": True,
                "lane": Lane.NEUTRAL.value,
                "diversity_key": kind,
                "reward": 1.0,
                "random_key": derive_seed("replay", episode_id),
                "path": "p",
                "place": number,
                **changes,
            }
        )
    with store.engine.begin() as connection:
        connection.execute(insert(tables.episodes), rows)


def drawn(
    store: ControlStateStore,
    count: int,
    *,
    seed: int = 1,
    since: int = 1,
    settings: ReplaySettings = SETTINGS,
) -> list[str]:
    with store.reading() as connection:
        return draw(connection, Pool("alpha", Lane.NEUTRAL, since, 9), count, seed, settings)


def test_rare_kinds_come_first_and_none_twice(store: ControlStateStore) -> None:
    fill(store, "common", 40)
    fill(store, "rare", 2)
    fill(store, "single", 1)
    chosen = drawn(store, 7)
    assert len(set(chosen)) == 7
    assert [name.split("-")[0] for name in chosen[:3]] == ["single", "rare", "common"]
    assert sum(name.startswith("rare") for name in chosen) == 2
    assert len(drawn(store, 100)) == 43


def test_a_draw_depends_on_its_seed_alone(store: ControlStateStore) -> None:
    fill(store, "common", 40)
    assert drawn(store, 5, seed=3) == drawn(store, 5, seed=3)
    assert len({tuple(drawn(store, 5, seed=seed)) for seed in range(8)}) > 4
    assert drawn(store, 0) == []


def test_old_epochs_and_other_lanes_are_left_out(store: ControlStateStore) -> None:
    fill(store, "old", 5, epoch=1)
    fill(store, "new", 5, epoch=4)
    fill(store, "worse", 5, lane=Lane.NEGATIVE.value)
    fill(store, "other", 5, role="counterpart")
    assert {name.split("-")[0] for name in drawn(store, 50, since=3)} == {"new"}
    assert {name.split("-")[0] for name in drawn(store, 50)} == {"old", "new"}


def test_real_tasks_have_their_share_when_there_are_enough(store: ControlStateStore) -> None:
    fill(store, "generated", 50)
    fill(store, "real", 19, synthetic=False)
    assert not any(name.startswith("real") for name in drawn(store, 10))
    fill(store, "real", 11, synthetic=False, epoch=2)
    chosen = drawn(store, 10)
    assert sum(name.startswith("real") for name in chosen) == 6
    assert len(set(chosen)) == 10


def test_one_pool_fills_what_the_other_lacks(store: ControlStateStore) -> None:
    fill(store, "generated", 2)
    fill(store, "real", 30, synthetic=False)
    chosen = drawn(store, 10)
    assert sum(name.startswith("real") for name in chosen) == 8
    assert len(chosen) == 10


def test_references_come_newest_first_and_bounded(store: ControlStateStore) -> None:
    for epoch in (1, 2, 3):
        fill(store, "r", 3, role="reference", epoch=epoch)
    with store.reading() as connection:
        found = newest_references(connection, "alpha", 3, 4)
    assert [name.split("-")[1] for name in found] == ["2", "2", "2", "1"]


def test_sampling_uses_the_index(store: ControlStateStore) -> None:
    fill(store, "common", 10)
    statement = (
        "SELECT episode_id FROM episodes WHERE campaign='alpha' AND role='active' AND lane='neutral' "
        "AND synthetic AND diversity_key='common' AND random_key>=5 ORDER BY random_key"
    )
    with store.reading() as connection:
        if on_postgresql(connection):
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            connection.execute(text("SET LOCAL enable_bitmapscan = off"))
            statement = f"EXPLAIN {statement}"
        else:
            statement = f"EXPLAIN QUERY PLAN {statement.replace('synthetic', 'synthetic=1')}"
        plan = " ".join(str(row) for row in connection.execute(text(statement)))
    assert "episodes_by_pool" in plan
    assert "SCAN" not in plan
    assert "TEMP B-TREE" not in plan
    assert "Sort" not in plan
