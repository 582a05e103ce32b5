import pytest

from cursor import Cursor


def test_peek_and_peek_ahead():
    cursor = Cursor("abc")
    assert cursor.peek() == "a"
    assert cursor.peek(2) == "c"
    assert Cursor("ab").peek(2) == ""


def test_advance_counts_columns():
    cursor = Cursor("xyz")
    assert cursor.advance() == "x"
    assert cursor.advance() == "y"
    assert (cursor.index, cursor.line, cursor.column) == (2, 1, 3)


def test_advance_over_newline():
    cursor = Cursor("a\nb")
    cursor.advance()
    cursor.advance()
    assert (cursor.line, cursor.column) == (2, 1)
    with pytest.raises(EOFError):
        Cursor("").advance()


def test_at_end():
    cursor = Cursor("q")
    assert cursor.at_end() is False
    cursor.advance()
    assert cursor.at_end() is True


def test_take_while_stops_at_first_refusal():
    cursor = Cursor("12ab34")
    assert cursor.take_while(str.isdigit) == "12"
    assert cursor.take_while(str.isdigit) == ""
    assert cursor.take_while(str.isalpha) == "ab"


def test_take_while_to_the_end():
    cursor = Cursor("999")
    assert cursor.take_while(str.isdigit) == "999"
    assert cursor.at_end() is True


def test_take_word():
    cursor = Cursor("->x")
    assert cursor.take_word("=>") is False
    assert cursor.index == 0
    assert cursor.take_word("->") is True
    assert cursor.index == 2
