import pytest

from exprcalc.evaluate import EvalError, apply_operator, call_function, evaluate, run_program, tabulate
from exprcalc.nodes import Bin, Neg, Num, Var
from exprcalc.parser import parse
from exprcalc.rewrite import fold, format_number, precedence, simplify, simplify_product, simplify_sum, to_text


def test_operator_results_on_other_numbers():
    assert [apply_operator(op, -9, 4) for op in "+-*/%^"] == [-5, -13, -36, -2.25, 3, 6561]
    assert apply_operator("^", -9, -1.0) == pytest.approx(-1 / 9)


def test_function_bounds():
    assert [call_function("clip", [v, -1, 1]) for v in (-3, -1, 0, 1, 8)] == [-1, -1, 0, 1, 1]
    assert call_function("mean", [5]) == 5
    for func, values in (("round", []), ("round", [1, 2, 3]), ("log", [1])):
        with pytest.raises(EvalError):
            call_function(func, values)


def test_evaluate_parsed_text():
    env = {"w": 3.0, "h": 4.0}
    assert evaluate(parse("sqrt(w^2 + h^2) - -w % 2"), env) == 4.0
    assert evaluate(parse("min(w, h) / max(w, h)"), env) == 0.75
    for text in ("1 / (w - 3)", "w % (h - 4)", "(w - 3) ^ -2", "(w - h) ^ 1.5", "w * d"):
        with pytest.raises(EvalError):
            evaluate(parse(text), env)


def test_program_can_overwrite():
    assert run_program("n = 1\nn = n + 1\nm = n ^ 3 # cube", {"m": 0.0}) == {"m": 8.0, "n": 2.0}
    assert run_program("", {}) == {}
    assert run_program("\n  # note\nk = 1", {}) == {"k": 1.0}
    with pytest.raises(EvalError):
        run_program("a b = 2", {})


def test_tabulate_negative_range():
    assert tabulate("abs(t) - 1", "t", -2, 0) == [1.0, 0.0, -1.0]
    assert tabulate("t * 2", "t", 5, 5) == [10.0]


@pytest.mark.parametrize("text", [
    "a - (b + c)", "(a - b) % c", "-a^b", "(-a)^-b^c", "a / (b * c)", "--a - -(b - c)", "(a^b)^c * max(a, b % c)",
])
def test_printed_text_parses_to_the_same_tree(text):
    assert to_text(parse(text)) == text


def test_simplify_keeps_the_value():
    for text in ("0 - x", "x - x + 1 * x", "x * 0 + 2 ^ 3", "(x + 0) / 1", "x ^ 1 % 1", "--x - (1 - 4)"):
        tree = parse(text)
        assert evaluate(simplify(tree), {"x": 2.5}) == evaluate(tree, {"x": 2.5})


def test_simplify_pieces():
    m = Var("m")
    assert simplify_sum("-", Num(0.0), m) == Neg(m)
    assert simplify_product(m, m) == Bin("*", m, m)
    assert [simplify_product(Num(1.0), m), simplify_product(m, Num(1.0))] == [m, m]
    assert simplify(parse("max(m * 0, --m)")) == parse("max(0, m)")
    assert fold("%", Num(7.0), Num(4.0)) == Num(3.0)
    assert simplify(parse("1 % 0")) == Bin("%", Num(1.0), Num(0.0))


def test_negative_constant_as_base():
    assert to_text(Bin("^", simplify(parse("1 - 3")), Var("n"))) == "(-2)^n"
    assert [format_number(-3.0), format_number(0.25)] == ["-3", "0.25"]
    assert precedence(parse("f(x) - 1")) == 1
