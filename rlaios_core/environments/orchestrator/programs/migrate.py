"""migrate DATABASE: the SQL files of `migrations` that were not applied yet, each in one transaction."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from rlaios_core.environments.orchestrator.programs.common import SOFTWARE, Failed, program, say


def work(arguments: list[str]) -> None:
    """Apply and record."""
    (database,) = arguments
    applied = 0
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)")
        known = {name for (name,) in connection.execute("SELECT name FROM schema_migrations")}
        for script in sorted(Path("migrations").glob("*.sql")):
            if script.name in known:
                continue
            try:
                connection.executescript(f"BEGIN;\n{script.read_text()}\n")
                connection.execute("INSERT INTO schema_migrations VALUES (?)", (script.name,))
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise Failed(SOFTWARE, f"{script.name}: {error}") from error
            applied += 1
    say("migrated", applied=applied)


main = program(work)
