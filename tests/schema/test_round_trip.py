"""Every stored contract survives JSON, in camelCase, and refuses what it does not know."""

import inspect
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from rlaios_core import schema
from rlaios_core.control import reports
from rlaios_core.control import settings as control_settings
from rlaios_core.schema import (
    Action,
    ComparisonResult,
    ComparisonStatus,
    Episode,
    EpochRecord,
    HeldOutScore,
    LiveBatch,
    Model,
    Observation,
    Outcome,
    PairOutcome,
    RelativeOutcome,
    RollbackRecord,
    Step,
    StepResult,
    StoredModel,
)

UNIT = st.floats(-1.0, 1.0)
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=2) | st.dictionaries(st.text(max_size=5), children, max_size=2)
    ),
    max_leaves=4,
)
PAYLOAD = st.dictionaries(st.text(max_size=5), JSON, max_size=2)
ACTIONS = st.builds(Action, verb=st.text(min_size=1, max_size=8), payload=st.none() | PAYLOAD)
OBSERVATIONS = st.builds(Observation, actions=st.lists(ACTIONS, min_size=1, max_size=3).map(tuple))


@st.composite
def steps(draw: st.DrawFn) -> Step:
    observation = draw(OBSERVATIONS)
    count = len(observation.actions)
    return Step(
        observation=observation,
        chosen=draw(st.integers(0, count - 1)),
        log_probability=draw(st.floats(-50.0, 0.0)),
        probabilities=tuple(draw(st.lists(st.floats(0, 1), min_size=count, max_size=count))),
        value=draw(UNIT),
        result=draw(st.builds(StepResult)),
        duration_seconds=draw(st.floats(0, 1e6)),
    )


@st.composite
def pairs(draw: st.DrawFn) -> PairOutcome:
    both = draw(st.booleans())
    return PairOutcome(
        task_id=draw(st.text(max_size=5)),
        environment="e",
        family="f",
        active_score=draw(UNIT) if both else None,
        reference_score=draw(UNIT),
        relative=draw(st.sampled_from(RelativeOutcome)) if both else None,
    )


@st.composite
def comparisons(draw: st.DrawFn) -> ComparisonResult:
    failed = draw(st.booleans())
    status = ComparisonStatus.COMPARISON_FAILED if failed else ComparisonStatus.COMPLETED
    outcome = None if failed else draw(st.sampled_from(RelativeOutcome))
    found: ComparisonResult = draw(
        st.builds(
            ComparisonResult,
            schemaVersion=st.just(schema.SCHEMA_VERSION),
            status=st.just(status),
            relativeOutcome=st.just(outcome),
        )
    )
    return found


@st.composite
def episodes(draw: st.DrawFn) -> Episode:
    outcome = draw(st.sampled_from(Outcome))
    low, high = {
        Outcome.SUCCESS: (0.01, 1.0),
        Outcome.FAILURE: (-1.0, 0.0),
    }.get(outcome, (-1.0, 1.0))
    found: Episode = draw(
        st.builds(
            Episode,
            schemaVersion=st.just(schema.SCHEMA_VERSION),
            trajectory=st.lists(steps(), max_size=3).map(tuple),
            outcome=st.just(outcome),
            terminalReward=st.floats(low, high),
            comparison=st.none() | pairs(),
        )
    )
    return found


st.register_type_strategy(Action, ACTIONS)
st.register_type_strategy(Observation, OBSERVATIONS)
st.register_type_strategy(Step, steps())
st.register_type_strategy(PairOutcome, pairs())
st.register_type_strategy(ComparisonResult, comparisons())
st.register_type_strategy(Episode, episodes())
st.register_type_strategy(
    LiveBatch,
    st.builds(
        LiveBatch,
        schemaVersion=st.just(schema.SCHEMA_VERSION),
        epoch=st.integers(1, 999),
        episodeIds=st.lists(st.text(max_size=8), min_size=1, unique=True, max_size=4).map(tuple),
    ),
)


COUNTS = st.dictionaries(st.text(max_size=5), st.floats(0, 1), max_size=2)
for record, free in (
    (EpochRecord, {"seconds": COUNTS}),
    (RollbackRecord, {"diagnosis": COUNTS}),
):
    version = st.just(schema.SCHEMA_VERSION)
    st.register_type_strategy(record, st.builds(record, schemaVersion=version, **free))
st.register_type_strategy(
    HeldOutScore,
    st.builds(HeldOutScore, successAt=COUNTS, byFamily=st.just({"f": (1, 2)})),
)


def models() -> list[type[Model]]:
    found = {
        item
        for module in (schema, reports, control_settings)
        for _, item in inspect.getmembers(module, inspect.isclass)
        if issubclass(item, Model) and item not in (Model, StoredModel)
    }
    return sorted(found - {control_settings.CampaignSettings}, key=lambda model: model.__name__)


REGISTERED = (
    Action,
    ComparisonResult,
    EpochRecord,
    Episode,
    HeldOutScore,
    LiveBatch,
    Observation,
    PairOutcome,
    RollbackRecord,
    Step,
)


def values(model: type[Model]) -> st.SearchStrategy[Any]:
    if model in REGISTERED:
        return st.from_type(model)
    fixed = {"schemaVersion": st.just(schema.SCHEMA_VERSION)} if issubclass(model, StoredModel) else {}
    free = {
        name: PAYLOAD
        for name in ("payload", "settings")
        if name in model.model_fields and model is not Action
    }
    return st.builds(model, **fixed, **free)


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_json_gives_the_record_back(model: type[Model]) -> None:
    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(values(model))
    def check(record: Model) -> None:
        data = record.to_json()
        assert model.model_validate_json(json.dumps(data)) == record
        assert not [name for name in data if "_" in name]

    check()


def test_a_campaigns_settings_survive_json() -> None:
    record = control_settings.CampaignSettings(
        name="alpha", environment_options={"shell": {"maxSteps": 5}}, epochs=3
    )
    assert control_settings.CampaignSettings.model_validate_json(json.dumps(record.to_json())) == record


def test_an_episode_reads_as_outside_readers_expect() -> None:
    fields = {field.alias for field in Episode.model_fields.values()}
    expected = "episodeId environment taskId trajectory outcome reward teacherSignal comparison"
    assert set(expected.split()) <= fields


def test_unknown_fields_numbers_that_are_none_and_other_versions_are_refused() -> None:
    with pytest.raises(ValidationError, match="extra"):
        Action.model_validate({"verb": "go", "colour": "red"})
    with pytest.raises(ValidationError, match="finite"):
        PairOutcome(task_id="t", environment="e", family="f", active_score=float("nan"))
    with pytest.raises(ValidationError, match="schema version 99"):
        LiveBatch(
            schema_version=99, batch_id="b", campaign="a", epoch=1, checkpoint_id="c", episode_ids=("e",)
        )


def test_records_do_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Action(verb="go").verb = "stop"  # type: ignore[misc]


def test_an_observation_is_never_empty_of_actions() -> None:
    with pytest.raises(ValidationError, match="at least 1"):
        Observation(instruction="x", actions=(), steps_left=1)


def test_seeds_depend_on_position_alone() -> None:
    assert schema.derive_seed("a", 1, "b") == schema.derive_seed("a", 1, "b")
    assert schema.derive_seed("a", 1, "b") != schema.derive_seed("a", "1", "b")
    assert all(0 <= schema.derive_seed(i) < 2**63 for i in range(100))
