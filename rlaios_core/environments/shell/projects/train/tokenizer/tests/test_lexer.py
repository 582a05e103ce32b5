import pytest

from cursor import Cursor
from lexemes import Kind, LexError, Token, is_name_char, is_name_start
from lexer import (number_value, read_name, read_number, read_string,
                   read_symbol, skip_blanks, tokenize, unquote)


def test_end_column():
    assert Token(Kind.NAME, "total", 1, 4).end_column == 9


def test_is_symbol_needs_kind_and_text():
    assert Token(Kind.SYMBOL, "(", 1, 1).is_symbol("(") is True
    assert Token(Kind.SYMBOL, ")", 1, 1).is_symbol("(") is False
    assert Token(Kind.STRING, "(", 1, 1).is_symbol("(") is False


def test_lex_error_carries_place():
    error = LexError("oops", 3, 8)
    assert str(error) == "oops at 3:8"
    assert (error.line, error.column) == (3, 8)


def test_name_characters():
    assert [is_name_start(c) for c in ("a", "_", "4", "-")] == [True, True, False, False]
    assert [is_name_char(c) for c in ("a", "_", "4", "-")] == [True, True, True, False]


def test_skip_blanks_and_comments():
    cursor = Cursor("  # one\n # two\n  x")
    skip_blanks(cursor)
    assert (cursor.peek(), cursor.line, cursor.column) == ("x", 3, 3)
    cursor = Cursor("# only")
    skip_blanks(cursor)
    assert cursor.at_end() is True


def test_read_name_and_keyword():
    assert read_name(Cursor("rate_2+1")) == Token(Kind.NAME, "rate_2", 1, 1)
    assert read_name(Cursor("let x")) == Token(Kind.KEYWORD, "let", 1, 1)


def test_read_number_whole_and_decimal():
    assert read_number(Cursor("42,")).text == "42"
    assert read_number(Cursor("3.25)")) == Token(Kind.NUMBER, "3.25", 1, 1)


def test_read_number_leaves_trailing_dot():
    cursor = Cursor("7.")
    assert read_number(cursor).text == "7"
    assert cursor.peek() == "."
    assert read_number(Cursor("7.x")).text == "7"


def test_read_number_before_space_and_digit():
    cursor = Cursor("1 5")
    assert read_number(cursor).text == "1"
    assert cursor.index == 1


def test_read_number_glued_to_name():
    with pytest.raises(LexError, match="bad number at 1:1"):
        read_number(Cursor("12px"))


def test_read_string_keeps_quotes():
    cursor = Cursor('"hi" + x')
    assert read_string(cursor) == Token(Kind.STRING, '"hi"', 1, 1)
    assert cursor.index == 4


def test_read_string_with_escaped_quote():
    assert read_string(Cursor(r'"a\"b" c')).text == r'"a\"b"'


def test_read_string_open_at_end_or_newline():
    with pytest.raises(LexError, match="open string at 1:1"):
        read_string(Cursor('"abc'))
    with pytest.raises(LexError):
        read_string(Cursor('"abc\ndef"'))


def test_read_string_ending_in_backslash():
    with pytest.raises(LexError):
        read_string(Cursor('"abc\\'))


def test_read_symbol_prefers_long_ones():
    assert [read_symbol(Cursor(t)).text for t in ("<=1", "<1", "->", "-1", "==")] == [
        "<=", "<", "->", "-", "=="]


def test_read_symbol_unknown():
    with pytest.raises(LexError, match="unexpected '@' at 1:1"):
        read_symbol(Cursor("@"))


def test_tokenize_kinds_and_places():
    assert list(tokenize('let a\n "s"')) == [
        Token(Kind.KEYWORD, "let", 1, 1),
        Token(Kind.NAME, "a", 1, 5),
        Token(Kind.STRING, '"s"', 2, 2)]
    assert list(tokenize("")) == []
    assert list(tokenize(" \n# x")) == []


def test_tokenize_dense_expression():
    assert [t.text for t in tokenize("f(x1,2.5)>=-3")] == [
        "f", "(", "x1", ",", "2.5", ")", ">=", "-", "3"]


def test_unquote_plain_and_escapes():
    assert unquote('"abc"') == "abc"
    assert unquote(r'"a\tb\\n"') == "a\tb\\n"
    assert unquote(r'"\q\"!"') == '\\q"!'
    assert unquote('""') == ""


def test_unquote_rejects_unquoted():
    for text in ('"', 'ab"', '"ab'):
        with pytest.raises(ValueError):
            unquote(text)


def test_number_value():
    assert number_value(Token(Kind.NUMBER, "12", 1, 1)) == 12
    assert number_value(Token(Kind.NUMBER, "0.5", 1, 1)) == 0.5
    with pytest.raises(TypeError):
        number_value(Token(Kind.STRING, "12", 1, 1))
