"""Routes through a graph."""

from __future__ import annotations

import heapq

from routes.graph import Graph


def distances(graph: Graph, start: str) -> dict[str, int]:
    """Length of the shortest route from start to every node it can reach."""
    best = {start: 0}
    heap = [(0, start)]
    while heap:
        length, node = heapq.heappop(heap)
        for neighbor in graph.neighbors(node):
            candidate = length + graph.weight(node, neighbor)
            if neighbor not in best or candidate < best[neighbor]:
                best[neighbor] = candidate
                heapq.heappush(heap, (candidate, neighbor))
    return best


def shortest_route(graph: Graph, start: str, goal: str) -> list[str] | None:
    """The shortest route, rebuilt backwards from the goal; None if there is none."""
    best = distances(graph, start)
    if goal not in best:
        return None
    backwards = graph.reversed()
    route = [goal]
    for _ in best:
        node = route[-1]
        for previous in backwards.neighbors(node):
            if previous in best and best[previous] + backwards.weight(node, previous) == best[node]:
                route.append(previous)
                break
    return route[::-1]


def all_routes(graph: Graph, start: str, goal: str, max_stops: int = 5) -> list[list[str]]:
    """Every route without repeated stops that has at most max_stops stops."""
    if start == goal:
        return [[goal]]
    if max_stops <= 1:
        return []
    found = []
    rest = Graph(list(graph.edges()), directed=graph.directed)
    neighbors = rest.neighbors(start)
    if neighbors:
        rest.remove_node(start)
    for neighbor in neighbors:
        for tail in all_routes(rest, neighbor, goal, max_stops - 1):
            found.append([start] + tail)
    return found
