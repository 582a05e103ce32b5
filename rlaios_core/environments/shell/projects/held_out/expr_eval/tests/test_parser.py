import pytest

from exprcalc.nodes import Bin, Call, Neg, Num, Var
from exprcalc.parser import (
    ParseError, Reader, parse, parse_arguments, parse_atom, parse_power, parse_product,
    parse_signed, parse_sum,
)

X, Y, Z = Var("x"), Var("y"), Var("z")


def test_reader_peek_skips_blanks():
    reader = Reader("   ab")
    assert reader.peek() == "a"
    assert reader.pos == 3


def test_reader_accept():
    reader = Reader("*/")
    assert reader.accept("+-") == ""
    assert reader.accept("/*") == "*"
    assert reader.pos == 1


def test_reader_at_end():
    reader = Reader("")
    assert reader.accept("+-") == ""
    assert reader.pos == 0
    assert Reader("  ").peek() == ""


def test_reader_expect():
    reader = Reader(" )")
    reader.expect(")")
    assert reader.pos == 2
    with pytest.raises(ParseError):
        reader.expect(")")


def test_error_column_counts_from_one():
    with pytest.raises(ParseError) as info:
        parse("2 + ?")
    assert info.value.column == 5
    assert str(info.value) == "expected a value at column 5"
    with pytest.raises(ParseError) as info:
        parse("x y")
    assert info.value.column == 3


def test_sums_and_products_group_to_the_left():
    assert parse_sum(Reader("x - y + z")) == Bin("+", Bin("-", X, Y), Z)
    assert parse_product(Reader("x / y % z")) == Bin("%", Bin("/", X, Y), Z)


def test_sign_binds_less_than_power():
    assert parse_signed(Reader("--x^y")) == Neg(Neg(Bin("^", X, Y)))
    assert parse_power(Reader("x^-y^z")) == Bin("^", X, Neg(Bin("^", Y, Z)))


def test_atom_numbers():
    assert parse_atom(Reader(" 12.50")) == Num(12.5)
    assert parse_atom(Reader(".5")) == Num(0.5)


def test_atom_call_or_name():
    assert parse_atom(Reader("MAX (x)")) == Call("max", (X,))
    assert parse_atom(Reader("_Rate2")) == Var("_Rate2")


def test_parentheses_must_close():
    assert parse("(x + y) * z") == Bin("*", Bin("+", X, Y), Z)
    with pytest.raises(ParseError):
        parse("(x + y")


def test_arguments():
    assert parse_arguments(Reader(")")) == ()
    assert parse_arguments(Reader("x, y + z)")) == (X, Bin("+", Y, Z))
    with pytest.raises(ParseError):
        parse_arguments(Reader("x, y"))

