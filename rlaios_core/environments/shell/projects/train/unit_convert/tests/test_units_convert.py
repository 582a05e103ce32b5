from fractions import Fraction

import pytest

from convert import (
    add_quantities, convert, convert_all, join_units, largest, neighbors, split_units,
    steps_between, temperature, to_kelvin,
)
from units import best_unit, canonical, compatible, factor, kind_of, units_of


def test_canonical_alias():
    assert canonical(" Meter ") == "m"
    assert canonical("HOURS") == "h"


def test_canonical_leaves_others():
    assert canonical("kg") == "kg"
    assert canonical("s") == "s"
    assert canonical("metre") == "metre"


def test_canonical_needs_the_plural_s():
    assert canonical("meterx") == "meterx"
    assert canonical("glass") == "glass"


def test_kind_of():
    assert kind_of("min") == "time"
    assert kind_of("in") == "length"
    with pytest.raises(KeyError):
        kind_of("parsec")


def test_factor():
    assert factor("h") == 3600
    assert factor("cm") == Fraction(1, 100)


def test_compatible():
    assert compatible("mm", "km") is True
    assert compatible("m", "s") is False


def test_units_of():
    assert units_of("time") == ["s", "min", "h", "d"]
    assert units_of("mass", smallest_first=False) == ["t", "kg", "g"]


def test_best_unit_at_limits():
    assert best_unit(59, "time") == "s"
    assert best_unit(60, "time") == "min"
    assert best_unit(-3600, "time") == "h"


def test_best_unit_of_tiny_value():
    assert best_unit(0, "length") == "mm"
    assert best_unit(Fraction(1, 100), "length") == "cm"


def test_convert():
    assert convert(3, "km", "m") == 3000
    assert convert(50, "in", "cm") == 127
    assert convert(90, "s", "min") == Fraction(3, 2)


def test_convert_refuses_other_kind():
    with pytest.raises(ValueError, match="cannot convert m to s"):
        convert(1, "m", "s")


def test_convert_all():
    assert convert_all([1, -2], "h", "min") == [60, -120]
    assert convert_all([], "h", "min") == []


def test_to_kelvin():
    assert to_kelvin(5, "K") == 5
    assert to_kelvin(0, "C") == Fraction(27315, 100)
    assert to_kelvin(50, "F") == Fraction(28315, 100)


def test_to_kelvin_unknown_scale():
    with pytest.raises(ValueError, match="scale R"):
        to_kelvin(5, "R")


def test_temperature():
    assert temperature(100, "C", "F") == 212
    assert temperature(-40, "F", "C") == -40
    assert temperature(0, "C", "K") == Fraction(27315, 100)


def test_temperature_absolute_zero():
    assert temperature(0, "K", "C") == Fraction(-27315, 100)
    with pytest.raises(ValueError, match="absolute zero"):
        temperature(-1, "K", "C")


def test_split_units():
    assert split_units(3725, ["h", "min", "s"]) == [1, 2, 5]
    assert split_units(59, ["min", "s"]) == [0, 59]


def test_join_units():
    assert join_units([2, 30], ["h", "min"]) == 9000
    assert join_units([], []) == 0


def test_add_quantities():
    assert add_quantities((2, "h"), (30, "min")) == (Fraction(5, 2), "h")


def test_largest():
    assert largest([(900, "m"), (3, "km"), (2, "m")]) == (3, "km")
    assert largest([(60, "s"), (1, "min")]) == (60, "s")


def test_largest_of_nothing():
    with pytest.raises(ValueError, match="nothing"):
        largest([])


def test_steps_between():
    assert steps_between(60, 180, "min") == [60, 120, 180]
    assert steps_between(30, 149, "min") == [30, 90]


def test_neighbors():
    assert neighbors("h", "time") == ("min", "d")
    assert neighbors("g", "mass") == (None, "kg")
    assert neighbors("t", "mass") == ("kg", None)
