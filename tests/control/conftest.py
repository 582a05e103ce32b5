from collections.abc import Iterator
from pathlib import Path

import pytest

from rlaios_core.control import CampaignController
from tests.control.bench import Bench
from tests.postgres import PostgresServer, binaries, running_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server for the whole session."""
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    with running_server(programs) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database: once SQLite, once PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "var")


@pytest.fixture
def controller(bench: Bench) -> Iterator[CampaignController]:
    with bench.controller() as made:
        yield made
