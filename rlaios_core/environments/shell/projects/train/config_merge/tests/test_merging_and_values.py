import pytest

from confmerge.changes import apply_diff, count_kinds, diff, touched_sections
from confmerge.merging import merge, merge_layers, merge_lists, origin_of, pick
from confmerge.values import (
    clamp_setting, from_environ, is_integer, parse_bool, parse_size, parse_value)


def test_merge_lists_modes():
    assert merge_lists([1, 2], [2, 3]) == [2, 3]
    assert merge_lists([1, 2], [2, 3], "append") == [1, 2, 2, 3]
    assert merge_lists([1, 1, 2], [2, 3], "unique") == [1, 2, 3]


def test_merge_lists_replace_returns_a_copy():
    extra = [4]
    assert merge_lists([1], extra) is not extra
    assert merge_lists([1], extra) == [4]
    with pytest.raises(ValueError):
        merge_lists([1], [2], "zip")


def test_merge_nested_sections():
    assert merge({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}}) == {"a": {"x": 1, "y": 3}}


def test_merge_none_removes_key():
    assert merge({"a": 1, "b": 2}, {"a": None, "c": None}) == {"b": 2}


def test_merge_value_replaces_section_and_back():
    assert merge({"a": {"x": 1}, "b": 2}, {"a": 5, "b": {"y": 6}}) == {"a": 5, "b": {"y": 6}}


def test_merge_list_mode_reaches_nested_lists():
    assert merge({"s": {"l": [1]}}, {"s": {"l": [2]}}, "append") == {"s": {"l": [1, 2]}}
    assert merge({"l": [1], "m": 3}, {"l": 2, "m": [4]}, "append") == {"l": 2, "m": [4]}


def test_merge_leaves_base_alone():
    base = {"a": 1}
    merge(base, {"a": 2})
    assert base == {"a": 1}


def test_merge_layers_later_wins_and_skips_none():
    assert merge_layers([{"a": 1, "b": 1}, None, {"b": 2}]) == {"a": 1, "b": 2}
    assert merge_layers([]) == {}


def test_merge_layers_passes_list_mode():
    assert merge_layers([{"l": [1]}, {"l": [1, 2]}], "unique") == {"l": [1, 2]}
    assert merge_layers([{"l": [1]}, {"l": [2]}]) == {"l": [2]}


def test_origin_of_last_layer_wins():
    assert origin_of([{"a": 1}, {"a": 2}, {"b": 3}], "a") == 1
    assert origin_of([{"a": 1}, {"b": 2}], "b") == 1


def test_origin_of_first_layer_and_missing():
    assert origin_of([{"a": 1}, {"b": 2}], "a") == 0
    assert origin_of([{"a": 1}], "q") == -1
    assert origin_of([], "q") == -1


def test_pick_ignores_missing_names():
    assert pick({"a": 1, "b": 2, "c": 3}, ["c", "a", "z"]) == {"c": 3, "a": 1}


def test_parse_bool_words():
    assert parse_bool(" Yes ") is True
    assert parse_bool("OFF") is False
    with pytest.raises(ValueError):
        parse_bool("maybe")


def test_parse_size_units():
    assert parse_size("12") == 12
    assert parse_size(" 3K ") == 3000
    assert parse_size("25m") == 25000000


def test_parse_size_empty():
    with pytest.raises(ValueError):
        parse_size("  ")


def test_is_integer_signs():
    assert [is_integer(t) for t in ("-12", "+3", "40", "-", "", "1-2")] == [
        True, True, True, False, False, False]


def test_parse_value_scalars():
    assert parse_value(" -15 ") == -15
    assert parse_value("on") is True
    assert parse_value("No") is False
    assert parse_value(" Hello ") == "Hello"


def test_parse_value_lists():
    assert parse_value("[1, two,, yes]") == [1, "two", True]
    assert parse_value("[]") == []


def test_parse_value_half_open_bracket_stays_text():
    assert [parse_value(t) for t in ("[1", "2]", "[", "")] == ["[1", "2]", "[", ""]


def test_from_environ():
    environ = {"APP_DB__PORT": "80", "HOME": "/root", "APP_NAME": "Shop"}
    assert from_environ(environ, "APP_") == {"db.port": 80, "name": "Shop"}


def test_clamp_setting():
    assert [clamp_setting(v, 2, 5) for v in (1, 2, 4, 5, 9)] == [2, 2, 4, 5, 5]
    assert clamp_setting(8, 3, 3) == 3
    with pytest.raises(ValueError):
        clamp_setting(1, 5, 4)


def test_diff_kinds_in_path_order():
    old = {"a": {"x": 1, "y": 2}, "c": 3}
    new = {"a": {"x": 9}, "b": 4, "c": 3}
    assert diff(old, new) == [("a.x", "change", 9), ("a.y", "drop", 2), ("b", "add", 4)]
    assert diff({"a": {"b": [1]}}, {"a": {"b": [1]}}) == []


def test_apply_diff():
    steps = [("a.y", "drop", 2), ("b.c", "add", 4), ("d", "change", 0)]
    config = {"a": {"x": 1, "y": 2}, "d": 5}
    assert apply_diff(config, steps) == {"a": {"x": 1}, "b": {"c": 4}, "d": 0}


def test_apply_diff_of_nothing_is_a_copy():
    config = {"a": 1}
    assert apply_diff(config, []) == {"a": 1}
    assert apply_diff(config, []) is not config


def test_count_kinds():
    assert count_kinds([("a", "add", 1), ("b", "drop", 2), ("c", "add", 3)]) == {
        "add": 2, "drop": 1}


def test_touched_sections():
    steps = [("db.pool.max", "add", 1), ("db.pool.min", "add", 1), ("db.host", "add", 1), ("log", "add", 1)]
    assert touched_sections(steps) == ["db", "log"]
    assert touched_sections(steps, level=2) == ["db.pool", "db.host", "log"]
