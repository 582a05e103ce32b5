from exprcalc.nodes import Bin, Call, Neg, Num, Var, children, count_operators, substitute, variables, walk, widest_call
from exprcalc.parser import parse

P, Q = Var("p"), Var("q")


def test_children_and_walk_agree_on_a_call():
    tree = Call("clip", (P, Num(1.0), Neg(Q)))
    assert children(tree) == (P, Num(1.0), Neg(Q))
    assert list(walk(tree)) == [tree, P, Num(1.0), Neg(Q), Q]


def test_counts_on_parsed_text():
    tree = parse("-(p + q) * max(q, -p, 3) - zeta")
    assert count_operators(tree) == 5
    assert [widest_call(tree), widest_call(parse("f() * p")), widest_call(parse("f(q)"))] == [3, 0, 1]
    assert variables(tree) == ["p", "q", "zeta"]


def test_substitute_can_swap_variables():
    tree = parse("p ^ -q - min(p, q, 4)")
    assert substitute(tree, {"p": Q, "q": P}) == parse("q ^ -p - min(q, p, 4)")
    assert substitute(tree, {}) == tree


def test_walk_length_matches_children():
    tree = parse("abs(p) % (q - 2)")
    assert len(list(walk(tree))) == 1 + sum(len(list(walk(c))) for c in children(tree))
