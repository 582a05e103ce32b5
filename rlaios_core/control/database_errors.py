"""What a database raises, as one plain line: which store, what happened, how to mend it."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from rlaios_core.control.errors import StoreError

_HELD = "another program holds it; end that program, or wait and start again"
_CORRUPT = "it is corrupt; restore it from a backup, or move it away to begin anew"
_FULL = "the disk is full; free some space and start again"
_CUT = "the connection was lost and nothing of this step was kept; start the same command again"
_ABSENT = "no server answers there; start it, or mend the URL"
_LOGIN = "the server refuses this user; mend the URL, or the server's permissions"

_MENDS = (
    ("locked", _HELD),
    ("busy", _HELD),
    ("lock timeout", _HELD),
    ("malformed", _CORRUPT),
    ("not a database", _CORRUPT),
    ("invalid page", _CORRUPT),
    ("full", _FULL),
    ("no space", _FULL),
    ("could not extend file", _FULL),
    ("could not write to file", _FULL),
    ("unable to open", "its folder is missing or may not be read; make the folder, then start again"),
    ("readonly", "it may not be written; mend its permissions"),
    ("read-only", "it may not be written; connect to the primary server, or mend its permissions"),
    ("disk i/o error", "the disk is full or failed; mend it, then start again"),
    ("no such table", "it lacks tables of this program; restore it from a backup, or move it away"),
    ("authentication failed", _LOGIN),
    ("permission denied", _LOGIN),
    ("does not exist", "make that database, or mend the URL"),
    ("already exists", "it holds tables of another program; give this one a database of its own"),
    ("too many", "it has no connection left; end other programs, or raise its max_connections"),
    ("shutting down", _CUT),
    ("starting up", "the server is starting; wait, then start again"),
    ("connection refused", _ABSENT),
    ("connection timeout", _ABSENT),
    ("could not translate host", _ABSENT),
    ("failed to resolve", _ABSENT),
    ("no such file", _ABSENT),
    ("server closed the connection", _CUT),
    ("terminating connection", _CUT),
    ("connection is lost", _CUT),
    ("connection is closed", _CUT),
    ("consuming input failed", _CUT),
    ("idle-in-transaction timeout", _CUT),
)


@contextmanager
def plain_errors(url: str) -> Iterator[None]:
    """Turn whatever the database or its disk raises into a `StoreError` that says what to do."""
    try:
        yield
    except ImportError as error:
        raise StoreError(
            f"the campaign store {shown(url)} needs a driver that is not installed ({error}): "
            "pip install 'rlaios[postgres]'"
        ) from error
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise StoreError(_line(url, error)) from error


def shown(url: str) -> str:
    """A store as messages name it: SQLite's file, or the URL without its password."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return "(its URL cannot be read)"
    if parsed.get_backend_name() == "sqlite":
        return parsed.database or "in memory"
    return parsed.render_as_string(hide_password=True)


def _line(url: str, error: Exception) -> str:
    if isinstance(error, ArgumentError):
        return (
            "the store's database URL cannot be read: "
            "write sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME"
        )
    where = shown(url)
    cause = getattr(error, "orig", None) or error
    if isinstance(error, OSError):
        where = str(error.filename or where)
        cause = "no space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else (error.strerror or error)
    text = " ".join(str(cause).split())
    mend = next((mend for sign, mend in _MENDS if sign in text.lower()), "check it, then start again")
    return f"the campaign store {where} cannot be used ({text}): {mend}"
