"""The launch form: what it offers, what it gives, and what it refuses in one line."""

from typing import Any

import dagster as dg
import pytest
from dagster_shared.serdes import serialize_value

from rlaios_core.control import CampaignSettings
from rlaios_core.environments import registry
from rlaios_pipeline import launch_form as form
from rlaios_pipeline.launch_form import CampaignForm, LaunchRefusedError
from tests.pipeline.conftest import Deck


def test_an_empty_form_gives_the_defaults_of_the_core() -> None:
    assert CampaignForm().settings() == CampaignSettings(name="alpha")


def test_settings_survive_the_form() -> None:
    settings = CampaignSettings.model_validate(
        {
            "name": "beta",
            "seed": 3,
            "epochs": 2,
            "ppo": {"learning_rate": 0.0, "value_clip": 0.3},
            "comparison": {"margin": 0.1, "guard_alpha": 0.04},
            "student": {"width": 32},
            "environment_options": {"shell": {"folder": "x"}},
        }
    )
    assert CampaignForm.of(settings).settings() == settings


@pytest.mark.parametrize("section", [form.ComparisonSection, form.PpoSection, form.TeacherSection])
def test_the_sections_are_typed_as_the_core_is(section: type[dg.Config]) -> None:
    group = next(name for name, known in form._GROUPS.items() if known is section)
    core = type(getattr(CampaignSettings(name="alpha"), group))
    for name, field in section.model_fields.items():
        assert (field.annotation, field.default) == (
            core.model_fields[name].annotation,
            core.model_fields[name].default,
        )
        assert field.description


def test_the_launchpad_shows_sections_choices_and_bounds(definitions: dg.Definitions) -> None:
    job = definitions.resolve_job_def("open_campaign")
    snapshot = serialize_value(job.get_config_schema_snapshot())
    for words in ("learning_rate", "confirmation_pairs", "episodes_per_epoch", "at most 1"):
        assert words in snapshot
    assert all(name in snapshot for name in registry.names())


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"ppo": {"learning_rate": 5.0}}, "ppo.learning_rate: Input should be less than or equal to 1"),
        ({"comparison": {"alpha_worse": 0.0}}, "comparison.alpha_worse: Input should be greater than 0"),
        ({"name": "Big One"}, "name: String should match"),
        ({"budget": {"epochs": 0}}, "epochs: Input should be greater than or equal to 1"),
        ({"settings_json": "{"}, "settings_json: is not JSON"),
        ({"settings_json": "[]"}, "settings_json: must be a JSON object"),
        ({"settings_json": '{"wings": 2}'}, "wings: there is no such setting"),
        ({"settings_json": '{"ppo": {"clip": 0.1}}'}, "ppo.clip has a field of its own in the form"),
        ({"settings_json": '{"epochs": 3}'}, "epochs has a field of its own in the form"),
        ({"settings_json": '{"ppo": 3}'}, "ppo must be a group of settings"),
        ({"environments": ["shell", "shell"]}, "each environment is named once"),
    ],
)
def test_a_bad_value_is_refused_in_one_line_before_there_is_a_run(
    deck: Deck, values: dict[str, Any], line: str
) -> None:
    before = deck.instance.get_runs_count()
    with pytest.raises(LaunchRefusedError) as refused:
        launch(deck, values)
    assert line in str(refused.value)
    assert "\n" not in str(refused.value)
    assert deck.instance.get_runs_count() == before
    assert deck.controller.campaigns() == ["alpha"]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"wings": 2}, 'unexpected config entry "wings"'),
        ({"ppo": {"learning_rate": "fast"}}, "ppo:learning_rate"),
        ({"environments": ["moon"]}, "not in enum type EnvironmentName got moon"),
    ],
)
def test_a_wrong_name_or_type_is_refused_as_it_is_typed(
    deck: Deck, values: dict[str, Any], words: str
) -> None:
    with pytest.raises(dg.DagsterInvalidConfigError, match=words):
        launch(deck, values)


def launch(deck: Deck, values: dict[str, Any]) -> None:
    deck.definitions.resolve_job_def("open_campaign").execute_in_process(
        instance=deck.instance, run_config=values
    )
