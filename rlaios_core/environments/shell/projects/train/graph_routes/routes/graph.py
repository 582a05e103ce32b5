"""A small weighted graph."""

from __future__ import annotations

from typing import Iterable, Iterator


class Graph:
    """Named nodes joined by weighted edges; undirected unless asked otherwise."""

    def __init__(self, edges: Iterable[tuple[str, str, int]] = (), directed: bool = False):
        self.directed = directed
        self._links: dict[str, dict[str, int]] = {}
        for source, target, weight in edges:
            self.add_edge(source, target, weight)

    def add_node(self, node: str) -> None:
        self._links.setdefault(node, {})

    def add_edge(self, source: str, target: str, weight: int = 1) -> None:
        """Join two nodes; of parallel edges only the lightest is kept."""
        if weight <= 0:
            raise ValueError("weight must be positive")
        self.add_node(source)
        self.add_node(target)
        self._link(source, target, weight)
        if not self.directed:
            self._link(target, source, weight)

    def _link(self, source: str, target: str, weight: int) -> None:
        known = self._links[source].get(target, weight)
        self._links[source][target] = min(known, weight)

    def remove_node(self, node: str) -> None:
        del self._links[node]
        for targets in self._links.values():
            targets.pop(node, None)

    def nodes(self) -> list[str]:
        return sorted(self._links)

    def neighbors(self, node: str) -> list[str]:
        return sorted(self._links.get(node, {}))

    def weight(self, source: str, target: str) -> int | None:
        return self._links.get(source, {}).get(target)

    def edges(self) -> Iterator[tuple[str, str, int]]:
        """Each edge once, in order; undirected ones with the smaller name first."""
        for source in self.nodes():
            for target in self.neighbors(source):
                if self.directed or source <= target:
                    yield source, target, self._links[source][target]

    def links(self) -> dict[str, dict[str, int]]:
        """A copy of the table {node: {neighbor: weight}}."""
        return {node: dict(targets) for node, targets in self._links.items()}

    def out_degree(self, node: str) -> int:
        return len(self._links[node])

    def in_degree(self, node: str) -> int:
        return sum(1 for targets in self._links.values() if node in targets)

    def reversed(self) -> Graph:
        """A directed copy whose edges run the other way."""
        flipped = Graph(directed=True)
        for node in self._links:
            flipped.add_node(node)
        for source, targets in self._links.items():
            for target, weight in targets.items():
                flipped.add_edge(target, source, weight)
        return flipped
