"""What pydantic refuses, as one line for the person who wrote it."""

from pydantic import ValidationError

_WORDS = {"extra_forbidden": "there is no such setting", "missing": "is required"}


def refusal_line(error: ValidationError) -> str:
    """The first refused setting by its dotted name, why, and what was given."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or error.title
    value = "" if first["type"] in _WORDS else f" (got {first['input']!r})"
    return one_line(f"{where}: {_WORDS.get(first['type'], first['msg'])}{value}")


def one_line(message: object) -> str:
    """The text without line breaks."""
    return " ".join(str(message).split())
