"""Draw the asset graph of the real definitions as `docs/asset_graph.svg`.

Run it again whenever an asset is added: `.venv/bin/python scripts/asset_graph.py`.
"""

from html import escape
from pathlib import Path

import dagster as dg
from dagster._core.definitions.assets.graph.asset_graph import AssetGraph

from rlaios_pipeline.definitions import defs

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 162, 44, 36, 18, 20
TARGET = Path(__file__).resolve().parents[1] / "docs" / "asset_graph.svg"
NOTES = {
    "benchmark": "fresh tasks",
    "comparison": "one verdict",
    "replay_lanes": "rewards, lanes",
    "candidate": "PPO update",
    "promotion": "gates, pointers",
}
STYLE = """
  .page { fill: #ffffff } .box { fill: #eef3fb; stroke: #2f7de1; stroke-width: 1.2 }
  .external { fill: none; stroke: #2f9e6e; stroke-dasharray: 5 3 } .edge { stroke: #8a929e; fill: none }
  .tip { fill: #8a929e } text { font: 13px system-ui, sans-serif; fill: #2b2f36; text-anchor: middle }
  .note { font-size: 11px; fill: #626a76 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #171a1f } .box { fill: #1d2b40 } text { fill: #d6dae0 } .note { fill: #98a1ae } }
"""


def columns(graph: AssetGraph) -> list[list[dg.AssetKey]]:
    """Assets by their distance from the start; those that stand alone come last."""
    depth: dict[dg.AssetKey, int] = {}
    for key in graph.toposorted_asset_keys:
        parents = graph.get(key).parent_keys
        depth[key] = 1 + max((depth[parent] for parent in parents), default=-1)
    alone = {key for key in depth if not graph.get(key).parent_keys and not graph.get(key).child_keys}
    last = max(depth.values())
    depth.update(dict.fromkeys(alone, last))
    return [sorted(key for key in depth if depth[key] == level) for level in range(last + 1)]


def draw(graph: AssetGraph) -> str:
    """The whole picture."""
    levels = columns(graph)
    tallest = max(len(level) for level in levels)
    width = 2 * MARGIN + len(levels) * WIDTH + (len(levels) - 1) * GAP_X
    height = 2 * MARGIN + tallest * HEIGHT + (tallest - 1) * GAP_Y
    places = {}
    for column, level in enumerate(levels):
        top = (height - len(level) * HEIGHT - (len(level) - 1) * GAP_Y) / 2
        for row, key in enumerate(level):
            places[key] = (MARGIN + column * (WIDTH + GAP_X), top + row * (HEIGHT + GAP_Y))
    edges = [
        _edge(places[parent], places[key]) for key in places for parent in sorted(graph.get(key).parent_keys)
    ]
    boxes = [_box(key, places[key], external=not graph.get(key).is_materializable) for key in places]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            "<title>The asset graph of one epoch, and the assets that show pointers and measurements</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="page" width="{width}" height="{height}"/>',
            *edges,
            *boxes,
            "</svg>",
            "",
        ]
    )


def _edge(start: tuple[float, float], end: tuple[float, float]) -> str:
    x1, y1, x2, y2 = start[0] + WIDTH, start[1] + HEIGHT / 2, end[0], end[1] + HEIGHT / 2
    middle = (x1 + x2) / 2
    curve = f'<path class="edge" d="M{x1} {y1} C{middle} {y1} {middle} {y2} {x2 - 6} {y2}"/>'
    return curve + f'<path class="tip" d="M{x2} {y2} l-7 -4 v8 z"/>'


def _box(key: dg.AssetKey, place: tuple[float, float], *, external: bool) -> str:
    name = key.to_user_string()
    note = NOTES.get(name, "both sides of pairs" if name.startswith("episodes_") else "")
    x, y = place
    middle = x + WIDTH / 2
    kind = "external" if external else "box"
    label = f'<text x="{middle}" y="{y + (19 if note else 27)}">{escape(name)}</text>'
    more = f'<text class="note" x="{middle}" y="{y + 35}">{escape(note)}</text>' if note else ""
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="7"/>{label}{more}'


if __name__ == "__main__":
    TARGET.write_text(draw(defs().resolve_asset_graph()), encoding="utf-8")
    print(f"wrote {TARGET.name}")
