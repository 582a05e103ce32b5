"""Orderings, cycles and spanning trees of plain link tables and edge lists."""

from __future__ import annotations

from routes.walks import Links


def topological_order(links: Links) -> list[str]:
    """Nodes of a directed table so that every link points forward."""
    waiting = {node: 0 for node in links}
    for targets in links.values():
        for target in targets:
            waiting[target] += 1
    order: list[str] = []
    for _ in links:
        ready = [node for node, count in waiting.items() if count == 0]
        if not ready:
            raise ValueError("the graph has a cycle")
        node = min(ready)
        del waiting[node]
        order.append(node)
        for target in links[node]:
            waiting[target] -= 1
    return order


def has_cycle(links: Links) -> bool:
    try:
        topological_order(links)
    except ValueError:
        return True
    return False


def spanning_tree(edges: list[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Lightest edges that keep connected nodes connected, lightest first."""
    group: dict[str, str] = {}
    for source, target, _ in edges:
        group[source] = source
        group[target] = target
    chosen = []
    for source, target, weight in sorted(edges, key=lambda edge: edge[2]):
        kept, merged = group[source], group[target]
        if kept == merged:
            continue
        chosen.append((source, target, weight))
        for node in group:
            if group[node] == merged:
                group[node] = kept
    return chosen


def longest_chain(links: Links) -> int:
    """Greatest total weight along a path of an acyclic directed table."""
    reach: dict[str, int] = {}
    for node in reversed(topological_order(links)):
        onward = [weight + reach[target] for target, weight in links[node].items()]
        reach[node] = max(onward, default=0)
    return max(reach.values(), default=0)
