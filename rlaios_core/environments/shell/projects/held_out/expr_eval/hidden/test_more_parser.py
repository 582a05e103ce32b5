import pytest

from exprcalc.nodes import Bin, Call, Neg, Num, Var
from exprcalc.parser import ParseError, Reader, parse, parse_arguments, parse_atom, parse_signed


def test_precedence_of_all_operators():
    assert parse("1 - 2 * 3 ^ 4 / 5") == Bin(
        "-", Num(1.0), Bin("/", Bin("*", Num(2.0), Bin("^", Num(3.0), Num(4.0))), Num(5.0)))


def test_sign_inside_a_product():
    assert parse("4*-k") == Bin("*", Num(4.0), Neg(Var("k")))
    assert parse_signed(Reader("-2^2")) == Neg(Bin("^", Num(2.0), Num(2.0)))


@pytest.mark.parametrize("text, column", [("", 1), ("4 +", 4), ("(1", 3), ("f(1,", 5), ("3 $", 3), ("1.", 2)])
def test_error_columns(text, column):
    with pytest.raises(ParseError) as info:
        parse(text)
    assert info.value.column == column


def test_reader_moves_over_what_it_consumes():
    reader = Reader(" f ( 1 , g() ) tail")
    assert parse_atom(reader) == Call("f", (Num(1.0), Call("g", ())))
    assert reader.peek() == "t"
    assert reader.pos == 15


def test_arguments_of_nested_calls():
    assert parse_arguments(Reader("F(a), (b))")) == (Call("f", (Var("a"),)), Var("b"))
    with pytest.raises(ParseError):
        parse_arguments(Reader("a b)"))
