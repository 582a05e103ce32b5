import pytest

from exprcalc.evaluate import (
    EvalError, apply_operator, call_function, evaluate, run_program, tabulate,
)
from exprcalc.nodes import Bin, Call, Neg, Num, Var


def test_operators():
    results = [apply_operator(op, 7, 2) for op in "+-*/%^"]
    assert results == [9, 5, 14, 3.5, 1, 49]


def test_division_by_zero():
    for op in "/%":
        with pytest.raises(EvalError):
            apply_operator(op, 1, 0)
    assert apply_operator("*", 1, 0) == 0


def test_powers_without_value():
    with pytest.raises(EvalError):
        apply_operator("^", -0.5, 0.5)
    with pytest.raises(EvalError):
        apply_operator("^", 0, -1)


def test_powers_at_the_edge():
    assert apply_operator("^", -2, 3) == -8
    assert apply_operator("^", 0, 0.5) == 0
    assert apply_operator("^", 0, 0) == 1


def test_signs_matter_only_for_powers():
    assert apply_operator("*", -4, 0.5) == -2
    assert apply_operator("+", 0, -1) == -1
    assert apply_operator("^", 4, -0.5) == 0.5


def test_functions():
    assert call_function("mean", [1, 2, 6]) == 3
    assert [call_function("clip", [v, 2, 5]) for v in (1, 3, 9)] == [2, 3, 5]
    assert call_function("round", [2.26, 1]) == 2.3


def test_function_argument_counts():
    assert call_function("round", [2.6]) == 3
    assert call_function("max", [4]) == 4
    with pytest.raises(EvalError):
        call_function("max", [])
    with pytest.raises(EvalError):
        call_function("abs", [1, 2])


def test_unknown_names():
    assert evaluate(Var("zero"), {"zero": 0}) == 0
    with pytest.raises(EvalError):
        evaluate(Var("y"), {"x": 1.0})
    with pytest.raises(EvalError):
        call_function("sinus", [1])


def test_evaluate_tree():
    tree = Bin("-", Neg(Var("x")), Call("abs", (Num(-2.0),)))
    assert evaluate(tree, {"x": 5.0}) == -7.0


def test_program_assigns_in_order():
    source = "\na = base * 2   # doubled\n b=a+1\n# done\n"
    start = {"base": 3.0}
    assert run_program(source, start) == {"base": 3.0, "a": 6.0, "b": 7.0}
    assert start == {"base": 3.0}


@pytest.mark.parametrize("line", ["x + 1", "2x = 1", "total"])
def test_program_rejects_other_lines(line):
    with pytest.raises(EvalError):
        run_program(line, {"x": 1.0})


def test_tabulate_includes_both_ends():
    assert tabulate("n^2", "n", 1, 3) == [1.0, 4.0, 9.0]
    assert tabulate("n", "n", 2, 1) == []
