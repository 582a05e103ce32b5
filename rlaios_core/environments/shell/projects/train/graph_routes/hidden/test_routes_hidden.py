import pytest

from routes import Graph
from routes.describe import is_loop, join_routes, legs, route_length, summary, trim_loops
from routes.search import all_routes, distances, shortest_route
from routes.structure import has_cycle, longest_chain, spanning_tree, topological_order
from routes.walks import bfs_order, components, within_hops

EDGES = [("p", "q", 7), ("p", "r", 2), ("r", "s", 2), ("s", "q", 2), ("q", "t", 1), ("r", "t", 9)]


def net():
    return Graph(EDGES)


def dag():
    return Graph(EDGES, directed=True)


def test_every_shortest_route_has_the_shortest_distance():
    graph = net()
    for start in graph.nodes():
        best = distances(graph, start)
        for goal in graph.nodes():
            route = shortest_route(graph, start, goal)
            assert (route[0], route[-1]) == (start, goal)
            assert route_length(graph, route) == best[goal]


def test_shortest_is_the_least_of_all_routes():
    graph = net()
    for goal in "qrst":
        lengths = [route_length(graph, route) for route in all_routes(graph, "p", goal, max_stops=6)]
        assert min(lengths) == distances(graph, "p")[goal]


def test_all_routes_values():
    assert all_routes(net(), "p", "t", max_stops=3) == [["p", "q", "t"], ["p", "r", "t"]]
    assert all_routes(dag(), "p", "t") == [["p", "q", "t"], ["p", "r", "s", "q", "t"], ["p", "r", "t"]]
    assert all_routes(dag(), "t", "p") == []


def test_distances_in_directed_net():
    assert distances(dag(), "p") == {"p": 0, "r": 2, "s": 4, "q": 6, "t": 7}
    assert distances(dag(), "t") == {"t": 0}
    assert shortest_route(dag(), "t", "p") is None
    assert shortest_route(dag(), "r", "t") == ["r", "s", "q", "t"]


def test_hops_and_walk():
    assert within_hops(dag().links(), "p", 1) == {"p": 0, "q": 1, "r": 1}
    assert within_hops(net().links(), "s", 9) == {"s": 0, "q": 1, "r": 1, "p": 2, "t": 2}
    assert bfs_order(net().links(), "s") == ["s", "q", "r", "p", "t"]
    assert bfs_order(dag().links(), "q") == ["q", "t"]


def test_default_stop_limit():
    line = Graph([("h", "i", 3), ("i", "j", 3), ("j", "k", 3), ("k", "l", 3), ("l", "m", 3)])
    assert all_routes(line, "m", "i") == [["m", "l", "k", "j", "i"]]
    assert all_routes(line, "m", "h") == []


def test_parallel_edges_either_way():
    graph = Graph([("h", "i", 4), ("i", "h", 6)])
    assert graph.links() == {"h": {"i": 4}, "i": {"h": 4}}
    assert Graph([("h", "i", 9), ("h", "i", 8)], directed=True).links() == {"h": {"i": 8}, "i": {}}


def test_components_after_removal():
    graph = Graph([("h", "i", 1), ("i", "j", 1), ("j", "k", 1), ("k", "l", 1)])
    graph.remove_node("i")
    assert components(graph.links()) == [["j", "k", "l"], ["h"]]
    assert components({}) == []


def test_graph_basics():
    graph = net()
    graph.add_edge("p", "q", 3)
    graph.add_edge("t", "z")
    assert (graph.weight("q", "p"), graph.weight("z", "t")) == (3, 1)
    assert graph.neighbors("r") == ["p", "s", "t"]
    assert graph.neighbors("zz") == [] and graph.weight("zz", "p") is None
    assert (graph.out_degree("r"), graph.in_degree("r")) == (3, 3)
    with pytest.raises(ValueError):
        graph.add_edge("u", "v", -4)
    with pytest.raises(ValueError):
        graph.add_edge("u", "v", 0)


def test_edges_rebuild_the_graph():
    assert list(net().edges()) == sorted((min(a, b), max(a, b), w) for a, b, w in EDGES)
    assert list(dag().edges()) == sorted(EDGES)
    assert list(Graph(dag().edges(), directed=True).edges()) == sorted(EDGES)


def test_reversing_twice():
    graph = dag()
    assert list(graph.reversed().reversed().edges()) == list(graph.edges())
    for node in graph.nodes():
        assert graph.reversed().in_degree(node) == graph.out_degree(node)


def test_topological_order_of_dag():
    order = topological_order(dag().links())
    assert order == ["p", "r", "s", "q", "t"]
    assert topological_order(dag().reversed().links()) == ["t", "q", "s", "r", "p"]
    assert topological_order({"v": {}, "u": {}, "w": {"u": 1}}) == ["v", "w", "u"]
    assert topological_order({}) == []


def test_cycles():
    graph = dag()
    assert has_cycle(graph.links()) is False
    graph.add_edge("t", "r")
    assert has_cycle(graph.links()) is True
    with pytest.raises(ValueError):
        topological_order(graph.links())


def test_spanning_tree_values():
    assert spanning_tree(list(net().edges())) == [("q", "t", 1), ("p", "r", 2), ("q", "s", 2), ("r", "s", 2)]
    assert spanning_tree([]) == []


def test_longest_chain_values():
    assert longest_chain(dag().links()) == 11
    assert longest_chain({"u": {"v": 6}, "v": {}}) == 6
    assert longest_chain({"u": {}}) == 0 and longest_chain({}) == 0


def test_route_helpers():
    assert trim_loops(["k", "l", "m"]) == ["k", "l", "m"] and is_loop(["k", "k"]) and not is_loop(["k"])
    assert legs(["k", "l"]) == [("k", "l")] and legs([]) == []
    assert is_loop(["k", "l", "m", "k"]) and not is_loop(["k", "l", "k", "m"])
    assert trim_loops(["k", "l", "m", "k", "n", "o", "n"]) == ["k", "n"]
    assert trim_loops([]) == []
    with pytest.raises(ValueError):
        route_length(net(), ["p", "r", "q"])


def test_joining_and_summary():
    assert join_routes(["k", "l"], ["l", "m", "n"]) == ["k", "l", "m", "n"]
    assert join_routes([], []) == []
    assert join_routes(["k"], []) == ["k"] and join_routes([], ["l", "m"]) == ["l", "m"]
    with pytest.raises(ValueError):
        join_routes(["k", "l"], ["k", "l"])
    assert summary(list("klmnop")) == "k > (4 stops) > p"
    assert summary(["k"]) == "k" and summary([]) == ""
    assert summary(list("klmn")) == "k > l > m > n"
    assert summary(list("klmno")) == "k > (3 stops) > o"
    assert summary(list("klmno"), limit=5) == "k > l > m > n > o"
