"""Unit tables: for each kind, the size of each unit in the base unit."""

from fractions import Fraction

KINDS = {
    "length": {"mm": Fraction(1, 1000), "cm": Fraction(1, 100), "m": 1, "km": 1000, "in": Fraction(127, 5000)},
    "mass": {"g": 1, "kg": 1000, "t": 1000000},
    "time": {"s": 1, "min": 60, "h": 3600, "d": 86400},
}

ALIASES = {"meter": "m", "inch": "in", "gram": "g", "second": "s", "minute": "min", "hour": "h", "day": "d"}


def canonical(name):
    """The short name of a unit: '  Meters ' and 'meter' are both 'm'."""
    name = name.strip().lower()
    if name in ALIASES:
        return ALIASES[name]
    if name.endswith("s") and name[:-1] in ALIASES:
        return ALIASES[name[:-1]]
    return name


def kind_of(unit):
    for kind, table in KINDS.items():
        if unit in table:
            return kind
    raise KeyError(unit)


def factor(unit):
    """Size of a unit in the base unit of its kind."""
    return KINDS[kind_of(unit)][unit]


def compatible(first, second):
    return kind_of(first) == kind_of(second)


def units_of(kind, smallest_first=True):
    table = KINDS[kind]
    return sorted(table, key=table.get, reverse=not smallest_first)


def best_unit(value, kind):
    """The largest unit in which a value in base units is at least one."""
    best = units_of(kind)[0]
    for unit in units_of(kind):
        if abs(value) >= factor(unit):
            best = unit
    return best
