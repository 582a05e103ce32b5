"""Reading and writing quantities."""

import re
from fractions import Fraction

from units import KINDS, canonical, factor, kind_of

PATTERN = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*")


def parse_quantity(text):
    """'2.5 km' to (Fraction(5, 2), 'km')."""
    match = PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f"not a quantity: {text!r}")
    number, name = match.groups()
    return (Fraction(number), canonical(name))


def parse_sum(text):
    """Base value of a sequence such as '1h 30min', read from the left."""
    text = text.strip()
    if not text:
        return 0
    match = PATTERN.match(text)
    if match is None:
        raise ValueError(f"cannot read {text!r}")
    value, unit = parse_quantity(match.group())
    return value * factor(unit) + parse_sum(text[match.end():])


def parse_compound(text):
    """Exponents of a compound unit: 'm*m/s' is {'m': 2, 's': -1}."""
    top, _, bottom = text.partition("/")
    powers = {}
    for part, sign in [(top, 1), (bottom, -1)]:
        for name in part.split("*"):
            if name.strip() in ("", "1"):
                continue
            unit = canonical(name)
            powers[unit] = powers.get(unit, 0) + sign
    return {unit: power for unit, power in powers.items() if power != 0}


def dimension(powers):
    """Add up exponents by kind of unit, without those that cancel."""
    kinds = dict.fromkeys(KINDS, 0)
    for unit, power in powers.items():
        kinds[kind_of(unit)] += power
    return {kind: power for kind, power in kinds.items() if power != 0}


def compound_factor(powers):
    result = Fraction(1)
    for unit, power in powers.items():
        result *= Fraction(factor(unit)) ** power
    return result


def format_number(value, digits=2):
    """Decimal text, rounded, without zeros at the end."""
    text = f"{float(value):.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text


def format_quantity(value, unit, digits=2):
    return f"{format_number(value, digits)} {unit}"


def format_duration(seconds):
    """'1h 05min' style text with the two leading units; '0s' for nothing."""
    parts = []
    for unit in ("d", "h", "min", "s"):
        count, seconds = divmod(seconds, factor(unit))
        if parts:
            parts.append(f"{count:02d}{unit}")
        elif count > 0 or unit == "s":
            parts.append(f"{count}{unit}")
    return " ".join(parts[:2])
