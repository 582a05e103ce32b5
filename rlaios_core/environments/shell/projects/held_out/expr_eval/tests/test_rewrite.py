from exprcalc.nodes import Bin, Call, Neg, Num, Var
from exprcalc.rewrite import (
    fold, format_number, parenthesize, precedence, simplify, simplify_product, simplify_sum, to_text,
)

X, Y, Z = Var("x"), Var("y"), Var("z")


def test_precedence():
    order = [Bin("-", X, Y), Bin("%", X, Y), Neg(X), Bin("^", X, Y), X]
    assert [precedence(node) for node in order] == [1, 2, 3, 4, 5]
    assert [precedence(Num(value)) for value in (-1.0, 0.0)] == [3, 5]


def test_format_number_and_parenthesize():
    assert [format_number(2.0), format_number(-0.5)] == ["2", "-0.5"]
    assert parenthesize(Neg(X), 3) == "-x"
    assert parenthesize(Neg(X), 4) == "(-x)"


def test_text_of_sums_and_products():
    assert to_text(Bin("-", Bin("-", X, Y), Z)) == "x - y - z"
    assert to_text(Bin("-", X, Bin("-", Y, Z))) == "x - (y - z)"
    assert to_text(Bin("*", Bin("+", X, Y), Neg(Z))) == "(x + y) * -z"


def test_text_of_powers_calls_and_signs():
    assert to_text(Bin("^", Bin("^", X, Y), Neg(Z))) == "(x^y)^-z"
    assert to_text(Neg(Bin("*", X, Num(2.0)))) == "-(x * 2)"
    assert to_text(Call("max", (Bin("+", X, Y), Num(0.5)))) == "max(x + y, 0.5)"


def test_simplify_sum_with_zero():
    zero = Num(0.0)
    assert simplify_sum("-", X, zero) == X
    assert simplify_sum("+", zero, X) == X
    assert simplify_sum("-", zero, X) == Neg(X)


def test_simplify_sum_of_equal_sides():
    assert simplify_sum("-", Neg(X), Neg(X)) == Num(0.0)
    assert simplify_sum("+", X, X) == Bin("+", X, X)
    assert simplify_sum("-", X, Y) == Bin("-", X, Y)


def test_simplify_product():
    zero, one = Num(0.0), Num(1.0)
    assert [simplify_product(zero, X), simplify_product(X, zero)] == [zero, zero]
    assert [simplify_product(one, X), simplify_product(Y, one)] == [X, Y]
    assert simplify_product(X, Y) == Bin("*", X, Y)


def test_fold_keeps_errors():
    assert fold("-", Num(2.0), Num(5.0)) == Num(-3.0)
    assert fold("/", Num(1.0), Num(0.0)) == Bin("/", Num(1.0), Num(0.0))


def test_simplify_divisors_powers_and_signs():
    one = Num(1.0)
    assert [simplify(Bin("/", X, one)), simplify(Bin("^", X, one))] == [X, X]
    for op, right in (("%", one), ("^", Num(2.0))):
        assert simplify(Bin(op, X, right)) == Bin(op, X, right)
    assert simplify(Neg(Neg(Neg(X)))) == Neg(X)


def test_simplify_works_from_the_leaves_up():
    tree = Bin("*", X, Bin("-", Num(3.0), Num(2.0)))
    assert simplify(Call("abs", (tree,))) == Call("abs", (X,))
    assert simplify(Bin("-", Bin("+", X, Num(0.0)), X)) == Num(0.0)
