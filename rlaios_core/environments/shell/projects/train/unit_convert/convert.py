"""Conversions between units, temperatures and mixed sizes."""

from fractions import Fraction

from units import compatible, factor, units_of


def convert(value, source, target):
    """Exact conversion; the result is a Fraction or an int."""
    if not compatible(source, target):
        raise ValueError(f"cannot convert {source} to {target}")
    return Fraction(value) * factor(source) / factor(target)


def convert_all(values, source, target):
    return [convert(value, source, target) for value in values]


def to_kelvin(degrees, scale):
    if scale == "K":
        return Fraction(degrees)
    if scale == "C":
        return degrees + Fraction(27315, 100)
    if scale == "F":
        return (degrees - 32) * Fraction(5, 9) + Fraction(27315, 100)
    raise ValueError(f"unknown scale {scale}")


def temperature(degrees, source, target):
    """Convert a temperature; below absolute zero is an error."""
    kelvin = to_kelvin(degrees, source)
    if kelvin < 0:
        raise ValueError("below absolute zero")
    if target == "K":
        return kelvin
    celsius = kelvin - Fraction(27315, 100)
    if target == "C":
        return celsius
    return celsius * Fraction(9, 5) + 32


def split_units(value, units):
    """Break a whole base value into counts of the given units, largest first."""
    counts = []
    rest = value
    for unit in units:
        count, rest = divmod(rest, factor(unit))
        counts.append(count)
    return counts


def join_units(counts, units):
    """The base value of counts of units, the inverse of split_units."""
    total = 0
    for count, unit in zip(counts, units):
        total += count * factor(unit)
    return total


def add_quantities(first, second):
    """Sum of two (value, unit) pairs, in the unit of the first."""
    value, unit = first
    return (value + convert(second[0], second[1], unit), unit)


def largest(quantities):
    """The largest of several (value, unit) pairs; the first one wins a tie."""
    if not quantities:
        raise ValueError("nothing to compare")
    return max(quantities, key=lambda q: q[0] * factor(q[1]))


def steps_between(low, high, unit):
    """Whole steps of a unit from low to high, both ends included, in base units."""
    size = factor(unit)
    return list(range(low, high + 1, size))


def neighbors(unit, kind):
    """The next smaller and the next larger unit of a kind, None where there is none."""
    names = units_of(kind)
    i = names.index(unit)
    smaller = names[i - 1] if i > 0 else None
    larger = names[i + 1] if i < len(names) - 1 else None
    return smaller, larger
