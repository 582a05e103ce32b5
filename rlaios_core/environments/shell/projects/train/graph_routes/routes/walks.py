"""Walks over plain link tables: {node: {neighbor: weight}}."""

from __future__ import annotations

from collections import deque

Links = dict[str, dict[str, int]]


def bfs_order(links: Links, start: str) -> list[str]:
    """Nodes in the order a breadth-first walk meets them."""
    order = [start]
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for neighbor in sorted(links.get(node, {})):
            if neighbor not in order:
                order.append(neighbor)
                queue.append(neighbor)
    return order


def within_hops(links: Links, start: str, limit: int) -> dict[str, int]:
    """Nodes reachable in at most `limit` steps, with their number of steps."""
    hops = {start: 0}
    frontier = [start]
    for step in range(1, limit + 1):
        following = []
        for node in frontier:
            for neighbor in links[node]:
                if neighbor not in hops:
                    hops[neighbor] = step
                    following.append(neighbor)
        frontier = following
    return hops


def components(links: Links) -> list[list[str]]:
    """Groups of connected nodes of an undirected table, largest first."""
    seen: set[str] = set()
    groups = []
    for node in sorted(links):
        if node in seen:
            continue
        group = sorted(bfs_order(links, node))
        seen.update(group)
        groups.append(group)
    return sorted(groups, key=len, reverse=True)
