"""Recursive descent parser that reads straight from the characters.

    sum     := product (("+" | "-") product)*
    product := signed (("*" | "/" | "%") signed)*
    signed  := "-" signed | power
    power   := atom ["^" signed]
    atom    := number | name | name "(" arguments ")" | "(" sum ")"
"""

import re

from exprcalc.nodes import Bin, Call, Neg, Node, Num, Var

_NUMBER = re.compile(r"\d+(\.\d+)?|\.\d+")
_NAME = re.compile(r"[A-Za-z_]\w*")


class ParseError(ValueError):
    """Raised for malformed text; `column` counts from 1."""

    def __init__(self, message: str, column: int):
        super().__init__(f"{message} at column {column}")
        self.column = column


class Reader:
    """A position in the text, with helpers that move it forward."""

    def __init__(self, text: str):
        self.text = text
        self.pos = 0

    def peek(self) -> str:
        """The next character that is not blank, or '' at the end."""
        rest = self.text[self.pos:]
        self.pos += len(rest) - len(rest.lstrip())
        return self.text[self.pos:self.pos + 1]

    def accept(self, symbols: str) -> str:
        """Consume one character out of `symbols`; return '' if none is next."""
        char = self.peek()
        if char and char in symbols:
            self.pos += 1
            return char
        return ""

    def expect(self, symbol: str) -> None:
        if not self.accept(symbol):
            raise self.error(f"expected {symbol!r}")

    def match(self, pattern: re.Pattern) -> str:
        """Consume what the pattern matches here; return '' if it does not."""
        self.peek()
        found = pattern.match(self.text, self.pos)
        if found is None:
            return ""
        self.pos = found.end()
        return found.group()

    def error(self, message: str) -> ParseError:
        return ParseError(message, self.pos + 1)


def parse(text: str) -> Node:
    """Parse a whole expression; anything left over is an error."""
    reader = Reader(text)
    node = parse_sum(reader)
    if reader.peek():
        raise reader.error("unexpected text")
    return node


def parse_sum(reader: Reader) -> Node:
    left = parse_product(reader)
    while op := reader.accept("+-"):
        left = Bin(op, left, parse_product(reader))
    return left


def parse_product(reader: Reader) -> Node:
    left = parse_signed(reader)
    while op := reader.accept("*/%"):
        left = Bin(op, left, parse_signed(reader))
    return left


def parse_signed(reader: Reader) -> Node:
    if reader.accept("-"):
        return Neg(parse_signed(reader))
    return parse_power(reader)


def parse_power(reader: Reader) -> Node:
    base = parse_atom(reader)
    if reader.accept("^"):
        return Bin("^", base, parse_signed(reader))
    return base


def parse_atom(reader: Reader) -> Node:
    digits = reader.match(_NUMBER)
    if digits:
        return Num(float(digits))
    name = reader.match(_NAME)
    if name and reader.accept("("):
        return Call(name.lower(), parse_arguments(reader))
    if name:
        return Var(name)
    if reader.accept("("):
        inner = parse_sum(reader)
        reader.expect(")")
        return inner
    raise reader.error("expected a value")


def parse_arguments(reader: Reader) -> tuple:
    """Arguments up to and including the closing parenthesis."""
    if reader.accept(")"):
        return ()
    args = [parse_sum(reader)]
    while reader.accept(","):
        args.append(parse_sum(reader))
    reader.expect(")")
    return tuple(args)
