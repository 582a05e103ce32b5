"""Where a project keeps its campaigns: one folder, one database."""

import os
from dataclasses import dataclass
from pathlib import Path

from rlaios_core.control.errors import StoreError

HOME_VARIABLE = "RLAIOS_HOME"
"""Environment variable that names the folder; `./var` without it."""
DATABASE_VARIABLE = "RLAIOS_DATABASE"
"""Environment variable with the URL of the database; SQLite's `store.db` in the folder without it."""


ARTIFACTS_VARIABLE = "RLAIOS_ARTIFACTS"
"""Environment variable with the folder or URL of checkpoint and episode files; the folder without it."""


@dataclass(frozen=True)
class Workspace:
    """A folder with `store.db`, `checkpoints/`, `episodes/<campaign>/<epoch key>/`, `campaigns/<name>/`.

    Checkpoints and episodes are artifacts: `artifacts_url` may put them into an object store, and then
    `checkpoints/` holds copies of those in use.
    """

    root: Path
    database_url: str
    artifacts_url: str

    @classmethod
    def open(
        cls, root: Path | None = None, database_url: str | None = None, artifacts_url: str | None = None
    ) -> "Workspace":
        """The workspace at `root` (default: `RLAIOS_HOME`, else ./var), made when it is not there.

        `database_url` (default: `RLAIOS_DATABASE`, else SQLite's `store.db` in the folder) is SQLAlchemy's,
        such as `postgresql+psycopg://trainer@host/rlaios`; `artifacts_url` (default: `RLAIOS_ARTIFACTS`,
        else the folder) fsspec's, such as `s3://bucket/rlaios`.
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
        artifacts = artifacts_url or os.environ.get(ARTIFACTS_VARIABLE) or str(folder)
        return cls(folder, url, artifacts)

    @property
    def checkpoints(self) -> Path:
        """Local folder of the checkpoint files of all campaigns; they are named by their content."""
        return self.root / "checkpoints"

    def episodes(self, campaign: str) -> Path:
        """Folder of a campaign's task and episode files, one folder per epoch key in it."""
        return self.root / "episodes" / campaign

    def campaign(self, campaign: str) -> Path:
        """Folder of a campaign's results: summary, report."""
        return self.root / "campaigns" / campaign
