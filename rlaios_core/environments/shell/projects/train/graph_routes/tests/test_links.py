import pytest

from routes.structure import has_cycle, longest_chain, spanning_tree, topological_order
from routes.walks import bfs_order, components, within_hops

CHAIN = {"a": {"b": 1}, "b": {"a": 1, "c": 1}, "c": {"b": 1, "d": 1}, "d": {"c": 1}}


def test_bfs_order():
    links = {"a": {"c": 1, "b": 1}, "b": {"d": 1}, "c": {"e": 1, "a": 1}}
    assert bfs_order(links, "a") == ["a", "b", "c", "d", "e"]
    assert bfs_order({}, "q") == ["q"]


def test_within_hops():
    assert within_hops(CHAIN, "a", 2) == {"a": 0, "b": 1, "c": 2}
    assert within_hops(CHAIN, "b", 0) == {"b": 0}


def test_within_hops_takes_shortest():
    links = {"a": {"b": 1, "c": 1}, "b": {"c": 1}, "c": {"a": 1}}
    assert within_hops(links, "a", 3) == {"a": 0, "b": 1, "c": 1}


def test_components():
    links = {"a": {"b": 1}, "b": {"a": 1}, "m": {"n": 1}, "n": {"m": 1, "l": 1}, "l": {"n": 1}}
    assert components(links) == [["l", "m", "n"], ["a", "b"]]
    assert components({"q": {}, "p": {}}) == [["p"], ["q"]]


def test_topological_order():
    assert topological_order({"d": {"a": 1}, "c": {"a": 1}, "a": {"b": 1}, "b": {}}) == ["c", "d", "a", "b"]
    with pytest.raises(ValueError, match="cycle"):
        topological_order({"a": {"b": 1}, "b": {"a": 1}})


def test_has_cycle():
    assert has_cycle({"a": {"b": 1}, "b": {"c": 1}, "c": {"b": 1}}) is True
    assert has_cycle({"a": {"b": 1, "c": 1}, "b": {}, "c": {}}) is False


def test_spanning_tree():
    edges = [("a", "b", 4), ("a", "c", 1), ("b", "c", 2), ("b", "d", 5)]
    assert spanning_tree(edges) == [("a", "c", 1), ("b", "c", 2), ("b", "d", 5)]
    edges = [("a", "b", 1), ("c", "d", 2), ("b", "c", 3), ("a", "d", 4)]
    assert spanning_tree(edges) == [("a", "b", 1), ("c", "d", 2), ("b", "c", 3)]


def test_longest_chain():
    assert longest_chain({"a": {"b": 2, "c": 4}, "b": {"c": 3}, "c": {}, "d": {"c": 1}}) == 5
    assert longest_chain({}) == 0
