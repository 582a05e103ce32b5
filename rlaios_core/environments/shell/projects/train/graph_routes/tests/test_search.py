from routes import Graph
from routes.search import all_routes, distances, shortest_route


def chain():
    return Graph([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)])


def town():
    return Graph([("a", "b", 4), ("a", "c", 1), ("c", "b", 2), ("b", "d", 5), ("x", "y", 1)])


def test_distances():
    assert distances(town(), "a") == {"a": 0, "c": 1, "b": 3, "d": 8}
    graph = Graph([("a", "b", 2), ("c", "a", 1)], directed=True)
    assert distances(graph, "a") == {"a": 0, "b": 2}


def test_shortest_route():
    assert shortest_route(town(), "a", "d") == ["a", "c", "b", "d"]
    assert shortest_route(town(), "d", "c") == ["d", "b", "c"]


def test_shortest_route_special_cases():
    assert shortest_route(town(), "c", "c") == ["c"]
    assert shortest_route(town(), "a", "x") is None
    graph = Graph([("a", "b", 1), ("b", "c", 1), ("A", "c", 1)], directed=True)
    assert shortest_route(graph, "a", "c") == ["a", "b", "c"]


def test_all_routes():
    assert all_routes(town(), "a", "d") == [["a", "b", "d"], ["a", "c", "b", "d"]]


def test_all_routes_stop_limit():
    assert all_routes(chain(), "a", "d", max_stops=4) == [["a", "b", "c", "d"]]
    assert all_routes(chain(), "a", "d", max_stops=3) == []


def test_all_routes_default_limit():
    graph = Graph([("a", "b", 1), ("b", "c", 1), ("c", "d", 1), ("d", "e", 1), ("e", "f", 1)])
    assert all_routes(graph, "a", "e") == [["a", "b", "c", "d", "e"]]
    assert all_routes(graph, "a", "f") == []


def test_all_routes_trivial():
    assert all_routes(Graph(), "a", "a", max_stops=1) == [["a"]]
    assert all_routes(Graph(), "a", "b") == []


def test_all_routes_directed():
    graph = Graph([("a", "b", 1), ("c", "b", 1), ("b", "d", 1)], directed=True)
    assert all_routes(graph, "a", "c") == []
    assert all_routes(graph, "a", "d") == [["a", "b", "d"]]
