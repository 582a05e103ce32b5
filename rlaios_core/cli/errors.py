"""What a user sees when something is wrong: one line that says what, where and how to mend it."""

import errno
import sqlite3

from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from rlaios_core.environments import UnavailableError
from rlaios_core.environments.registry import UnknownEnvironmentError
from rlaios_core.schema.refusal import one_line, refusal_line

BAD_INPUT = 2
FAILED = 1
INTERRUPTED = 130


class CliError(Exception):
    """Bad input found by the command line itself."""


class StoppedError(Exception):
    """A campaign could not go on by itself; a person has to decide. Everything done so far is kept."""


def expected_errors() -> tuple[type[BaseException], ...]:
    """The errors that have a line of their own; anything else is a defect and keeps its traceback.

    Imported late: the control plane brings torch with it, which `--help` should not wait for.
    """
    from rlaios_core.control import ControlError
    from rlaios_core.student import CheckpointError

    return (
        CliError,
        StoppedError,
        ControlError,
        CheckpointError,
        UnavailableError,
        UnknownEnvironmentError,
        ValidationError,
        SQLAlchemyError,
        sqlite3.Error,
        OSError,
    )


def explain(error: BaseException) -> str:
    """The error as one line, with what was noted about it on its way (such as the Dagster run it ended)."""
    notes = "; ".join(getattr(error, "__notes__", ()))
    return f"{_explain(error)} ({notes})" if notes else _explain(error)


def _explain(error: BaseException) -> str:
    if isinstance(error, ValidationError):
        return refusal_line(error)
    if isinstance(error, SQLAlchemyError | sqlite3.Error):
        cause = getattr(error, "orig", None) or error
        return f"the campaign database cannot be used ({one_line(cause)}); look at store.db in RLAIOS_HOME"
    if isinstance(error, OSError):
        return _file_line(error)
    return one_line(error)


def exit_code(error: BaseException) -> int:
    """2 for what the caller can mend by other words or files, 1 for a campaign that stopped."""
    return FAILED if isinstance(error, StoppedError) else BAD_INPUT


def _file_line(error: OSError) -> str:
    where = error.filename or "the disk"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{where}: no space left; free some, or set RLAIOS_HOME to another disk, and start again"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{where}: may not be written; set RLAIOS_HOME to a folder of your own"
    if error.errno == errno.ENOENT:
        return f"{where}: does not exist"
    return f"{where}: {one_line(error.strerror or error)}"
