"""Where a project keeps its campaigns: one folder, one database."""

import os
from dataclasses import dataclass
from pathlib import Path

from rlaios_core.control.errors import StoreError

HOME_VARIABLE = "RLAIOS_HOME"
"""Environment variable that names the folder; `./var` without it."""
DATABASE_VARIABLE = "RLAIOS_DATABASE"
"""Environment variable with the URL of the database; SQLite's `store.db` in the folder without it."""


@dataclass(frozen=True)
class Workspace:
    """A folder with `store.db`, `checkpoints/`, `episodes/<campaign>/<epoch key>/`, `campaigns/<name>/`."""

    root: Path
    database_url: str

    @classmethod
    def open(cls, root: Path | None = None, database_url: str | None = None) -> "Workspace":
        """The workspace at `root` (default: `RLAIOS_HOME`, else ./var), made when it is not there.

        `database_url` (default: `RLAIOS_DATABASE`, else SQLite's `store.db` in the folder) is SQLAlchemy's,
        such as `postgresql+psycopg://trainer@host/rlaios`.
        """
        folder = (root or Path(os.environ.get(HOME_VARIABLE) or "var")).expanduser().resolve()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"the workspace folder {folder} cannot be made ({error.strerror}): "
                f"set {HOME_VARIABLE} to a folder of your own"
            ) from error
        url = database_url or os.environ.get(DATABASE_VARIABLE) or f"sqlite:///{folder / 'store.db'}"
        return cls(folder, url)

    @property
    def checkpoints(self) -> Path:
        """Folder of the checkpoint files of all campaigns; they are named by their content."""
        return self.root / "checkpoints"

    def episodes(self, campaign: str) -> Path:
        """Folder of a campaign's task and episode files, one folder per epoch key in it."""
        return self.root / "episodes" / campaign

    def campaign(self, campaign: str) -> Path:
        """Folder of a campaign's results: summary, report."""
        return self.root / "campaigns" / campaign
