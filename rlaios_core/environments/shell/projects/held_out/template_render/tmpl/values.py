"""Looking up values and passing them through filters."""

from typing import Any, Callable

from tmpl.pieces import TemplateError, split_outside_quotes

CONSTANTS = {"true": True, "false": False, "none": None}


def step_into(value: Any, key: str) -> Any:
    """One step of a dotted path: a dictionary key or a position in a list."""
    if isinstance(value, dict) and key in value:
        return value[key]
    if isinstance(value, (list, tuple)) and key.isdigit() and int(key) < len(value):
        return value[int(key)]
    return None


def resolve(path: str, context: dict) -> Any:
    """Value of a dotted path such as user.tags.0, or None when it is missing."""
    value = context
    for key in path.split("."):
        value = step_into(value, key)
    return value


def read_literal(text: str) -> Any:
    """A quoted string or a number; raises ValueError for anything else."""
    if len(text) > 1 and text[0] == '"' and text[-1] == '"':
        return text[1:-1]
    return float(text) if "." in text else int(text)


def read_operand(text: str, context: dict) -> Any:
    """A constant, a literal or a path."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    try:
        return read_literal(text)
    except ValueError:
        return resolve(text, context)


def to_string(value: Any) -> str:
    """Text of a value in the output; None is empty, 2.0 is written as 2."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def shorten(value: Any, length: int = 20, end: str = "...") -> str:
    """Cut a text to at most `length` characters, the end mark included."""
    text = to_string(value)
    if len(text) <= length:
        return text
    return text[:length - len(end)].rstrip() + end


def pick_form(count: int, *forms: str) -> str:
    """The form for 0, 1, 2 and so on; the last form is used for all the rest."""
    if not forms or count < 0:
        raise TemplateError(f"no form for {count}")
    return forms[min(count, len(forms) - 1)]


def escape(value: Any) -> str:
    """Make text safe inside markup."""
    text = to_string(value).replace("&", "&amp;")
    return text.replace("<", "&lt;").replace(">", "&gt;")


def group_digits(number: int, mark: str = ",") -> str:
    """Put a mark between groups of three digits."""
    digits = str(abs(number))
    groups = [digits[max(end - 3, 0):end] for end in range(len(digits), 0, -3)]
    return ("-" if number < 0 else "") + mark.join(reversed(groups))


FILTERS: dict[str, Callable] = {
    "upper": lambda value: to_string(value).upper(),
    "title": lambda value: to_string(value).strip().title(),
    "default": lambda value, other="": other if value is None else value,
    "join": lambda values, mark=", ": mark.join(to_string(item) for item in values),
    "sort": lambda values: sorted(values),
    "size": lambda value: len(value),
    "first": lambda values, count=1: values[:count],
    "shorten": shorten,
    "form": pick_form,
    "escape": escape,
    "group": group_digits,
}


def apply_filter(value: Any, call: str, context: dict) -> Any:
    """Apply one filter given as `name` or `name: argument, argument`."""
    name, colon, rest = call.partition(":")
    name = name.strip()
    if name not in FILTERS:
        raise TemplateError(f"unknown filter {name!r}")
    args = [read_operand(part, context) for part in split_outside_quotes(rest, ",")] if colon else []
    return FILTERS[name](value, *args)


def compute(expression: str, context: dict) -> Any:
    """Value of `operand | filter | filter ...`."""
    operand, *calls = split_outside_quotes(expression, "|")
    if not operand:
        raise TemplateError("empty expression")
    value = read_operand(operand, context)
    for call in calls:
        value = apply_filter(value, call, context)
    return value
