"""The tokenizer proper."""

from typing import Iterator

from cursor import Cursor
from lexemes import (KEYWORDS, SYMBOLS, Kind, LexError, Token, is_name_char,
                     is_name_start)

ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def skip_blanks(cursor: Cursor) -> None:
    """Skip white space and comments, which run from '#' to the line's end."""
    in_comment = False
    for char in cursor.text[cursor.index:]:
        if char == "#":
            in_comment = True
        elif char == "\n":
            in_comment = False
        if not in_comment and not char.isspace():
            break
        cursor.advance()


def read_name(cursor: Cursor) -> Token:
    line, column = cursor.line, cursor.column
    text = cursor.take_while(is_name_char)
    kind = Kind.KEYWORD if text in KEYWORDS else Kind.NAME
    return Token(kind, text, line, column)


def read_number(cursor: Cursor) -> Token:
    line, column = cursor.line, cursor.column
    text = cursor.take_while(str.isdigit)
    if cursor.peek() == "." and cursor.peek(1).isdigit():
        text += cursor.advance()
        text += cursor.take_while(str.isdigit)
    if is_name_start(cursor.peek()):
        raise LexError("bad number", line, column)
    return Token(Kind.NUMBER, text, line, column)


def read_string(cursor: Cursor) -> Token:
    """Read a quoted string; the token's text keeps quotes and escapes."""
    line, column = cursor.line, cursor.column
    start = cursor.index
    cursor.advance()
    while cursor.peek() != '"':
        if cursor.peek() in ("", "\n"):
            raise LexError("open string", line, column)
        if cursor.advance() == "\\" and not cursor.at_end():
            cursor.advance()
    cursor.advance()
    return Token(Kind.STRING, cursor.text[start:cursor.index], line, column)


def read_symbol(cursor: Cursor) -> Token:
    line, column = cursor.line, cursor.column
    for symbol in SYMBOLS:
        if cursor.take_word(symbol):
            return Token(Kind.SYMBOL, symbol, line, column)
    raise LexError(f"unexpected {cursor.peek()!r}", line, column)


def tokenize(text: str) -> Iterator[Token]:
    cursor = Cursor(text)
    for _ in text:  # every token uses up at least one character
        skip_blanks(cursor)
        if cursor.at_end():
            return
        char = cursor.peek()
        if is_name_start(char):
            yield read_name(cursor)
        elif char.isdigit():
            yield read_number(cursor)
        elif char == '"':
            yield read_string(cursor)
        else:
            yield read_symbol(cursor)


def unquote(text: str) -> str:
    """Value of a string token's text."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise ValueError("not a quoted string")
    chars = []
    escaped = False
    for char in text[1:-1]:
        if escaped:
            chars.append(ESCAPES.get(char, "\\" + char))
            escaped = False
        elif char == "\\":
            escaped = True
        else:
            chars.append(char)
    return "".join(chars)


def number_value(token: Token) -> float:
    if token.kind is not Kind.NUMBER:
        raise TypeError("number token wanted")
    return float(token.text) if "." in token.text else int(token.text)
