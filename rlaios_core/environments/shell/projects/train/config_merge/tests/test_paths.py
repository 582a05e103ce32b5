import pytest

from confmerge.paths import (
    delete_path, depth, flatten, get_path, set_path, split_path, unflatten)


def test_split_path_strips_blanks():
    assert split_path(" a . b.c ") == ["a", "b", "c"]


def test_split_path_rejects_empty_key():
    with pytest.raises(ValueError):
        split_path("a..b")


def test_get_path_nested():
    assert get_path({"a": {"b": {"c": 7}}}, "a.b.c") == 7


def test_get_path_missing_key_gives_default():
    assert get_path({"a": {"b": 1}}, "a.x", 9) == 9
    assert get_path({"a": 1}, "z") is None
    assert get_path({"a": 5}, "a.b", "no") == "no"


def test_set_path_creates_parents():
    assert set_path({}, "a.b.c", 1) == {"a": {"b": {"c": 1}}}


def test_set_path_keeps_siblings_and_original():
    config = {"a": {"x": 1}}
    assert set_path(config, "a.y", 2) == {"a": {"x": 1, "y": 2}}
    assert config == {"a": {"x": 1}}


def test_set_path_single_key_leaves_original_alone():
    config = {"k": 1}
    assert set_path(config, "k", 2) == {"k": 2}
    assert config == {"k": 1}
    assert set_path({"a": 3}, "a.b", 4) == {"a": {"b": 4}}


def test_delete_path_top_level():
    assert delete_path({"a": 1, "b": 2}, "a") == {"b": 2}
    assert delete_path({"a": {"b": {"c": 1, "d": 2}}}, "a.b.c") == {"a": {"b": {"d": 2}}}


def test_delete_path_drops_empty_parents():
    assert delete_path({"a": {"b": {"c": 1}}, "z": 0}, "a.b.c") == {"z": 0}


def test_delete_path_missing_changes_nothing():
    assert delete_path({"a": 1}, "b") == {"a": 1}
    assert delete_path({"a": 1}, "b.c") == {"a": 1}
    config = {"a": 1}
    assert delete_path(config, "a.b") == {"a": 1}
    assert delete_path(config, "a.b") is not config
    assert delete_path(config, "b") is not config


def test_flatten_nested():
    assert flatten({"a": {"b": 1, "c": {"d": 2}}, "e": 3}) == {"a.b": 1, "a.c.d": 2, "e": 3}
    assert flatten({"a": {}, "b": {"c": {}}}) == {"a": {}, "b.c": {}}


def test_unflatten():
    assert unflatten({"b": 1, "a.y": 2, "a.x": 3}) == {"a": {"x": 3, "y": 2}, "b": 1}
    assert unflatten({"a.b": 1, "a": 5}) == {"a": {"b": 1}}


def test_depth():
    assert depth({"a": {"b": {"c": 1}}, "d": 2}) == 3
    assert depth({}) == 1
    assert depth("text") == 0
