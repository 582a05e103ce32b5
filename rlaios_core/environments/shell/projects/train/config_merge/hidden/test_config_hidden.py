import pytest

from confmerge.changes import apply_diff, count_kinds, diff, touched_sections
from confmerge.merging import merge, merge_layers, merge_lists, origin_of, pick
from confmerge.paths import (
    delete_path, depth, flatten, get_path, set_path, split_path, unflatten)
from confmerge.values import (
    clamp_setting, from_environ, is_integer, parse_bool, parse_size, parse_value)

OLD = {"web": {"host": "a", "ports": [1, 2], "tls": {"on": False}}, "debug": True}
NEW = {"web": {"host": "b", "ports": [1, 2]}, "cache": {"size": 3}, "debug": True}


def test_split_and_get():
    assert split_path("one") == ["one"]
    assert get_path(OLD, "web.tls.on", True) is False
    assert get_path(OLD, "web.ports.first", -1) == -1


def test_split_rejects_trailing_dot_and_empty():
    for bad in ("", "a.", ".a", "a. .b"):
        with pytest.raises(ValueError):
            split_path(bad)


def test_set_then_get():
    changed = set_path(OLD, "web.tls.version", 13)
    assert get_path(changed, "web.tls.version") == 13
    assert get_path(OLD, "web.tls.version") is None
    assert get_path(changed, "web.tls.on") is False


def test_set_then_delete_is_identity():
    assert delete_path(set_path(OLD, "p.q.r", 1), "p.q.r") == OLD


def test_delete_middle_section():
    assert delete_path(OLD, "web.tls") == {"web": {"host": "a", "ports": [1, 2]}, "debug": True}
    assert delete_path(OLD, "web.tls.off") == OLD
    assert delete_path(OLD, "debug.level") == OLD


def test_flatten_round_trip():
    assert unflatten(flatten(OLD)) == OLD
    assert flatten(NEW, "root")["root.cache.size"] == 3


def test_depth_of_samples():
    assert depth(OLD) == 3
    assert depth(NEW) == 2
    assert depth({"a": {}}) == 2


def test_diff_round_trip():
    assert apply_diff(OLD, diff(OLD, NEW)) == NEW
    assert apply_diff(NEW, diff(NEW, OLD)) == OLD


def test_diff_counts_and_sections():
    steps = diff(OLD, NEW)
    assert count_kinds(steps) == {"add": 1, "change": 1, "drop": 1}
    assert touched_sections(steps) == ["cache", "web"]
    assert touched_sections(steps, 2) == ["cache.size", "web.host", "web.tls"]
    assert count_kinds([]) == {}


def test_merge_sections_and_removal():
    merged = merge(OLD, {"web": {"tls": None, "ports": [2, 5]}}, "unique")
    assert merged == {"web": {"host": "a", "ports": [1, 2, 5]}, "debug": True}
    assert merge({}, NEW) == NEW


def test_merge_layers_three():
    layers = [{"l": ["x"]}, {"l": ["x"], "k": 1}, None, {"l": ["y"], "k": None}]
    assert merge_layers(layers, "append") == {"l": ["x", "x", "y"]}
    assert merge_layers(layers) == {"l": ["y"]}


def test_merge_lists_more():
    assert merge_lists([], ["a", "a"], "unique") == ["a"]
    assert merge_lists(["a"], []) == []
    with pytest.raises(ValueError):
        merge_lists([], [], "")


def test_origin_and_pick():
    assert origin_of([OLD, NEW], "debug") == 1
    assert origin_of([OLD, NEW, {}], "cache") == 1
    assert origin_of([], "cache") == -1
    assert pick(NEW, ["debug", "nope"]) == {"debug": True}


def test_text_values():
    assert [parse_value(t) for t in ("TRUE", "+7", "a,b", "[ x ]")] == [True, 7, "a,b", ["x"]]
    assert parse_value("[on,-2]") == [True, -2]
    assert parse_bool("No") is False
    assert not is_integer("7.5")


def test_sizes_and_limits():
    assert parse_size("150M") == 150000000
    assert parse_size("7") == 7
    with pytest.raises(ValueError):
        parse_size("k")
    assert [clamp_setting(v, -1, 1) for v in (-9, 0, 9)] == [-1, 0, 1]
    with pytest.raises(ValueError):
        clamp_setting(0, 1, -1)


def test_environ_to_config():
    flat = from_environ({"X_A__B": "[1]", "X_C": "no", "Y_D": "1"}, "X_")
    assert unflatten(flat) == {"a": {"b": [1]}, "c": False}
