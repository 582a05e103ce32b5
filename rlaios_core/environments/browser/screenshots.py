"""Pictures of the pages on which episodes failed: a bounded number of files."""

import threading
from pathlib import Path

from rlaios_core.environments.base import Play
from rlaios_core.environments.browser.driver import BrowserWorker, DriverError, EpisodePage
from rlaios_core.files import write_whole
from rlaios_core.schema import content_hash

_SECONDS = 6.0


class Screenshots:
    """Takes at most `limit` pictures into `folder`. Thread-safe."""

    def __init__(self, folder: Path | None, limit: int) -> None:
        self._folder = folder
        self._left = limit if folder is not None else 0
        self._lock = threading.Lock()

    def take(self, worker: BrowserWorker, page: EpisodePage, play: Play) -> str:
        """The picture's path, or nothing when there is none: a picture is never worth an episode."""
        with self._lock:
            if self._folder is None or self._left <= 0:
                return ""
            self._left -= 1
        name = content_hash([play.campaign, play.epoch, play.checkpoint_id, play.seed, play.attempt])
        path = self._folder / f"{play.campaign}-{play.epoch}-{name}.png"
        try:
            write_whole(path, worker.run(page.screenshot(), _SECONDS))
        except (DriverError, OSError):
            return ""
        return str(path)
