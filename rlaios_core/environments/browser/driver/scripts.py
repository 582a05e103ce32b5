"""The scripts that run in every document."""

from functools import lru_cache
from pathlib import Path

_PARTS = ("waiting", "naming", "looking", "acting")


@lru_cache(maxsize=1)
def page_script() -> str:
    """The script that looks, waits and acts in the page: its parts, in one scope of their own.

    It runs before the page's own scripts: records what listens, watches what is under way, and answers
    `look`, `settle` and `act`. It never writes to the document except for the input asked for.
    """
    folder = Path(__file__).parent / "page"
    parts = "\n".join((folder / f"{part}.js").read_text("utf-8") for part in _PARTS)
    return f"(() => {{\n'use strict';\nif (window.__rlaios) return;\n{parts}\n}})();\n"


def clock_script(start: int) -> str:
    """`Date` starts from `start` (milliseconds since 1970) in every document and runs at its own pace."""
    return f"""(() => {{
  const Native = Date, start = {start}, origin = performance.now();
  const now = () => start + Math.round(performance.now() - origin);
  class Pinned extends Native {{
    constructor(...parts) {{ if (parts.length) super(...parts); else super(now()); }}
    static now() {{ return now(); }}
  }}
  globalThis.Date = Pinned;
}})();"""
