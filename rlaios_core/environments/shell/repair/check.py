"""Does an edit still compile, and is it really a change: decided on one statement alone."""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache
from types import CodeType

from .source import Statement

Key = tuple[object, ...]

# What a candidate would be warned of is the student's business, not the reader's of our output.
warnings.filterwarnings("ignore", category=SyntaxWarning, module=r"<edit>")


@lru_cache(maxsize=32768)
def code_key(statement: str, header: bool, in_loop: bool, asynchronous: bool = False) -> Key | None:
    """A key of what a statement does, equal for equal syntax trees; None when it does not compile.

    The compiled form is used because it is several times faster to get and to compare than
    a dumped tree. It may also be equal for different trees that mean the same (`2 - 1` and `1`),
    which is as good a reason to leave one of them out.
    """
    text = statement.removeprefix("el") if header and statement.startswith("elif") else statement
    if header:
        text = f"{text} ...\n" if text.lstrip().startswith(("def", "async def")) else f"{text} _0()\n"
        if text.startswith(("if", "while", "for")):
            text += " " * (2 if in_loop else 1) + "else: _1()\n"
    lead = "async def _():\n" if asynchronous else "def _():\n"
    body = f"{lead} while _:\n  {text}\n" if in_loop else f"{lead} {text}\n"
    try:
        code = compile(body, "<edit>", "exec", flags=0, dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return _key(code)


def statement_key(statement: Statement, text: str | None = None) -> Key | None:
    """The key of a statement as it is, or with another text."""
    asynchronous = isinstance(statement.function.node, ast.AsyncFunctionDef)
    return code_key(
        text if text is not None else statement.text, statement.is_header, statement.in_loop, asynchronous
    )


def _key(code: CodeType) -> Key:
    constants = tuple(
        _key(value) if isinstance(value, CodeType) else (type(value).__name__, repr(value))
        for value in code.co_consts
    )
    return (
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_argcount,
    )
