import pytest

from routes import Graph
from routes.describe import is_loop, join_routes, legs, route_length, summary, trim_loops


def test_nodes_sorted():
    graph = Graph([("c", "a", 1)])
    graph.add_node("b")
    assert graph.nodes() == ["a", "b", "c"]


def test_add_node_keeps_edges():
    graph = Graph([("a", "b", 3)])
    graph.add_node("a")
    assert graph.weight("a", "b") == 3


def test_edge_runs_both_ways():
    graph = Graph([("a", "b", 3)])
    assert graph.weight("b", "a") == 3


def test_directed_edge_runs_one_way():
    graph = Graph([("a", "b", 3)], directed=True)
    assert graph.weight("a", "b") == 3
    assert graph.weight("b", "a") is None


def test_default_weight_is_one():
    graph = Graph()
    graph.add_edge("a", "b")
    assert graph.weight("a", "b") == 1


def test_zero_weight_refused():
    graph = Graph()
    with pytest.raises(ValueError):
        graph.add_edge("a", "c", 0)
    assert graph.nodes() == []


def test_links_is_a_copy():
    graph = Graph([("a", "b", 3)], directed=True)
    graph.links()["a"]["c"] = 1
    assert graph.links() == {"a": {"b": 3}, "b": {}}


def test_lightest_parallel_edge_is_kept():
    assert Graph([("a", "b", 5), ("a", "b", 2)]).weight("a", "b") == 2
    assert Graph([("a", "b", 2), ("b", "a", 5)]).weight("a", "b") == 2


def test_neighbors():
    graph = Graph([("m", "z", 1), ("m", "b", 1), ("z", "b", 1)])
    assert graph.neighbors("m") == ["b", "z"]
    assert graph.neighbors("none") == []


def test_weight_of_unknown_node():
    assert Graph([("a", "b", 1)]).weight("q", "b") is None


def test_remove_node():
    graph = Graph([("a", "b", 1), ("b", "c", 1), ("a", "c", 4)])
    graph.remove_node("b")
    assert graph.nodes() == ["a", "c"]
    assert graph.neighbors("a") == ["c"]


def test_edges():
    graph = Graph([("c", "a", 4), ("b", "a", 2), ("b", "b", 1)])
    assert list(graph.edges()) == [("a", "b", 2), ("a", "c", 4), ("b", "b", 1)]
    graph = Graph([("b", "a", 4), ("a", "b", 2)], directed=True)
    assert list(graph.edges()) == [("a", "b", 2), ("b", "a", 4)]


def test_degrees():
    graph = Graph([("a", "b", 1), ("a", "c", 1), ("c", "b", 1)], directed=True)
    assert graph.out_degree("a") == 2
    assert graph.in_degree("a") == 0
    assert graph.in_degree("b") == 2


def test_reversed():
    graph = Graph([("a", "b", 7)], directed=True)
    graph.add_node("x")
    flipped = graph.reversed()
    assert list(flipped.edges()) == [("b", "a", 7)]
    assert flipped.nodes() == ["a", "b", "x"]


def test_legs():
    assert legs(["a", "b", "c"]) == [("a", "b"), ("b", "c")]
    assert legs(["a"]) == []


def test_route_length():
    graph = Graph([("a", "b", 2), ("b", "c", 5)])
    assert route_length(graph, ["a", "b", "c", "b"]) == 12
    assert route_length(graph, ["a"]) == 0
    with pytest.raises(ValueError, match="no edge a - c"):
        route_length(Graph([("a", "b", 2), ("b", "c", 5)]), ["a", "c"])


def test_is_loop():
    assert is_loop(["a", "b", "a"]) is True
    assert is_loop(["a", "a"]) is True
    assert is_loop(["a", "b"]) is False


def test_single_stop_is_no_loop():
    assert is_loop(["a"]) is False
    assert is_loop([]) is False


def test_trim_loops():
    assert trim_loops(["a", "b", "c", "b", "d"]) == ["a", "b", "d"]
    assert trim_loops(["a", "b", "a"]) == ["a"]


def test_join_routes():
    assert join_routes(["a", "b"], ["b", "c"]) == ["a", "b", "c"]
    assert join_routes([], ["b"]) == ["b"]
    assert join_routes(["a"], []) == ["a"]


def test_join_routes_that_do_not_meet():
    with pytest.raises(ValueError):
        join_routes(["a", "b"], ["c", "d"])


def test_summary_short():
    assert summary(["a", "b", "c", "d"]) == "a > b > c > d"


def test_summary_long():
    assert summary(["a", "b", "c", "d", "e"]) == "a > (3 stops) > e"
    assert summary(["a", "b", "c"], limit=2) == "a > (1 stops) > c"
