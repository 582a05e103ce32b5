from exprcalc.nodes import (
    Bin, Call, Neg, Num, Var, children, count_operators, substitute, variables, walk, widest_call,
)

A, B = Var("a"), Var("b")


def test_children():
    assert children(Bin("+", A, B)) == (A, B)
    assert children(Call("max", (B, A, B))) == (B, A, B)
    assert [children(Neg(A)), children(Num(3.0))] == [(A,), ()]


def test_walk_gives_parents_first():
    tree = Bin("*", Neg(A), B)
    assert list(walk(tree)) == [tree, Neg(A), A, B]


def test_variables_sorted_without_repeats():
    assert variables(Bin("+", Bin("-", B, A), Neg(B))) == ["a", "b"]
    assert variables(Num(1.0)) == []


def test_widest_call():
    assert widest_call(Call("max", (A, Call("min", (A, B, A))))) == 3
    assert widest_call(Neg(Call("max", (A, Call("abs", (B,)))))) == 2
    assert widest_call(Bin("+", A, B)) == 0


def test_count_operators_leaves_out_calls():
    assert count_operators(Call("max", (Neg(A), Bin("+", A, B)))) == 2
    assert count_operators(A) == 0


def test_substitute_in_operators():
    tree = Bin("-", A, Neg(B))
    assert substitute(tree, {"a": Num(1.0), "b": A}) == Bin("-", Num(1.0), Neg(A))


def test_substitute_in_call_keeps_the_rest():
    tree = Call("min", (A, B, Num(2.0)))
    assert substitute(tree, {"b": Num(7.0)}) == Call("min", (A, Num(7.0), Num(2.0)))
