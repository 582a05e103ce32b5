"""Facts about a finished route, given as a list of stops."""

from __future__ import annotations

from routes.graph import Graph


def legs(route: list[str]) -> list[tuple[str, str]]:
    return list(zip(route[:-1], route[1:]))


def route_length(graph: Graph, route: list[str]) -> int:
    total = 0
    for source, target in legs(route):
        weight = graph.weight(source, target)
        if weight is None:
            raise ValueError(f"no edge {source} - {target}")
        total += weight
    return total


def is_loop(route: list[str]) -> bool:
    """True if a route of at least two stops ends where it began."""
    return len(route) >= 2 and route[0] == route[-1]


def trim_loops(route: list[str]) -> list[str]:
    """Leave out every detour that comes back to a stop visited before."""
    result: list[str] = []
    for stop in route:
        if stop in result:
            result = result[:result.index(stop)]
        result.append(stop)
    return result


def join_routes(first: list[str], second: list[str]) -> list[str]:
    """Put two routes together where the second begins at the end of the first."""
    if not first or not second:
        return first + second
    if first[-1] != second[0]:
        raise ValueError("routes do not meet")
    return first + second[1:]


def summary(route: list[str], limit: int = 4) -> str:
    """'A > B > C', with the middle of a long route left out."""
    if len(route) > limit:
        hidden = len(route) - 2
        return f"{route[0]} > ({hidden} stops) > {route[-1]}"
    return " > ".join(route)
