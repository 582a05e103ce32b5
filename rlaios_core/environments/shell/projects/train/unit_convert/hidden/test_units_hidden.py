from fractions import Fraction

import pytest

from convert import (
    add_quantities, convert, convert_all, join_units, largest, neighbors, split_units,
    steps_between, temperature, to_kelvin,
)
from notation import (
    compound_factor, dimension, format_duration, format_number, format_quantity,
    parse_compound, parse_quantity, parse_sum,
)
from units import KINDS, best_unit, canonical, compatible, factor, kind_of, units_of


def test_names():
    assert [canonical(n) for n in ("Inch", " days", "GRAM ", "seconds", "mm")] == ["in", "d", "g", "s", "mm"]
    assert canonical("minutex") == "minutex" and canonical("secondss") == "secondss"
    assert [kind_of(u) for u in ("t", "d", "mm")] == ["mass", "time", "length"]
    with pytest.raises(KeyError):
        factor("stone")


def test_tables_are_ordered():
    for kind in KINDS:
        names = units_of(kind)
        sizes = [factor(name) for name in names]
        assert sizes == sorted(sizes)
        assert units_of(kind, smallest_first=False) == names[::-1]
    assert units_of("length") == ["mm", "cm", "in", "m", "km"]


def test_best_units():
    assert [best_unit(v, "mass") for v in (0, 999, 1000, 999999, 1000000, -1000)] == ["g", "g", "kg", "kg", "t", "kg"]
    assert [best_unit(v, "time") for v in (3599, 3600, 86399, 86400)] == ["min", "h", "h", "d"]


def test_convert_round_trip():
    for kind in KINDS:
        for a in units_of(kind):
            for b in units_of(kind):
                assert convert(convert(7, a, b), b, a) == 7
                assert compatible(a, b)
    assert not compatible("kg", "d")
    with pytest.raises(ValueError):
        convert(4, "kg", "km")


def test_convert_values():
    assert convert(36, "h", "d") == Fraction(3, 2)
    assert convert_all([0, 5, 10], "mm", "cm") == [0, Fraction(1, 2), 1]


def test_temperatures():
    assert [temperature(t, "F", "C") for t in (-40, 32, 212)] == [-40, 0, 100]
    assert temperature(25, "C", "K") == Fraction(29815, 100)
    assert temperature(temperature(61, "F", "K"), "K", "F") == 61
    assert temperature(-300, "F", "C") == Fraction(-1660, 9)
    assert temperature(Fraction(-27315, 100), "C", "K") == 0
    for degrees, scale in ((-274, "C"), (-460, "F"), (-2, "K"), (1, "X")):
        with pytest.raises(ValueError):
            temperature(degrees, scale, "K")
    assert to_kelvin(-40, "F") == to_kelvin(-40, "C") and to_kelvin(9, "K") == 9


def test_split_and_join():
    names = ["d", "h", "min", "s"]
    assert split_units(100000, names) == [1, 3, 46, 40]
    for value in (0, 59, 60, 3599, 3600, 86399, 200000):
        assert join_units(split_units(value, names), names) == value
    assert join_units([3, 2], ["t", "kg"]) == 3002000


def test_pairs():
    assert add_quantities((10, "cm"), (1, "m")) == (110, "cm")
    assert add_quantities((1, "m"), (-10, "cm")) == (Fraction(9, 10), "m")
    with pytest.raises(ValueError):
        add_quantities((1, "m"), (1, "g"))
    assert largest([(5, "cm"), (2, "in"), (49, "mm")]) == (2, "in")
    assert largest([(1000, "g"), (1, "kg")]) == (1000, "g")
    with pytest.raises(ValueError):
        largest([])


def test_steps_and_neighbors():
    assert steps_between(0, 7200, "h") == [0, 3600, 7200]
    assert steps_between(5, 4, "s") == [] and steps_between(5, 5, "s") == [5]
    assert [neighbors(u, "length") for u in ("mm", "in", "km")] == [(None, "cm"), ("cm", "m"), ("m", None)]


def test_reading_quantities():
    assert parse_quantity("0.25minutes") == (Fraction(1, 4), "min")
    assert parse_quantity("  12   T") == (12, "t")
    for text in ("", "1.km", "--2 m", "3 4 m"):
        with pytest.raises(ValueError):
            parse_quantity(text)


def test_reading_sums():
    assert parse_sum(" 1d 1h 1min 1s ") == 90061
    assert parse_sum("1.5 km -20m") == 1480
    assert parse_sum("") == 0
    for text in ("5", "3m, 2m", "m 3"):
        with pytest.raises(ValueError):
            parse_sum(text)


def test_compounds():
    assert parse_compound("kg*meter/ s*s") == {"kg": 1, "m": 1, "s": -2}
    assert parse_compound("h/h") == {} and parse_compound("1/d") == {"d": -1}
    assert dimension(parse_compound("kg*km/h*s*m")) == {"mass": 1, "time": -2}
    assert compound_factor(parse_compound("t/m*cm")) == 100000000
    assert compound_factor({"min": -2}) == Fraction(1, 3600)


def test_numbers():
    assert [format_number(v) for v in (0, 10, 0.5, -1.25, 2.999)] == ["0", "10", "0.5", "-1.25", "3"]
    assert [format_number(200, d) for d in (0, 1)] == ["200", "200"]
    assert format_quantity(Fraction(22, 7), "kg", digits=4) == "3.1429 kg"
    assert format_quantity(Fraction(22, 7), "kg") == "3.14 kg"


def test_durations():
    values = [format_duration(s) for s in (1, 60, 3599, 3600, 86399, 90061, 900000)]
    assert values == ["1s", "1min 00s", "59min 59s", "1h 00min", "23h 59min", "1d 01h", "10d 10h"]
    assert format_duration(0) == "0s"
