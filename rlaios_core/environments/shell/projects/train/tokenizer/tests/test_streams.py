from lexemes import Kind, Token
from streams import (find_unbalanced, group_lines, max_nesting, name_counts,
                     pairs, rebuild, split_arguments, token_at)


def symbols(text):
    """One token for each character: letters are names, the rest symbols."""
    return [Token(Kind.NAME if c.isalpha() else Kind.SYMBOL, c, 1, i + 1)
            for i, c in enumerate(text)]


def test_group_lines():
    tokens = [Token(Kind.NAME, "a", 1, 1), Token(Kind.NAME, "b", 1, 3), Token(Kind.NAME, "c", 4, 1)]
    assert group_lines(tokens) == [["a", "b"], ["c"]]
    assert group_lines([]) == []


def test_find_unbalanced_none():
    assert find_unbalanced(symbols("(a[b](c))")) is None


def test_find_unbalanced_wrong_closer():
    assert find_unbalanced(symbols("(a])")).column == 3
    assert find_unbalanced(symbols("a)")).column == 2


def test_find_unbalanced_open_bracket():
    assert find_unbalanced(symbols("[(a")).column == 1
    assert find_unbalanced([Token(Kind.STRING, "(", 1, 1)]) is None


def test_max_nesting():
    assert max_nesting(symbols("(a)[(b)](c)")) == 2
    assert max_nesting(symbols("a")) == 0
    assert max_nesting(symbols("[a][b]")) == 1


def test_split_arguments_outside_brackets():
    assert split_arguments(symbols("a,(b,c),[d,e]")) == [
        ["a"], ["(", "b", ",", "c", ")"], ["[", "d", ",", "e", "]"]]
    assert split_arguments([]) == []
    assert split_arguments(symbols("a,")) == [["a"], []]


def test_name_counts_order_and_limit():
    assert name_counts(symbols("b+d+a+c+b")) == [("b", 2), ("a", 1), ("c", 1)]
    assert name_counts(symbols("b+a+b"), limit=1) == [("b", 2)]


def test_pairs():
    assert list(pairs(symbols("a+b"))) == [("a", "+"), ("+", "b")]
    assert list(pairs(symbols("a"))) == []


def test_rebuild_pads_to_columns():
    tokens = [Token(Kind.NAME, "ab", 1, 3), Token(Kind.SYMBOL, "+", 1, 5), Token(Kind.NAME, "c", 1, 8)]
    assert rebuild(tokens) == "  ab+  c"


def test_token_at_edges():
    token = Token(Kind.NAME, "abc", 2, 4)
    assert [token_at([token], 2, c) for c in (3, 4, 6, 7)] == [None, token, token, None]
    assert token_at([token], 1, 5) is None
