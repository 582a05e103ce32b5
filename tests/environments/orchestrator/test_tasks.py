"""Generated items: every split has every family, and splits share neither templates nor words."""

import re
from itertools import combinations

import pytest

from rlaios_core.environments.orchestrator.tasks import FAMILIES, generate_item
from rlaios_core.environments.orchestrator.tasks.sources import SOURCES
from rlaios_core.environments.orchestrator.tasks.templates import TEMPLATES
from rlaios_core.environments.orchestrator.tasks.wording import BY_SPLIT
from rlaios_core.schema import Split

SPLITS = (Split.TRAIN, Split.HELD_OUT, Split.FINAL)
ROUND = len(FAMILIES)


def test_there_are_at_least_twelve_families() -> None:
    assert len(FAMILIES) >= 12


@pytest.mark.parametrize("split", SPLITS)
def test_every_stretch_of_positions_has_every_family(split: Split) -> None:
    items = [generate_item(split, index, seed=3) for index in range(2 * ROUND)]
    for start in (0, ROUND):
        assert sorted(item.family for item in items[start : start + ROUND]) == sorted(FAMILIES)


@pytest.mark.parametrize(("one", "other"), tuple(combinations(SPLITS, 2)))
def test_splits_share_no_template_no_graph_with_its_nouns_no_module_and_no_phrase(
    one: Split, other: Split
) -> None:
    for named in (
        lambda split: {template.name for template in TEMPLATES[split]},
        lambda split: {template.steps for template in TEMPLATES[split]},
        lambda split: {noun for template in TEMPLATES[split] for noun in template.nouns},
        lambda split: {module.name for module in SOURCES[split]},
        lambda split: {phrase for phrases in BY_SPLIT[split].values() for phrase in phrases},
    ):
        assert not named(one) & named(other)


@pytest.mark.parametrize("split", SPLITS)
def test_every_split_has_words_for_the_same_things(split: Split) -> None:
    assert BY_SPLIT[split].keys() == BY_SPLIT[Split.TRAIN].keys()
    assert all(len(set(phrases)) == len(phrases) >= 2 for phrases in BY_SPLIT[split].values())


def test_equal_positions_equal_items_and_other_seeds_other_items() -> None:
    assert generate_item(Split.TRAIN, 5, 1) == generate_item(Split.TRAIN, 5, 1)
    assert generate_item(Split.TRAIN, 5, 1).identity != generate_item(Split.TRAIN, 5, 2).identity


@pytest.mark.parametrize("split", SPLITS)
def test_nothing_the_student_sees_at_the_start_names_the_family(split: Split) -> None:
    for index in range(ROUND):
        item = generate_item(split, index, seed=4)
        shown = " ".join([item.instruction, *item.intake]).lower()
        words = set(re.findall(r"[a-z]+", shown))
        assert item.family not in shown
        assert not {"flaky", "transient", "permanent", "regression", "protected", "expired"} & words


def test_a_look_alike_begins_with_the_same_words() -> None:
    for index in range(ROUND):
        item = generate_item(Split.TRAIN, index, seed=5)
        for other in item.variants():
            assert (other.instruction, other.intake) == (item.instruction, item.intake)
            assert (other.executors, other.checks, other.budget) == (item.executors, item.checks, item.budget)
            assert other.identity != item.identity


def test_a_split_without_templates_is_refused() -> None:
    with pytest.raises(KeyError):
        generate_item(Split.HELD_OUT_OPERATOR, 0, 0)


@pytest.mark.parametrize("split", SPLITS)
def test_broken_modules_differ_from_correct_ones(split: Split) -> None:
    assert all(module.broken != module.correct for module in SOURCES[split])
