"""The scripts that run in every document."""

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def page_script() -> str:
    """The script that looks, waits and acts in the page."""
    return (Path(__file__).parent / "page.js").read_text("utf-8")


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
