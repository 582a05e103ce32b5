"""A real PostgreSQL server of one's own, from the system's binaries: on a Unix socket, gone at the end."""

import ctypes
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

USER = "rlaios"
_START_SECONDS = 60.0
_PR_SET_PDEATHSIG = 1


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL's programs; null when there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    on_path = shutil.which("initdb")
    places = [*reversed(found), *([Path(on_path).resolve().parent] if on_path else [])]
    return next((place for place in places if (place / "initdb").exists()), None)


class PostgresServer:
    """A running server; each test has a database of its own in it."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self.process = process
        self._numbers = itertools.count(1)

    def url(self, database: str) -> str:
        """SQLAlchemy's URL of a database."""
        return f"postgresql+psycopg://{USER}@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """Make an empty database and return its URL."""
        name = f"store_{next(self._numbers)}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """A connection of the server's owner, outside any transaction."""
        return psycopg.connect(host=str(self.folder), user=USER, dbname=database, autocommit=True)


@contextmanager
def running_server(programs: Path, *, durable: bool = False) -> Iterator[PostgresServer]:
    """Start a server and stop it afterwards; unless `durable`, it does not wait for the disk.

    Text is ordered by the rules of English, not byte by byte: what the store must not depend on.
    """
    folder = Path(tempfile.mkdtemp(prefix="rlaios-pg-"))
    account = _account()
    if account is not None:
        os.chown(folder, account.pw_uid, account.pw_gid)
    try:
        data = folder / "data"
        _run([programs / "initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync",
              "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"], account)  # fmt: skip
        options = ["listen_addresses=", f"unix_socket_directories={folder}", "max_connections=60"]
        if not durable:
            options += ["fsync=off", "full_page_writes=off"]
        command = [str(programs / "postgres"), "-D", str(data), *(f"--{option}" for option in options)]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=_die_with_parent,
                **_identity(account),
            )
        try:
            _await(process, folder)
            yield PostgresServer(folder, process)
        finally:
            process.send_signal(signal.SIGQUIT)
            process.wait(timeout=30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _account() -> pwd.struct_passwd | None:
    """Who runs the server: as root somebody without rights, which PostgreSQL insists on."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("there is no account to run PostgreSQL as")


def _identity(account: pwd.struct_passwd | None) -> dict[str, object]:
    if account is None:
        return {}
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _run(command: list[object], account: pwd.struct_passwd | None) -> None:
    subprocess.run(
        [str(word) for word in command], check=True, capture_output=True, timeout=120, cwd="/",
        **_identity(account),
    )  # fmt: skip


def _die_with_parent() -> None:
    """Linux: the server gets SIGQUIT when the test run is killed."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


def _await(process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            psycopg.connect(host=str(folder), user=USER, dbname="postgres", connect_timeout=5).close()
            return
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start: {(folder / 'log').read_text()}") from None
            time.sleep(0.05)
