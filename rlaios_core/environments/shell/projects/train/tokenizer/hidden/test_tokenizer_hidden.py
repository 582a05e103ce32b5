import pytest

from cursor import Cursor
from lexemes import Kind, LexError, Token, is_name_char, is_name_start
from lexer import (number_value, read_name, read_number, read_string,
                   read_symbol, skip_blanks, tokenize, unquote)
from streams import (find_unbalanced, group_lines, max_nesting, name_counts,
                     pairs, rebuild, split_arguments, token_at)

PROGRAM = 'let total = rate * (base + 2)  # sum\n\nif total >= 10.5 and ok -> [total, "a\\tb"]\n'


def texts(source):
    return [token.text for token in tokenize(source)]


def test_program_lines():
    assert group_lines(list(tokenize(PROGRAM))) == [
        ["let", "total", "=", "rate", "*", "(", "base", "+", "2", ")"],
        ["if", "total", ">=", "10.5", "and", "ok", "->", "[", "total", ",", '"a\\tb"', "]"]]


def test_program_kinds():
    kinds = [token.kind for token in tokenize("not x == 3 \"y\"")]
    assert kinds == [Kind.KEYWORD, Kind.NAME, Kind.SYMBOL, Kind.NUMBER, Kind.STRING]


def test_rebuild_every_token_position():
    line = "  let  x1 = [ 4,5 ] <= y"
    assert rebuild(list(tokenize(line))) == line


def test_token_at_agrees_with_positions():
    tokens = list(tokenize("ab  cde"))
    assert [token_at(tokens, 1, c) and token_at(tokens, 1, c).text for c in range(1, 9)] == [
        "ab", "ab", None, None, "cde", "cde", "cde", None]
    assert tokens[1].end_column == 8


def test_cursor_walk():
    cursor = Cursor("a\n\nbc")
    assert "".join(cursor.advance() for _ in range(5)) == "a\n\nbc"
    assert (cursor.line, cursor.column, cursor.at_end()) == (3, 3, True)
    with pytest.raises(EOFError):
        cursor.advance()


def test_cursor_takes():
    cursor = Cursor("===x")
    assert cursor.take_word("==") and not cursor.take_word("==")
    assert cursor.take_while(lambda c: c == "=") == "="
    assert (cursor.peek(), cursor.peek(1)) == ("x", "")


def test_skip_blanks_without_blanks():
    cursor = Cursor("x # y")
    skip_blanks(cursor)
    assert cursor.index == 0


def test_numbers():
    assert read_number(Cursor("10.05.6")).text == "10.05"
    assert [number_value(t) for t in tokenize("08 1.50")] == [8, 1.5]
    for bad in ("1_000", "2.5x"):
        with pytest.raises(LexError):
            read_number(Cursor(bad))


def test_strings():
    assert unquote(read_string(Cursor(r'"x\\" "y"')).text) == "x\\"
    assert unquote(r'"\n\n"') == "\n\n"
    with pytest.raises(ValueError):
        unquote("plain")


def test_error_places():
    with pytest.raises(LexError) as caught:
        list(tokenize('a\n  ? b'))
    assert (caught.value.line, caught.value.column) == (2, 3)
    with pytest.raises(LexError, match="open string at 1:3"):
        list(tokenize('a "bc'))


def test_names():
    assert read_name(Cursor("_a9-b")).text == "_a9"
    assert read_name(Cursor("letter")).kind is Kind.NAME
    assert is_name_start("Z") and is_name_char("0") and not is_name_start("0")


def test_symbols():
    assert texts("a>b>=c=d") == ["a", ">", "b", ">=", "c", "=", "d"]
    assert read_symbol(Cursor("]]")).is_symbol("]")


def test_brackets():
    assert find_unbalanced(list(tokenize("((x)"))).column == 1
    assert find_unbalanced(list(tokenize("[x)]"))).text == ")"
    assert find_unbalanced([]) is None
    assert max_nesting(list(tokenize("[([x])] (y)"))) == 3


def test_arguments_and_pairs():
    tokens = list(tokenize("f(1, 2), g, [3]"))
    assert split_arguments(tokens) == [["f", "(", "1", ",", "2", ")"], ["g"], ["[", "3", "]"]]
    assert len(list(pairs(tokens))) == len(tokens) - 1


def test_name_counts_on_program():
    tokens = list(tokenize(PROGRAM))
    assert name_counts(tokens, 2) == [("total", 3), ("base", 1)]
    assert len(name_counts(tokens)) == 3
    assert name_counts(tokens, 0) == []


def test_token_is_plain_tuple():
    assert Token(Kind.NAME, "n", 1, 2) == (Kind.NAME, "n", 1, 2)
