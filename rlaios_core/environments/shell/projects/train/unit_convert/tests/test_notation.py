from fractions import Fraction

import pytest

from notation import (
    compound_factor, dimension, format_duration, format_number, format_quantity,
    parse_compound, parse_quantity, parse_sum,
)


def test_parse_quantity():
    assert parse_quantity("2.5 km") == (Fraction(5, 2), "km")
    assert parse_quantity(" -3Hours ") == (-3, "h")


def test_parse_quantity_refuses():
    for text in ("km", "5", "1 km x"):
        with pytest.raises(ValueError, match="not a quantity"):
            parse_quantity(text)


def test_parse_sum():
    assert parse_sum("1h 30min") == 5400
    assert parse_sum("2 kg 5g") == 2005


def test_parse_sum_empty():
    assert parse_sum("") == 0
    assert parse_sum("  ") == 0


def test_parse_sum_refuses():
    with pytest.raises(ValueError, match="cannot read 'h'"):
        parse_sum("1min h")


def test_parse_compound():
    assert parse_compound("m*m/s") == {"m": 2, "s": -1}
    assert parse_compound("kg") == {"kg": 1}


def test_parse_compound_names_and_ones():
    assert parse_compound(" 1 / hour * s") == {"h": -1, "s": -1}


def test_parse_compound_cancels():
    assert parse_compound("m*s/s") == {"m": 1}
    assert parse_compound("") == {}


def test_dimension():
    assert dimension({"km": 1, "h": -2}) == {"length": 1, "time": -2}
    assert dimension({"km": 1, "m": -1}) == {}


def test_compound_factor():
    assert compound_factor({"km": 1, "h": -1}) == Fraction(5, 18)
    assert compound_factor({"cm": 2}) == Fraction(1, 10000)
    assert compound_factor({}) == 1


def test_format_number():
    assert format_number(Fraction(1, 3)) == "0.33"
    assert format_number(2.5) == "2.5"
    assert format_number(300) == "300"


def test_format_number_digits():
    assert format_number(300, digits=0) == "300"
    assert format_number(Fraction(1, 8), digits=3) == "0.125"


def test_format_quantity():
    assert format_quantity(Fraction(5, 2), "km") == "2.5 km"
    assert format_quantity(Fraction(2, 3), "h", digits=1) == "0.7 h"
    assert format_quantity(Fraction(2, 3), "h") == "0.67 h"


def test_format_duration_two_units():
    assert format_duration(3900) == "1h 05min"
    assert format_duration(86400) == "1d 00h"


def test_format_duration_small():
    assert format_duration(61) == "1min 01s"
    assert format_duration(59) == "59s"
    assert format_duration(0) == "0s"
